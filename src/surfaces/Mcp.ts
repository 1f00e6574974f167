/**
 * Serves MCP. Lists the tools that the caller's key is allowed to call, and runs the tools with `Dispatch`, like every
 * other operation of the pod.
 */
import { Cause, Effect, Either, Runtime } from "effect"
import type { CatalogShape } from "../doors/Catalog.ts"
import type { Dispatch } from "../doors/Dispatch.ts"
import { type Failure, Invalid } from "../doors/Failure.ts"
import type { ToolOperation } from "../doors/Operation.ts"
import type { Principal } from "../doors/Principal.ts"
import { sentenceOf, wireAnswerOf } from "../doors/WireAnswer.ts"
import { atFirstUse } from "../platform/AtFirstUse.ts"
import type { BodyMemory } from "./BodyMemory.ts"
import { type Exchange, noteAllowance, noteFailure, noteOutcome, notePrincipal } from "./Exchange.ts"
import type { McpCallerRefused } from "./McpGuard.ts"
import { inputSchemaOf, outputSchemaOf } from "./McpSchemas.ts"
import { type SchemaForm, schemaFormOf, type StrictForm, strictFormOf } from "./McpStrictForm.ts"
import type { Fields, McpResult, McpTool } from "./McpTool.ts"
import { readsOver } from "./McpReads.ts"
import { type McpEndpoint, serveMcp } from "./McpWire.ts"
import { refusalText } from "./McpRefusals.ts"
import { isLenient } from "./Prefer.ts"

/** The caller, and the HTTP request that the caller sent. The pod verifies the credential again for every call. */
interface Caller {
  readonly principal: Principal
  readonly exchange: Exchange
}

/** How a tool is called. `form`: the form of the arguments. */
interface CallContext {
  readonly form: SchemaForm
  readonly isCounted: boolean
  readonly signal: AbortSignal
}

/** The path of the MCP endpoint. */
export const mount = "/mcp"

export interface McpSurfaceSettings {
  readonly version: string
  readonly allowedHosts: ReadonlyArray<string>
  readonly allowedOrigins: ReadonlyArray<string>
  readonly bodyLimitBytes: number
  readonly memory: BodyMemory
  /**
   * Returns the name of the person who owns the credential. The name appears in the text of a refusal. Returns
   * undefined if the name is not known.
   */
  readonly ownerName: (principal: Principal) => Effect.Effect<string | undefined>
}

const toolOf = (operation: ToolOperation): McpTool => ({
  name: operation.name,
  title: operation.title,
  description: operation.summary,
  inputSchema: inputSchemaOf(operation),
  outputSchema: outputSchemaOf(operation),
  annotations: {
    title: operation.title,
    readOnlyHint: operation.kind === "query",
    destructiveHint: operation.door._tag === "Write" && operation.door.actions.some((action) => action !== "create"),
    idempotentHint: operation.kind === "query",
    openWorldHint: false
  }
})

/**
 * Makes the refusal of a whole request. The pod sends it if the credential is not accepted, or if the pod cannot answer
 * the request.
 */
const callerRefused = (failure: Failure): McpCallerRefused => {
  const answer = wireAnswerOf(failure)
  const { body, headers = {} } = answer
  // This code leaves the header out, because `McpWire.ts` writes it.
  const { "www-authenticate": _, ...otherHeaders } = headers
  const refused = { ok: false, description: sentenceOf(answer), headers: otherHeaders } as const
  switch (failure._tag) {
    case "TooMany":
      return { ...refused, status: 429, error: "rate_limited" }
    case "Unavailable":
      return { ...refused, status: 503, error: "temporarily_unavailable" }
    case "Broken":
      return { ...refused, status: 500, error: "server_error", data: { errorId: body["errorId"] } }
    default:
      return { ...refused, status: 401, error: "invalid_token" }
  }
}

const once = <A>(make: () => A): (() => A) =>
  atFirstUse(() => {
    const value = make()
    return () => value
  })

/** Returns the form of schemas that the caller asked for. The endpoint has already refused an unknown form. */
const formOf = ({ search }: Exchange): SchemaForm => schemaFormOf(search) ?? "ordinary"

const readStrictly = (read: StrictForm["read"], args: Fields): Effect.Effect<unknown, Invalid> =>
  Effect.suspend(() => Either.mapLeft(read(args), (faults) => new Invalid({ faults })))

