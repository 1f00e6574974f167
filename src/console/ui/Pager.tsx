/** Buttons for the pages of a list whose total number of rows is unknown. */
import { Button } from "./Button.tsx"

interface PagerProps {
  /** The name of the list for screen readers. */
  readonly label: string
  readonly offset: number
  readonly limit: number
  /** The number of rows on this page. If the page is not full, there is no next page. */
  readonly count: number
  readonly onGo: (offset: number) => void
}

export const Pager = ({ count, label, limit, offset, onGo }: PagerProps) =>
  offset === 0 && count < limit ? null : (
    <nav aria-label={label} className="flex flex-wrap items-center gap-3">
      <Button disabled={offset === 0} onClick={() => onGo(Math.max(0, offset - limit))}>
        Previous page
      </Button>
      <span className="text-muted">{count === 0 ? "No further rows" : `Rows ${offset + 1} to ${offset + count}`}</span>
      <Button disabled={count < limit} onClick={() => onGo(offset + limit)}>
        Next page
      </Button>
    </nav>
  )
