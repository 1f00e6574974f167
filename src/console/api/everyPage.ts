/**
 * Reads a long list page by page. A screen that sorts and filters the whole list reads all pages. Any other screen
 * reads one more page whenever the person asks for it.
 */
import { infiniteQueryOptions } from "@tanstack/react-query"

export interface PagePlace {
  readonly limit: number
  readonly offset: number
}

/** A list of the pod. `read` reads one page, and `atOnce` is the maximum number of rows that the pod puts on a page. */
interface PagedList<Row> {
  readonly atOnce: number
  readonly read: (page: PagePlace, signal: AbortSignal) => Promise<ReadonlyArray<Row>>
  readonly idOf: (row: Row) => string
}

/**
 * If somebody adds a row while the console reads the pages, the later rows move by one place. The same row can then
 * appear on two pages. This function keeps each row once.
 */
const once = <Row>(rows: Iterable<Row>, idOf: (row: Row) => string): ReadonlyArray<Row> => [
  ...new Map([...rows].map((row) => [idOf(row), row] as const)).values()
]

/** Reads all pages, one after the other. */
export const everyPage = async <Row>(
  { atOnce, idOf, read }: PagedList<Row>,
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
export const pagesQuery = <Row>(queryKey: ReadonlyArray<unknown>, { atOnce, idOf, read }: PagedList<Row>) =>
  infiniteQueryOptions({
    queryKey: [...queryKey, "pages"],
    queryFn: ({ pageParam, signal }) => read({ limit: atOnce, offset: pageParam }, signal),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.length < atOnce ? undefined : pages.length * atOnce),
    select: ({ pages }) => once(pages.flat(), idOf)
  })
