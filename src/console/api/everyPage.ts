/**
 * Reads a long list page by page: all pages at once for a screen that sorts and filters the whole list, or one page more
 * whenever the person asks for it.
 */
import { infiniteQueryOptions } from "@tanstack/react-query"

export interface PagePlace {
  readonly limit: number
  readonly offset: number
}

/** A list of the pod, and the most rows that the pod returns on one of its pages. */
interface Listed<Row> {
  readonly atOnce: number
  readonly read: (page: PagePlace, signal: AbortSignal) => Promise<ReadonlyArray<Row>>
  readonly idOf: (row: Row) => string
}

/**
 * A row that is made during the reading moves the other rows by one place. So the same row may appear on two pages, and
 * is kept once.
 */
const once = <Row>(rows: Iterable<Row>, idOf: (row: Row) => string): ReadonlyArray<Row> => [
  ...new Map([...rows].map((row) => [idOf(row), row] as const)).values()
]

/** Reads all pages, one after the other. */
export const everyPage = async <Row>(
  { atOnce, idOf, read }: Listed<Row>,
  signal: AbortSignal
): Promise<ReadonlyArray<Row>> => {
  const rows: Array<Row> = []
  for (let offset = 0; ; offset += atOnce) {
    const page = await read({ limit: atOnce, offset }, signal)
    rows.push(...page)
    if (page.length < atOnce) return once(rows, idOf)
  }
}

/**
 * The `useInfiniteQuery` options for a list that is shown one page after the other. `data` has the rows of all pages
 * that were read. `ShowMore` reads the next page.
 */
export const pagesQuery = <Row>(queryKey: ReadonlyArray<unknown>, { atOnce, idOf, read }: Listed<Row>) =>
  infiniteQueryOptions({
    queryKey: [...queryKey, "pages"],
    queryFn: ({ pageParam, signal }) => read({ limit: atOnce, offset: pageParam }, signal),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.length < atOnce ? undefined : pages.length * atOnce),
    select: ({ pages }) => once(pages.flat(), idOf)
  })
