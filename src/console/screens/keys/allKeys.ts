/** Reads every key of the person and of the person's agents, page by page. */
import { queryOptions } from "@tanstack/react-query"
import { ask } from "../../api/procedures.ts"
import type { Refusal } from "../../api/refusal.ts"
import type { Key } from "./keyDraft.ts"

const atOnce = 500 // The pod returns at most this many keys on one page.

const everyPage = async <Row>(
  read: (page: { readonly limit: number; readonly offset: number }) => Promise<ReadonlyArray<Row>>,
  idOf: (row: Row) => string
): Promise<ReadonlyArray<Row>> => {
  const rows = new Map<string, Row>()
  for (let offset = 0; ; offset += atOnce) {
    const page = await read({ limit: atOnce, offset })
    // A key that is made during the reading moves the other keys by one place. So the same key may appear on two pages.
    for (const row of page) rows.set(idOf(row), row)
    if (page.length < atOnce) return [...rows.values()]
  }
}

/** The call for the first page of the keys. A screen shows this call in its API preview. */
export const keysCall = { procedure: "apiKeys.list", kind: "query", input: { limit: atOnce } } as const

export const allKeysQuery = queryOptions<ReadonlyArray<Key>, Refusal>({
  queryKey: ["apiKeys", "everyPage"],
  queryFn: ({ signal }) =>
    everyPage(
      (page) => ask("apiKeys.list", page, signal),
      ({ id }) => id
    )
})

export const allConnectionsQuery = queryOptions({
  queryKey: ["connections", "everyPage"],
  queryFn: ({ signal }) =>
    everyPage(
      (page) => ask("connections.list", page, signal),
      ({ keyId }) => keyId
    )
})
