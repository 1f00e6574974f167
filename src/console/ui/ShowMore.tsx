/** The button at the end of a list. It reads the next page of the list. Shows nothing if there is no further page. */
import type { UseInfiniteQueryResult } from "@tanstack/react-query"
import { Button } from "./Button.tsx"

interface ShowMoreProps {
  /** What the button shows more of, such as `deliveries`. */
  readonly what: string
  readonly query: Pick<UseInfiniteQueryResult, "fetchNextPage" | "hasNextPage" | "isFetchingNextPage">
}

export const ShowMore = ({ query: { fetchNextPage, hasNextPage, isFetchingNextPage }, what }: ShowMoreProps) =>
  hasNextPage ? (
    <div>
      <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        Show more {what}
      </Button>
    </div>
  ) : null
