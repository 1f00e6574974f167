/**
 * Reads the titles of records by their ids. The titles that a page needs at the same moment share one request, and each
 * title stays in the cache on its own.
 */
import { type QueryClient, useQuery } from "@tanstack/react-query"
import { visibleText } from "../../shared/visibleText.ts"
import { hub } from "./hub.ts"

const atOnce = 100 // The pod reads at most this many titles in one request.
const titleStaysMs = 60_000

interface Request {
  readonly id: string
  readonly answer: (title: string | null) => void
  readonly fail: (failure: unknown) => void
}

let waiting: Array<Request> = []

const send = async (requests: ReadonlyArray<Request>) => {
  try {
    const found = await hub("POST /api/hub/resolve/titles", { body: { ids: requests.map(({ id }) => id) } })
    const titles = new Map(found.map(({ displayName, id }) => [id, displayName]))
    for (const { answer, id } of requests) answer(titles.get(id) ?? null)
  } catch (failure) {
    for (const { fail } of requests) fail(failure)
  }
}

const sendWaiting = () => {
  const all = waiting
  waiting = []
  for (let start = 0; start < all.length; start += atOnce) void send(all.slice(start, start + atOnce))
}

/** Reads the title of a record together with the other titles that are requested before the next task of the browser. */
const readTitle = (id: string) =>
  new Promise<string | null>((answer, fail) => {
    if (waiting.length === 0) setTimeout(sendWaiting)
    waiting.push({ id, answer, fail })
  })

const keyOf = (id: string | undefined) => ["resolve", "title", id] as const

/** Reads the title of a record again if the cache has it. For a record that an event has changed. */
export const refreshTitle = (queries: QueryClient, id: string): void => {
  const queryKey = keyOf(id)
  if (queries.getQueryState(queryKey) !== undefined) void queries.invalidateQueries({ queryKey, exact: true })
}

/**
 * The title of the record with this id. Undefined if the id is undefined, if the record has no title, or if the person
 * may not read the record.
 */
export const useRecordTitle = (id: string | undefined): string | undefined => {
  const { data } = useQuery({
    queryKey: keyOf(id),
    queryFn: () => readTitle(id ?? ""),
    enabled: id !== undefined,
    staleTime: titleStaysMs,
    retry: false
  })
  return data === undefined || data === null || data === "" ? undefined : visibleText(data)
}
