/**
 * Reads a long list page by page, by the cursors of the pod. A screen that sorts and filters the whole list reads all
 * pages. Any other screen reads one more page whenever the person asks for it.
 */
import { infiniteQueryOptions } from "@tanstack/react-query"

/** An answer of the pod, and the cursor of the next page. The last page has none. */
export interface PageAnswer<Answer> {
  readonly answer: Answer
  readonly next: string | undefined
}

export interface PagePlace {
  readonly limit: number
  readonly cursor?: string
}

/** A list of the pod. `read` reads one page, and `atOnce` is the maximum number of rows that the pod puts on a page. */
interface PagedList<Row> {
  readonly atOnce: number
  readonly read: (page: PagePlace, signal: AbortSignal | undefined) => Promise<PageAnswer<ReadonlyArray<Row>>>
}

const placeOf = (limit: number, cursor: string | undefined): PagePlace =>
  cursor === undefined ? { limit } : { limit, cursor }

/**
 * Reads pages one after the other, until there are no further rows or at least `rowsMax` are read. `next` is the cursor
 * of the rows that were not read.
 */
export const manyPages = async <Row>(
  { atOnce, read }: PagedList<Row>,
  rowsMax: number,
  signal?: AbortSignal,
  from?: string
): Promise<PageAnswer<ReadonlyArray<Row>>> => {
  const rows: Array<Row> = []
  let next = from
  do {
    const page = await read(placeOf(atOnce, next), signal)
    rows.push(...page.answer)
    next = page.next
  } while (next !== undefined && rows.length < rowsMax)
  return { answer: rows, next }
}

/** Reads all pages, one after the other. `from` is the cursor at which the rows begin. */
export const everyPage = async <Row>(
  list: PagedList<Row>,
  signal: AbortSignal,
  from?: string
): Promise<ReadonlyArray<Row>> => (await manyPages(list, Infinity, signal, from)).answer

/**
 * The `useInfiniteQuery` options for a list that is shown one page after the other. `data` has the rows of all pages
 * that were read. `ShowMore` reads the next page.
 */
export const pagesQuery = <Row>(queryKey: ReadonlyArray<unknown>, { atOnce, read }: PagedList<Row>) =>
  infiniteQueryOptions({
    queryKey: [...queryKey, "pages"],
    queryFn: ({ pageParam, signal }) => read(placeOf(atOnce, pageParam), signal),
    // The first page has no cursor. The library takes the type of all cursors from this value.
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    select: ({ pages }) => pages.flatMap(({ answer }) => answer)
  })
