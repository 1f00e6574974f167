/** `pod status`: prints whether the pod answers, its address, whether it has an owner, and how many records it has. */
import { Effect, Either } from "effect"
import { CliFailure } from "../CliFailure.ts"
import { leaf } from "../CommandTree.ts"
import { type Fields, fieldsOf, textOf } from "../AnswerFields.ts"
import { Globals, type GlobalsShape, startCommand } from "../Globals.ts"
import { type CallTarget, httpCall } from "../HttpCall.ts"
import { Output } from "../Output.ts"
import { PodClient } from "../PodClient.ts"
import { indentedLines } from "../Table.ts"
import { sizeText } from "../../shared/sizeText.ts"
import { keysOf } from "../../platform/OwnKeys.ts"
import { withoutLastSlashes } from "../../platform/ParsedUrl.ts"

interface Status {
  readonly ready: boolean
  readonly via: string
  readonly podUrl: string
  readonly podConsoleUrl: string | null
  readonly podMcpUrl: string
  readonly podHubUrl: string
  readonly podDocsUrl: string
  readonly hasOwner: boolean | null
  readonly waiting: number | null
  /** The engine and size of the database. Null if the caller is not allowed to read them. */
  readonly database: { readonly engine: string; readonly sizeBytes: number | null } | null
  /** How many records of each kind the caller can read. Null if the caller is not allowed to count them. */
  readonly counts: Readonly<Record<CountName, number>> | null
}

/** The names of the counts of `system.getDataPodStats`, each with its singular and its plural for people. */
const countWords = {
  workspaces: ["workspace", "workspaces"],
  entities: ["entity", "entities"],
  documents: ["document", "documents"],
  knowledgeEntries: ["knowledge entry", "knowledge entries"],
  memoryFacts: ["memory fact", "memory facts"],
  projects: ["project", "projects"],
  views: ["view", "views"],
  tracks: ["track", "tracks"],
  channels: ["channel", "channels"],
  threads: ["thread", "threads"],
  attachments: ["file", "files"]
} as const
type CountName = keyof typeof countWords
const countNames = keysOf(countWords)

const engineWords: Readonly<Record<string, string>> = {
  embedded: "embedded (PGlite)",
  postgres: "PostgreSQL",
  memory: "in memory only"
}

const databaseLine = ({ engine, sizeBytes }: NonNullable<Status["database"]>): string =>
  `${engineWords[engine] ?? engine}${sizeBytes === null ? "" : `, ${sizeText(sizeBytes)}`}`

/** Writes the counts in one line. Kinds without a record are left out. */
const countsLine = (counts: NonNullable<Status["counts"]>): string => {
  const parts = countNames.flatMap((name) => {
    const count = counts[name]
    return count === 0 ? [] : [`${count.toLocaleString("en")} ${countWords[name][count === 1 ? 0 : 1]}`]
  })
  return parts.length === 0 ? "nothing yet" : parts.join(", ")
}

const countsOf = (stats: Fields): Status["counts"] => {
  const counts = countNames.flatMap((name) => {
    const count = stats[name]
    return typeof count === "number" ? [[name, count] as const] : []
  })
  // An answer that lacks one of the counts is a refusal, or comes from a pod of another version.
  return counts.length === countNames.length ? (Object.fromEntries(counts) as Record<CountName, number>) : null
}

const numberOf = (value: unknown): number | null => (typeof value === "number" ? value : null)

const lines = (status: Status, columns: number | undefined): string =>
  [
    status.ready ? "The pod is ready." : "The pod answers, but is not ready.",
    ...(status.podConsoleUrl === null ? [] : [`  Console ${status.podConsoleUrl}`]),
    `  REST    ${status.podHubUrl}`,
    `  MCP     ${status.podMcpUrl}`,
    `  Docs    ${status.podDocsUrl}`,
    `  Owner   ${status.hasOwner === null ? "unknown" : status.hasOwner ? "yes" : "none yet: pod setup-link"}`,
    ...(status.database === null ? [] : [`  Data    ${databaseLine(status.database)}`]),
    ...(status.counts === null ? [] : indentedLines("  Holds   ", countsLine(status.counts), columns, 10)),
    ...(status.waiting === null || status.waiting === 0
      ? []
      : [`  Waiting ${status.waiting} ${status.waiting === 1 ? "proposal" : "proposals"}: pod proposals list`])
  ].join("\n")

