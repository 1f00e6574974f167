/** Finds records by the text that a person types: an id, the first characters of an id, or a name. */
import { Effect } from "effect"
import { isObjectId } from "../shared/operationOfRoute.ts"
import { chosenRow } from "./ChosenRow.ts"
import type { CliFailure } from "./CliFailure.ts"
import { type Fields, rowsOf, textOf } from "./AnswerFields.ts"
import { type Answer, PodClient } from "./PodClient.ts"

const pageMax = 200
const pagesMax = 25

/** All rows of a list, and the request id of the last page. */
interface ListedRows {
  readonly rows: ReadonlyArray<Fields>
  readonly meta: { readonly requestId: string | undefined }
}

/** Reads all rows of a list that answers in pages, but at most 25 pages. */
const pagesOf = <R>(
  read: (page: { readonly limit: number; readonly cursor?: string }) => Effect.Effect<Answer, CliFailure, R>
): Effect.Effect<ListedRows, CliFailure, R> =>
  Effect.gen(function* () {
    const rows: Array<Fields> = []
    let cursor: string | undefined
    let requestId: string | undefined
    for (let page = 0; page < pagesMax; page++) {
      const answer = yield* read({ limit: pageMax, ...(cursor === undefined ? {} : { cursor }) })
      rows.push(...rowsOf(answer.data, "items"))
      requestId = answer.requestId
      if (answer.next === undefined) break
      cursor = answer.next
    }
    return { rows, meta: { requestId } }
  })

/** Reads all rows of a procedure that answers in pages, but at most 25 pages. */
export const listOf = (procedure: string): Effect.Effect<ListedRows, CliFailure, PodClient> =>
  pagesOf((page) => Effect.flatMap(PodClient, (client) => client.procedure(procedure, page)))

/** Reads all rows of a procedure as `listOf` does, and returns only the rows. */
export const allOf = (procedure: string) => Effect.map(listOf(procedure), ({ rows }) => rows)

/**
 * Finds a key. If several keys have the given name, returns the valid key, because people often make a new key with the
 * name of a revoked key.
 */
export const findKey = (idOrName: string) =>
  Effect.flatMap(allOf("apiKeys.list"), (rows) =>
    chosenRow(rows, idOrName, {
      idOf: ({ id }) => textOf(id),
      nameOf: ({ keyName }) => textOf(keyName),
      noun: "key",
      list: "pod keys list",
      isPreferred: ({ isActive }) => isActive === true
    })
  )

export const findRole = (idOrName: string) =>
  Effect.flatMap(allOf("roles.list"), (rows) =>
    chosenRow(rows, idOrName, {
      idOf: ({ id }) => textOf(id),
      nameOf: ({ name }) => textOf(name),
      noun: "role",
      list: "pod roles list"
    })
  )

export const findAgent = Effect.fnUntraced(function* (idOrName: string) {
  const client = yield* PodClient
  const { data } = yield* client.procedure("agents.list")
  return yield* chosenRow(rowsOf(data), idOrName, {
    idOf: ({ id }) => textOf(id),
    nameOf: ({ name }) => textOf(name),
    noun: "agent",
    list: "pod api POST /trpc/agents.list"
  })
})

export const findWorkspace = Effect.fnUntraced(function* (idOrName: string) {
  const client = yield* PodClient
  const { data } = yield* client.request("GET", "/api/hub/workspaces")
  return yield* chosenRow(rowsOf(data, "workspaces", "items"), idOrName, {
    idOf: ({ id }) => textOf(id),
    nameOf: ({ name }) => textOf(name),
    noun: "workspace",
    list: "pod api GET /api/hub/workspaces"
  })
})

export const findProject = Effect.fnUntraced(function* (idOrName: string) {
  const client = yield* PodClient
  const { rows } = yield* pagesOf(({ cursor, limit }) =>
    client.request(
      "GET",
      `/api/hub/projects?limit=${limit}${cursor === undefined ? "" : `&cursor=${encodeURIComponent(cursor)}`}`
    )
  )
  return yield* chosenRow(rows, idOrName, {
    idOf: ({ id }) => textOf(id),
    nameOf: ({ name }) => textOf(name),
    noun: "project",
    list: "pod api GET /api/hub/projects"
  })
})

/**
 * Returns the id that a text means. A whole id is returned without a look at the list, because a caller who is not
 * allowed to read the list can still use an id.
 */
export const idFrom = <R>(
  text: string,
  find: (idOrName: string) => Effect.Effect<Fields, CliFailure, R>
): Effect.Effect<string, CliFailure, R> =>
  isObjectId(text) ? Effect.succeed(text) : Effect.map(find(text), ({ id }) => textOf(id))