/** Makes the MCP endpoint. Also makes the function that closes the endpoint. */
export const serveTools = (
  catalog: CatalogShape,
  dispatch: typeof Dispatch.Service,
  settings: McpSurfaceSettings,
  runtime: Runtime.Runtime<never>
): { readonly handle: (exchange: Exchange) => void; readonly close: McpEndpoint["close"] } => {
  // The schemas of a tool are made when they are first needed, because a start should not wait for them.
  const listed = (operation: ToolOperation) => {
    const tool = once(() => toolOf(operation))
    const strict = once(() => {
      const { read, schema } = strictFormOf(tool().inputSchema)
      return { tool: { ...tool(), inputSchema: schema }, read }
    })
    return { operation, tool, strict }
  }
  const tools = new Map([...catalog.tools].map(([name, operation]) => [name, listed(operation)]))
  const runPromise = Runtime.runPromise(runtime)
  const runFork = Runtime.runFork(runtime)
  const exchanges = new WeakMap<Exchange["request"], Exchange>()

  const refusedResult = async (failure: Failure, tool: string, principal: Principal): Promise<McpResult> => {
    const answer = wireAnswerOf(failure)
    const data = answer.body
    if (failure._tag !== "Forbidden" && failure._tag !== "GrantDoorUnsupported")
      return { kind: "refused", text: sentenceOf(answer), data }
    const ownerName = await runPromise(settings.ownerName(principal))
    return { kind: "refused", text: refusalText(failure, tool, ownerName), data }
  }

  const callTool = async (
    { exchange, principal }: Caller,
    name: string,
    args: Fields,
    { form, isCounted, signal }: CallContext
  ): Promise<McpResult | undefined> => {
    const found = tools.get(name)
    if (found === undefined) {
      if (isCounted) return undefined
      const counted = dispatch.countCalls(principal, exchange.client)
      return Either.isLeft(counted) ? { kind: "callerRefused", refusal: callerRefused(counted.left) } : undefined
    }
    exchange.note.route += `${exchange.note.route === mount ? "/" : ","}${name}`
    return new Promise<McpResult>((resolve) => {
      const cancel = dispatch.start(
        found.operation,
        {
          surface: "mcp",
          presented: exchange.presented,
          requestId: exchange.requestId,
          client: exchange.client,
          span: exchange.span,
          isLenient: isLenient(exchange.request),
          isCounted,
          input: form === "ordinary" ? Effect.succeed(args) : readStrictly(found.strict().read, args)
        },
        (outcome) => {
          noteOutcome(exchange, outcome)
          const { result } = outcome
          if (Either.isRight(result)) {
            // The encoded answer of a tool is an object, because its schema is a struct. So the cast is safe.
            resolve({ kind: "answer", structured: result.right as Record<string, unknown> })
          } else if (result.left._tag === "Unauthorized" || result.left._tag === "TooMany") {
            resolve({ kind: "callerRefused", refusal: callerRefused(result.left) })
          } else void refusedResult(result.left, name, outcome.principal ?? principal).then(resolve)
        }
      )
      signal.addEventListener("abort", cancel, { once: true })
    })
  }

  const endpoint = serveMcp<Caller>(
    {
      identify: async (request) => {
        const exchange = exchanges.get(request)!
        const { presented } = exchange
        const known = dispatch.recall("mcp", presented)
        const identified =
          known === undefined
            ? await runPromise(Effect.either(dispatch.identify("mcp", presented, exchange.requestId)))
            : Either.right(known)
        if (Either.isLeft(identified)) {
          noteFailure(exchange, identified.left)
          return callerRefused(identified.left)
        }
        notePrincipal(exchange, identified.right)
        return { ok: true, caller: { principal: identified.right, exchange } }
      },
      noteClient: ({ exchange }, clientName) => void (exchange.note.clientName = clientName),
      countMessages: ({ exchange, principal }, messages) => {
        const counted = dispatch.countCalls(principal, exchange.client, messages)
        if (Either.isLeft(counted)) return callerRefused(counted.left)
        noteAllowance(exchange.response, counted.right)
        return undefined
      },
      tools: ({ exchange, principal }) => {
        const form = formOf(exchange)
        return [...tools.values()]
          .filter(({ operation }) => dispatch.admits(principal, operation))
          .map(({ strict, tool }) => (form === "ordinary" ? tool() : strict().tool))
      },
      call: (caller, name, args, context) =>
        callTool(caller, name, args, { ...context, form: formOf(caller.exchange) }),
      content: readsOver<Caller>({
        admits: ({ principal }, name) => {
          const found = tools.get(name)
          return found !== undefined && dispatch.admits(principal, found.operation)
        },
        call: (caller, name, args, context) => callTool(caller, name, args, { ...context, form: "ordinary" })
      })
    },
    {
      name: "pod",
      version: settings.version,
      description: "The knowledge of a team, as tools for agents. What a tool may do depends on the key.",
      toolCount: tools.size,
      instructions:
        "You may read and write what the owner of your key has allowed. A refusal names the missing permission; until the key has it, the same call is refused again. A write can answer `status: proposed`: a person decides about it, so do not send it again. Give the person its `reviewUrl`. Later, call `svc_wait_for_answer` or `svc_get_proposal` with its `proposalId`; a rejected proposal has the reason.",
      allowedHosts: settings.allowedHosts,
      allowedOrigins: settings.allowedOrigins,
      maxBodyBytes: settings.bodyLimitBytes,
      memory: settings.memory,
      onFailure: ({ cause, errorId }) =>
        runFork(
          Effect.logError("call failed", Cause.die(cause)).pipe(Effect.annotateLogs({ errorId, operation: mount }))
        )
    }
  )
  return {
    handle: (exchange) => {
      exchanges.set(exchange.request, exchange)
      void endpoint.handle(exchange.request, exchange.response)
    },
    close: endpoint.close
  }
}
