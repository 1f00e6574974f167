/** Finds records by the text that a person types: an id, the first characters of an id, or a name. */
import { Effect } from "effect"
import { CliFailure, notFound } from "./CliFailure.ts"
import { type Fields, rowsOf, textOf } from "./AnswerFields.ts"
import { PodClient } from "./PodClient.ts"

const pageMax = 200
const pagesMax = 25

/** All rows of a list, and the request id of the last page. */
interface ListedRows {
  readonly rows: ReadonlyArray<Fields>
  readonly meta: { readonly requestId: string | undefined }
}

/** Reads all rows of a procedure that answers in pages, but at most 25 pages. */
export const listOf = (procedure: string): Effect.Effect<ListedRows, CliFailure, PodClient> =>
  Effect.gen(function* () {
    const client = yield* PodClient
    const rows: Array<Fields> = []
    let cursor: string | undefined
    let requestId: string | undefined
    for (let page = 0; page < pagesMax; page++) {
      const answer = yield* client.procedure(procedure, {
        limit: pageMax,
        ...(cursor === undefined ? {} : { cursor })
      })
      rows.push(...rowsOf(answer.data, "items"))
      requestId = answer.requestId
      if (answer.next === undefined) break
      cursor = answer.next
    }
    return { rows, meta: { requestId } }
  })

/** Reads all rows of a procedure as `listOf` does, and returns only the rows. */
export const allOf = (procedure: string) => Effect.map(listOf(procedure), ({ rows }) => rows)

// the least number of characters that can be the beginning of an id, because a shorter text could be a word
const idBegins = 6

/**
 * Returns the one row whose id or name is the text, or whose id begins with the text. Fails if there is no such row, or
 * if there are several.
 */
export const chosenRow = (
  rows: ReadonlyArray<Fields>,
  idOrName: string,
  {
    idOf,
    nameOf,
    noun,
    list
  }: {
    readonly idOf: (row: Fields) => string
    readonly nameOf: (row: Fields) => string
    readonly noun: string
    /** The command that lists these records, for the hint of the failure. */
    readonly list: string
  }
): Effect.Effect<Fields, CliFailure> => {
  const exact = rows.filter((row) => idOf(row) === idOrName || nameOf(row) === idOrName)
  const found =
    exact.length > 0 || idOrName.length < idBegins
      ? exact
      : rows.filter((row) => idOf(row).startsWith(idOrName.toLowerCase()))
  const [row] = found
  if (row === undefined)
    return Effect.fail(notFound(`There is no ${noun} ${JSON.stringify(idOrName)}.`, `To see all, run ${list}.`))
  return found.length === 1
    ? Effect.succeed(row)
    : Effect.fail(
        new CliFailure({
          exit: "badUsage",
          code: "AMBIGUOUS",
          message: `${found.length} ${noun}s match ${JSON.stringify(idOrName)}: ${found.slice(0, 5).map(idOf).join(", ")}.`,
          hint: "Give the whole id of one of them."
        })
      )
}

/**
 * Finds a key. If several keys have the given name, returns the valid key, because people often make a new key with the
 * name of a revoked key.
 */
export const findKey = (idOrName: string) =>
  Effect.flatMap(allOf("apiKeys.list"), (rows) => {
    const named = rows.filter(({ keyName }) => textOf(keyName) === idOrName)
    const valid = named.filter(({ isActive }) => isActive === true)
    return chosenRow(
      valid.length === 0 ? rows : rows.filter((row) => !named.includes(row) || valid.includes(row)),
      idOrName,
      {
        idOf: ({ id }) => textOf(id),
        nameOf: ({ keyName }) => textOf(keyName),
        noun: "key",
        list: "pod keys list"
      }
    )
  })

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
