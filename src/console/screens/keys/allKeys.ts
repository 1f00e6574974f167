/** Reads every key of the person and of the person's agents. */
import { queryOptions } from "@tanstack/react-query"
import { everyPage } from "../../api/everyPage.ts"
import { askPage, type ProcedureOutput } from "../../api/procedures.ts"
import type { Refusal } from "../../api/refusal.ts"
import type { Key } from "./keyDraft.ts"

type Connection = ProcedureOutput<"connections.list">[number]

// The pod returns at most this many keys on one page.
const atOnce = 500

/** The call for the first page of the keys. A screen shows this call in its API preview. */
export const keysCall = { procedure: "apiKeys.list", kind: "query", input: { limit: atOnce } } as const

export const allKeysQuery = queryOptions<ReadonlyArray<Key>, Refusal>({
  queryKey: ["apiKeys", "everyPage"],
  queryFn: ({ signal }) => everyPage({ atOnce, read: (page, stop) => askPage("apiKeys.list", page, stop) }, signal)
})

export const allConnectionsQuery = queryOptions<ReadonlyArray<Connection>, Refusal>({
  queryKey: ["connections", "everyPage"],
  queryFn: ({ signal }) => everyPage({ atOnce, read: (page, stop) => askPage("connections.list", page, stop) }, signal)
})
