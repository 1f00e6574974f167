/** Buttons for the pages of a list. The address of a page has the cursor at which the page begins. */
import { Button } from "./Button.tsx"

interface PagerProps {
  /** The name of the list for screen readers. */
  readonly label: string
  /** The place where this page begins. Undefined for the first page. */
  readonly after: string | undefined
  /** The place where the next page begins. Undefined if there is no next page. */
  readonly next: string | undefined
  /** The number of rows of the whole list, if the pod says it. */
  readonly total?: number
  readonly onGo: (after: string | undefined) => void
}

/**
 * The key is the cursor of a page that the person reached by `Next page`. The value is the cursor of the page before
 * it. The pod gives only the cursor of the next page. So a page that was opened by its address has no entry here.
 */
const pagesBefore = new Map<string, string | undefined>()

/** Returns the number of a page, from 1. Undefined if the person did not reach it from the first page. */
const numberOf = (after: string | undefined): number | undefined => {
  let number = 1
  for (let place = after; place !== undefined; place = pagesBefore.get(place)) {
    if (!pagesBefore.has(place)) return undefined
    number += 1
  }
  return number
}

export const Pager = ({ after, label, next, onGo, total }: PagerProps) => {
  if (after === undefined && next === undefined) return null
  const isBeforeKnown = after === undefined || pagesBefore.has(after)
  const number = numberOf(after)
  const shown = [...(number === undefined ? [] : [`Page ${number}`]), ...(total === undefined ? [] : [`${total} rows`])]
  return (
    <nav aria-label={label} className="flex flex-wrap items-center gap-3">
      <Button
        disabled={after === undefined}
        onClick={() => onGo(after === undefined ? undefined : pagesBefore.get(after))}
      >
        {isBeforeKnown ? "Previous page" : "First page"}
      </Button>
      {shown.length > 0 && <span className="text-muted">{shown.join(" of ")}</span>}
      <Button
        disabled={next === undefined}
        onClick={() => {
          if (next === undefined) return
          pagesBefore.set(next, after)
          onGo(next)
        }}
      >
        Next page
      </Button>
    </nav>
  )
}
