/**
 * Shows which rows of a long list are visible, and buttons for the other pages. Shows nothing if the list has only one
 * page.
 */
import { Button } from "./Button.tsx"

interface PagerProps {
  readonly page: number
  readonly size: number
  readonly total: number
  readonly hasMore: boolean
  readonly onPage: (page: number) => void
}

export const CountedPager = ({ page, size, total, hasMore, onPage }: PagerProps) =>
  page === 1 && !hasMore ? null : (
    <nav aria-label="Pages of the list" className="flex flex-wrap items-center gap-2">
      <Button disabled={page === 1} onClick={() => onPage(page - 1)}>
        Previous
      </Button>
      <span className="text-muted">
        {(page - 1) * size + 1}–{Math.min(page * size, total)} of {total}
      </span>
      <Button disabled={!hasMore} onClick={() => onPage(page + 1)}>
        Next
      </Button>
    </nav>
  )
