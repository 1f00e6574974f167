/** Every key of the person and of the person's agents, however many there are; the pod answers a part at once. */
import { queryOptions } from "@tanstack/react-query"
import { ask } from "../../api/procedures.ts"
import type { Refusal } from "../../api/refusal.ts"
import type { Key } from "./keyDraft.ts"

const atOnce = 500 // keys; the pod gives no more

const everyPage = async <Row>(
  read: (page: { readonly limit: number; readonly offset: number }) => Promise<ReadonlyArray<Row>>,
  idOf: (row: Row) => string
): Promise<ReadonlyArray<Row>> => {
  const rows = new Map<string, Row>()
  for (let offset = 0; ; offset += atOnce) {
    const page = await read({ limit: atOnce, offset })
    // A key that is made meanwhile moves the others on by one, so a key may come twice.
    for (const row of page) rows.set(idOf(row), row)
    if (page.length < atOnce) return [...rows.values()]
  }
}

/** The first page of the call, for the preview of a screen. */
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