const notRunning = (globals: GlobalsShape): CliFailure =>
  new CliFailure({
    exit: "unreachable",
    code: "NOT_RUNNING",
    message: "No server runs here. The database opens, and its schema is up to date.",
    hint: `To start the server, run \`${startCommand(globals)}\`.`,
    retryable: true
  })

/**
 * Finds the address of the console. The pod redirects its root to the console with a relative location, because only
 * its settings have the path of the console. Returns null if a proxy answers the root in another way.
 */
const findConsoleUrl = (place: CallTarget, timeoutMs: number): Effect.Effect<string | null> =>
  httpCall(place, { method: "GET", path: "/", headers: {}, timeoutMs }).pipe(
    Effect.map(({ headers: { location }, status }) => {
      const [, path] = /^\.\/(.+)$/.exec(location ?? "") ?? []
      return status === 308 && path !== undefined
        ? withoutLastSlashes(`${withoutLastSlashes(place.url)}/${path}`)
        : null
    }),
    Effect.orElseSucceed(() => null)
  )

export const status = leaf(
  "status",
  {
    summary: "Show whether the pod is ready, its address, and how much data it has.",
    examples: ["pod status", "pod status --json", 'eval "$(pod status -o env)"']
  },
  {},
  Effect.fnUntraced(function* () {
    const client = yield* PodClient
    const { place, transport } = yield* client.connection
    if (transport === "process") return yield* notRunning(yield* Globals)
    const ready = yield* client.request("GET", "/readyz")
    const optional = (call: ReturnType<typeof client.request>) =>
      Effect.map(Effect.either(call), (answer) => (Either.isRight(answer) ? fieldsOf(answer.right.data) : {}))
    const { consoleUrl, database, setup, stats, waiting } = yield* Effect.all(
      {
        setup: optional(client.request("GET", "/api/hub/setup/status")),
        waiting: optional(client.request("GET", "/api/hub/proposals?status=pending&view=basic&limit=1")),
        database: optional(client.procedure("health.migrations")),
        stats: optional(client.procedure("system.getDataPodStats")),
        consoleUrl: findConsoleUrl(place, (yield* Globals).timeoutMs)
      },
      { concurrency: "unbounded" }
    )
    const hasOwner = setup["hasAdmin"]
    const base = place.url
    const output = yield* Output
    const found: Status = {
      ready: textOf(fieldsOf(ready.data)["status"]) === "ready",
      via: transport,
      podUrl: base,
      podConsoleUrl: consoleUrl,
      podMcpUrl: `${base}/mcp`,
      podHubUrl: `${base}/api/hub`,
      podDocsUrl: `${base}/docs`,
      hasOwner: typeof hasOwner === "boolean" ? hasOwner : null,
      waiting: numberOf(waiting["total"]),
      database:
        textOf(database["engine"]) === ""
          ? null
          : { engine: textOf(database["engine"]), sizeBytes: numberOf(database["sizeBytes"]) },
      counts: countsOf(stats)
    }
    // People can use these fields as variables of a shell, so every name begins with `POD_`.
    const {
      counts,
      database: databaseState,
      hasOwner: podHasOwner,
      ready: podReady,
      via: podVia,
      waiting: podWaiting,
      ...urls
    } = found
    if (output.format === "env") {
      const podDatabase = databaseState?.engine ?? null
      const podDatabaseBytes = databaseState?.sizeBytes ?? null
      const podCounts = counts
      return output.data({
        ...urls,
        podReady,
        podVia,
        podHasOwner,
        podWaiting,
        podDatabase,
        podDatabaseBytes,
        podCounts
      })
    }
    output.data(found, { text: lines }, ready)
  })
)
