/** `pod status`: whether the pod answers, where, and whether it has an owner. */
import { Effect, Either } from "effect"
import { CliFailure } from "../CliFailure.ts"
import { leaf } from "../CommandTree.ts"
import { fieldsOf, textOf } from "../AnswerFields.ts"
import { Globals } from "../Globals.ts"
import { Output } from "../Output.ts"
import { PodClient } from "../PodClient.ts"

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
}

const lines = (status: Status): string =>
  [
    status.ready ? "The pod is ready." : "The pod answers, but is not ready.",
    ...(status.podConsoleUrl === null ? [] : [`  Console ${status.podConsoleUrl}`]),
    `  REST    ${status.podHubUrl}`,
    `  MCP     ${status.podMcpUrl}`,
    `  Docs    ${status.podDocsUrl}`,
    `  Owner   ${status.hasOwner === null ? "unknown" : status.hasOwner ? "yes" : "none yet: pod setup-link"}`,
    ...(status.waiting === null || status.waiting === 0
      ? []
      : [`  Waiting ${status.waiting} proposals: pod proposals list`])
  ].join("\n")

const notRunning = new CliFailure({
  exit: "unreachable",
  code: "NOT_RUNNING",
  message: "No server runs here. The database opens, and its schema is up to date.",
  hint: "Start the server: pod start",
  retryable: true
})

export const status = leaf(
  "status",
  {
    summary: "Say whether the pod is ready, and where it answers.",
    examples: ["pod status", "pod status --json", 'eval "$(pod status -o env)"']
  },
  {},
  () =>
    Effect.gen(function* () {
      const client = yield* PodClient
      const { place, way } = yield* client.connection
      if (way === "process") return yield* notRunning
      const ready = yield* client.request("GET", "/readyz")
      const optional = (call: ReturnType<typeof client.request>) =>
        Effect.map(Effect.either(call), (made) => (Either.isRight(made) ? fieldsOf(made.right.data) : {}))
      const setup = yield* optional(client.request("GET", "/api/hub/setup/status"))
      const waiting = yield* optional(client.procedure("inbox.stats"))
      const hasOwner = setup["hasAdmin"]
      const base = place.url
      // Only the machine of the pod knows its settings.
      const adminPath =
        way === "url"
          ? undefined
          : (yield* (yield* Effect.promise(() => import("../LocalPod.ts"))).localSettings(yield* Globals)).adminPath
      const output = yield* Output
      const found: Status = {
        ready: textOf(fieldsOf(ready.data)["status"]) === "ready",
        via: way,
        podUrl: base,
        podConsoleUrl: adminPath === undefined ? null : `${base}${adminPath}`,
        podMcpUrl: `${base}/mcp`,
        podHubUrl: `${base}/api/hub`,
        podDocsUrl: `${base}/docs`,
        hasOwner: typeof hasOwner === "boolean" ? hasOwner : null,
        waiting: typeof waiting["pendingProposals"] === "number" ? waiting["pendingProposals"] : null
      }
      // For a shell, every name begins with POD_.
      const { hasOwner: podHasOwner, ready: podReady, via: podVia, waiting: podWaiting, ...urls } = found
      if (output.format === "env") return output.data({ ...urls, podReady, podVia, podHasOwner, podWaiting })
      output.data(found, { text: lines }, ready)
    })
)
