/**
 * Replaces the rows of a list if no row matches the search text or the filters. Says what was searched, and has a button
 * that shows the whole list again.
 */
import type { ReactNode } from "react"
import { Button } from "./Button.tsx"
import { Empty } from "./Page.tsx"

interface NoMatchProps {
  /** The word for one row, such as `role`. */
  readonly one: string
  /** The word for several rows, such as `roles`. */
  readonly many: string
  /** The text of the search field. Undefined if only filters are set. */
  readonly text?: string | undefined
  /** True if filters are set besides the search text. */
  readonly isFiltered?: boolean
  readonly onClear: () => void
  readonly children?: ReactNode
}

export const NoMatch = ({ children, isFiltered = false, many, onClear, one, text }: NoMatchProps) => (
  <Empty
    title={
      text === undefined
        ? `No ${one} matches these filters.`
        : `No ${one} matches “${text.trim()}”${isFiltered ? " and these filters" : ""}.`
    }
  >
    {children}
    <Button onClick={onClear}>Show all {many}</Button>
  </Empty>
)
