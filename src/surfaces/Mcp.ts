/**
 * Serves MCP. Lists the tools that the caller's key is allowed to call, and runs the tools with `Dispatch`, like every
 * other operation of the pod.
 */
import { Cause, Effect, Either, Runtime } from "effect"
import type { Call, Outcome } from "../doors/Call.ts"
import type { CatalogShape } from "../doors/Catalog.ts"
import type { Dispatch } from "../doors/Dispatch.ts"
import { type Failure, Invalid } from "../doors/Failure.ts"
import type { Principal } from "../doors/Principal.ts"
import { sentenceOf, wireAnswerOf } from "../doors/WireAnswer.ts"
import { answerMemoryBusy, type BodyMemory } from "./BodyMemory.ts"
import { countCalls } from "./CountedCalls.ts"
import { type Exchange, noteFailure, noteOutcome, notePrincipal } from "./Exchange.ts"
import { callerRefused } from "./McpCallerRefusal.ts"
import type { McpService } from "./McpService.ts"
import { type SchemaForm, schemaFormOf, type StrictForm } from "./McpStrictForm.ts"
import type { Fields, McpCallContext, McpResult } from "./McpTool.ts"
import { type ListedTool, toolTable } from "./McpToolTable.ts"
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
interface CallContext extends McpCallContext {
  readonly form: SchemaForm
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

/** Returns the form of schemas that the caller asked for. The endpoint has already refused an unknown form. */
const formOf = ({ search }: Exchange): SchemaForm => schemaFormOf(search) ?? "ordinary"

const readStrictly = (read: StrictForm["read"], args: Fields): Effect.Effect<unknown, Invalid> =>
  Effect.suspend(() => Either.mapLeft(read(args), (faults) => new Invalid({ faults })))

const instructions =
  "You may read and write what the owner of your key has allowed. A refusal names the missing permission; until the key has it, the same call is refused again. A write can answer `status: proposed`: a person decides about it, so do not send it again. Give the person its `reviewUrl`. Later, call `svc_wait_for_answer` or `svc_get_proposal` with its `proposalId`; a rejected proposal has the reason."

/** What the functions of the endpoint share. */
interface Parts {
  readonly tools: ReadonlyMap<string, ListedTool>
  readonly dispatch: typeof Dispatch.Service
  readonly memory: BodyMemory
  /** Returns undefined if the name is not known. */
  readonly ownerNameOf: (principal: Principal) => Promise<string | undefined>
}

/** Makes the result of a call that the pod refused, although it accepted the credential. */
const refusedResult = async (
  failure: Failure,
  tool: string,
  ownerName: () => Promise<string | undefined>
): Promise<McpResult> => {
  const answer = wireAnswerOf(failure)
  const isAboutRights = failure._tag === "Forbidden" || failure._tag === "GrantDoorUnsupported"
  const text = isAboutRights ? refusalText(failure, tool, await ownerName()) : sentenceOf(answer)
  return { kind: "refused", text, data: answer.body }
}

type Answer = Extract<McpResult, { readonly kind: "answer" }>

/** Makes the function that refuses the answer of a read for which there is no memory. */
const lengthRefusal = (
  { memory }: Parts,
  exchange: Exchange,
  personId: string
): NonNullable<Answer["refuseLength"]> => {
  return (characters) => {
    if (memory.admitAnswer(exchange.request, personId, characters)) return undefined
    noteFailure(exchange, answerMemoryBusy)
    const answer = wireAnswerOf(answerMemoryBusy)
    return { kind: "refused", text: sentenceOf(answer), data: answer.body }
  }
}

const resultOf = (
  result: Outcome["result"],
  tool: string,
  ownerName: () => Promise<string | undefined>,
  holding: Pick<Answer, "refuseLength">
): McpResult | Promise<McpResult> => {
  // The encoded answer of a tool is an object, because its schema is a struct. So the cast is safe.
  if (Either.isRight(result)) return { kind: "answer", structured: result.right as Fields, ...holding }
  const failure = result.left
  return failure._tag === "Unauthorized" || failure._tag === "TooMany"
    ? { kind: "callerRefused", refusal: callerRefused(failure) }
    : refusedResult(failure, tool, ownerName)
}

/** Counts a call of a tool that does not exist, because `Dispatch` counts only the calls of operations. */
const countUnknownTool = (
  { dispatch }: Parts,
  { exchange, principal }: Caller,
  isCounted: boolean
): McpResult | undefined => {
  if (isCounted) return undefined
  const exceeded = countCalls(dispatch, exchange, principal)
  return exceeded && { kind: "callerRefused", refusal: callerRefused(exceeded) }
}

/** Runs a tool with `Dispatch`. Returns undefined if the tool does not exist. */
const callTool = async (
  parts: Parts,
  caller: Caller,
  name: string,
  args: Fields,
  { form, isCounted, signal }: CallContext
): Promise<McpResult | undefined> => {
  const { exchange, principal } = caller
  const found = parts.tools.get(name)
  if (found === undefined) return countUnknownTool(parts, caller, isCounted)
  exchange.note.route += `${exchange.note.route === mount ? "/" : ","}${name}`
  const call: Call = {
    surface: "mcp",
    presented: exchange.presented,
    requestId: exchange.requestId,
    client: exchange.client,
    span: exchange.span,
    isLenient: isLenient(exchange.request),
    isCounted,
    input: form === "ordinary" ? Effect.succeed(args) : readStrictly(found.strict().read, args)
  }
  return new Promise<McpResult>((resolve) => {
    const cancel = parts.dispatch.start(found.operation, call, (outcome) => {
      noteOutcome(exchange, outcome)
      const { personId } = outcome.principal ?? principal
      const holding = found.operation.kind === "query" ? { refuseLength: lengthRefusal(parts, exchange, personId) } : {}
      resolve(resultOf(outcome.result, name, () => parts.ownerNameOf(outcome.principal ?? principal), holding))
    })
    signal.addEventListener("abort", cancel, { once: true })
  })
}

/** What the endpoint needs from the pod. `identify` finds the principal of a request. */
const serviceOver = (
  parts: Parts,
  identify: (exchange: Exchange) => Promise<Either.Either<Principal, Failure>>,
  exchangeOf: (request: Exchange["request"]) => Exchange
): McpService<Caller> => ({
  identify: async (request) => {
    const exchange = exchangeOf(request)
    const identified = await identify(exchange)
    if (Either.isLeft(identified)) {
      noteFailure(exchange, identified.left)
      return callerRefused(identified.left)
    }
    notePrincipal(exchange, identified.right)
    return { ok: true, caller: { principal: identified.right, exchange } }
  },
  noteClient: ({ exchange }, clientName) => void (exchange.note.clientName = clientName),
  countMessages: ({ exchange, principal }, messages) => {
    const exceeded = countCalls(parts.dispatch, exchange, principal, messages)
    return exceeded && callerRefused(exceeded)
  },
  tools: ({ exchange, principal }) => {
    const form = formOf(exchange)
    return [...parts.tools.values()]
      .filter(({ operation }) => parts.dispatch.admits(principal, operation))
      .map(({ strict, tool }) => (form === "ordinary" ? tool() : strict().tool))
  },
  call: (caller, name, args, context) =>
    callTool(parts, caller, name, args, { ...context, form: formOf(caller.exchange) }),
  content: readsOver<Caller>({
    admits: ({ principal }, name) => {
      const found = parts.tools.get(name)
      return found !== undefined && parts.dispatch.admits(principal, found.operation)
    },
    call: (caller, name, args, context) => callTool(parts, caller, name, args, { ...context, form: "ordinary" })
  })
})

/** Makes the MCP endpoint. Also makes the function that closes the endpoint. */
export const serveTools = (
  catalog: CatalogShape,
  dispatch: typeof Dispatch.Service,
  settings: McpSurfaceSettings,
  runtime: Runtime.Runtime<never>
): { readonly handle: (exchange: Exchange) => void; readonly close: McpEndpoint["close"] } => {
  const runPromise = Runtime.runPromise(runtime)
  const runFork = Runtime.runFork(runtime)
  const exchanges = new WeakMap<Exchange["request"], Exchange>()
  const tools = toolTable(catalog.tools)

  const identify = async ({ presented, requestId }: Exchange): Promise<Either.Either<Principal, Failure>> => {
    const known = dispatch.recall("mcp", presented)
    return known === undefined
      ? runPromise(Effect.either(dispatch.identify("mcp", presented, requestId)))
      : Either.right(known)
  }
  const service = serviceOver(
    { tools, dispatch, memory: settings.memory, ownerNameOf: (principal) => runPromise(settings.ownerName(principal)) },
    identify,
    // `handle` has stored the exchange of every request that reaches the endpoint.
    (request) => exchanges.get(request)!
  )
  const endpoint = serveMcp(service, {
    name: "pod",
    version: settings.version,
    description: "The knowledge of a team, as tools for agents. What a tool may do depends on the key.",
    toolCount: tools.size,
    instructions,
    allowedHosts: settings.allowedHosts,
    allowedOrigins: settings.allowedOrigins,
    maxBodyBytes: settings.bodyLimitBytes,
    memory: settings.memory,
    onFailure: ({ cause, errorId }) =>
      runFork(Effect.logError("call failed", Cause.die(cause)).pipe(Effect.annotateLogs({ errorId, operation: mount })))
  })
  return {
    handle: (exchange) => {
      exchanges.set(exchange.request, exchange)
      void endpoint.handle(exchange.request, exchange.response)
    },
    close: endpoint.close
  }
}
