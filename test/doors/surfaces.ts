/** Calls one operation on one surface like a simple client, and translates every answer into the same few outcomes. */
import { failureAnswersOf } from "../../src/doors/Dialect.ts"
import { Either } from "effect"
import type { CatalogShape } from "../../src/doors/Catalog.ts"
import type { RestInput } from "../../src/doors/InputReader.ts"
import type { Operation, RestOperation } from "../../src/doors/Operation.ts"
import type { Caller } from "../support/pod.ts"
import type { Place } from "./model.ts"

/** The result of a call as the client sees it. `code` is the reason of a 401, or the code of a 403. */
export interface CallResult {
  readonly verdict: "answered" | "unauthorized" | "refused" | "invalid" | "absent" | `status ${number}`
  readonly code?: string
  readonly body: unknown
}

/** One operation at one place where it can be called. `mount` is the beginning of the path. */
export interface Approach {
  readonly place: Place
  readonly mount: string
  readonly operation: Operation
  readonly rest?: RestOperation
  /** False if the operation has no input that could be invalid. */
  readonly takesInput: boolean
}

export const hub = "/api/hub"
export const alias = "/api/hub-protocol"

/**
 * Returns every way to call every operation of a running pod. Without `withAlias`, the second path of the Hub is left
 * out.
 */
export const approachesOf = (catalog: CatalogShape, withAlias: boolean): ReadonlyArray<Approach> => {
  const mounts = withAlias ? [hub, alias] : [hub]
  return [
    ...catalog.rest.flatMap((operation) => {
      const way = { place: "rest" as const, operation, rest: operation, takesInput: true }
      return operation.path.startsWith(`${hub}/`) ? mounts.map((mount) => ({ ...way, mount })) : [{ ...way, mount: "" }]
    }),
    ...[...catalog.procedures.values()].flatMap((operation) => [
      ...mounts.map((mount) => ({
        place: "bridge" as const,
        mount: `${mount}/trpc`,
        operation,
        takesInput: operation.takesInput
      })),
      { place: "session" as const, mount: "/trpc", operation, takesInput: operation.takesInput }
    ]),
    ...[...catalog.tools.values()].map((operation) => ({
      place: "mcp" as const,
      mount: "/mcp",
      operation,
      takesInput: true
    }))
  ]
}

export const nameOf = ({ place, mount, operation }: Approach): string => `${operation.name} on ${place} ${mount}`

const anId = "0190a0a0-0000-7000-8000-000000000001"
const paramNames = (path: string) => [...path.matchAll(/:([A-Za-z]+)/g)].map(([, name]) => name)

/** Makes a REST input with a valid path and nothing else. */
export const bareInput = ({ path }: RestOperation): RestInput => ({
  path: Object.fromEntries(paramNames(path).map((name) => [name, anId])),
  query: {},
  body: undefined
})

const findUndecodableInput = ({ operation, rest, place, takesInput }: Approach): unknown => {
  if (!takesInput) return undefined
  const wrong = { id: {}, limit: "x", query: {}, key: {}, workspaceId: "x", profileSlug: {} }
  const bare = rest === undefined ? undefined : bareInput(rest)
  const candidates: ReadonlyArray<unknown> =
    bare === undefined
      ? place === "mcp"
        ? [{}, wrong]
        : [[], wrong]
      : [
          ...(rest?.takesBody === true ? [{ ...bare, body: 5 }] : []),
          { ...bare, query: { workspaceId: "x", limit: "x" } },
          { ...bare, path: Object.fromEntries(Object.keys(bare.path).map((name) => [name, "not-an-id"])) }
        ]
  return candidates.find((candidate) => Either.isLeft(operation.decode(candidate)))
}

const foundInputs = new WeakMap<Approach, { readonly input: unknown }>()

/**
 * Returns an input that the operation cannot decode, so that the call has no effect even if the operation admits the
 * caller. Undefined if there is no such input.
 */
export const undecodableInput = (way: Approach): unknown => {
  const found = foundInputs.get(way) ?? { input: findUndecodableInput(way) }
  foundInputs.set(way, found)
  return found.input
}

const verdictOf = (status: number): CallResult["verdict"] =>
  status >= 200 && status < 300
    ? "answered"
    : status === 401
      ? "unauthorized"
      : status === 403
        ? "refused"
        : status === 400
          ? "invalid"
          : status === 404
            ? "absent"
            : `status ${status}`

const heard = (verdict: CallResult["verdict"], code: unknown, body: unknown): CallResult => ({
  verdict,
  ...(typeof code === "string" ? { code } : {}),
  body
})

type Headers = Readonly<Record<string, string>>

const askRest = async (caller: Caller, mount: string, operation: RestOperation, input: unknown, headers: Headers) => {
  const { path, query, body } = (input ?? bareInput(operation)) as RestInput
  const filled = operation.path.replaceAll(/:([A-Za-z]+)/g, (_, name: string) => encodeURIComponent(path[name] || anId))
  const mounted = mount === "" ? filled : mount + filled.slice(hub.length)
  const search = new URLSearchParams(query).toString()
  const sent = operation.takesBody ? JSON.stringify(body ?? {}) : undefined
  const answer = await caller.send(operation.method, search === "" ? mounted : `${mounted}?${search}`, sent, headers)
  const statuses = failureAnswersOf(operation.errors).map(({ status }) => status)
  if (answer.status !== 200 && !statuses.includes(answer.status)) {
    throw new Error(
      `${operation.name} answered ${answer.status}, which it does not declare. ${mounted} ${search} ${JSON.stringify(answer.body)}`
    )
  }
  // Below /v1 the refusal is inside `error`, as clients of OpenAI expect it.
  const refusal = typeof answer.body?.error === "object" ? answer.body.error : answer.body
  return heard(verdictOf(answer.status), answer.status === 401 ? refusal.reason : refusal?.code, refusal)
}

/**
 * Returns the outcome of a subscription. The HTTP status is always 200. A refusal comes as an event of the stream, and
 * this event contains the real status.
 */
const subscriptionIn = (frames: string) => {
  const line = /^event: serialized-error\ndata: (.*)$/m.exec(frames)?.[1]
  if (line === undefined) return { status: 200, body: frames }
  const error = JSON.parse(line) as { readonly data: { readonly httpStatus: number; readonly reason?: string } }
  return { status: error.data.httpStatus, body: { error } }
}

const askProcedure = async (caller: Caller, mount: string, operation: Operation, input: unknown, headers: Headers) => {
  const text = JSON.stringify(input ?? {})
  const path = `${mount}/${operation.name}`
  const answer =
    operation.kind === "query"
      ? await caller.send("GET", `${path}?input=${encodeURIComponent(text)}`, undefined, headers)
      : await caller.send("POST", path, text, headers)
  const isStream = operation.answersStream === true && typeof answer.body === "string"
  const { status, body } = isStream ? subscriptionIn(answer.body) : answer
  return heard(verdictOf(status), body?.error?.data?.reason, body)
}

/** Returns the JSON of an MCP answer, which may be one event of a stream. */
const messageIn = (body: unknown) => {
  if (typeof body !== "string") return body as McpAnswer
  const line = body.split("\n").find((one) => one.startsWith("data: {"))
  return (line === undefined ? {} : JSON.parse(line.slice("data: ".length))) as McpAnswer
}

interface McpAnswer {
  readonly result?: {
    readonly isError?: boolean
    readonly content: ReadonlyArray<{ readonly text: string }>
    readonly structuredContent?: Readonly<Record<string, unknown>>
    readonly tools?: ReadonlyArray<{ readonly name: string }>
  }
  readonly error?: { readonly code: number }
}

/** Sends one JSON-RPC message unchanged. */
export const mcp = async (caller: Caller, method: string, params: unknown, headers: Headers = {}) => {
  const message = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
  const accept = { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-06-18" }
  const { status, body } = await caller.send("POST", "/mcp", message, { ...accept, ...headers })
  return { status, message: messageIn(body) }
}

const broken = "INTERNAL_SERVER_ERROR"

const askTool = async (caller: Caller, operation: Operation, input: unknown, headers: Headers): Promise<CallResult> => {
  const { status, message } = await mcp(caller, "tools/call", { name: operation.name, arguments: input ?? {} }, headers)
  if (status !== 200) return heard(verdictOf(status), undefined, message)
  if (message.result?.isError !== true) {
    return message.result === undefined
      ? heard("absent", undefined, message)
      : heard("answered", undefined, message.result.structuredContent)
  }
  const data = JSON.parse(message.result.content[1]?.text ?? "{}") as { code?: string; details?: unknown }
  // Only a refusal has the field `required`. A conflict has a code, but not this field.
  if ("required" in data) return heard("refused", data.code, data)
  if (data.code !== undefined) return heard(data.code === broken ? "status 500" : "status 409", data.code, data)
  return heard("details" in data ? "invalid" : "absent", undefined, data)
}

/** Calls the operation as `approach` says. Without an input, the call sends the simplest input. */
export const ask = (caller: Caller, approach: Approach, input?: unknown, headers: Headers = {}): Promise<CallResult> =>
  approach.rest !== undefined
    ? askRest(caller, approach.mount, approach.rest, input, headers)
    : approach.place === "mcp"
      ? askTool(caller, approach.operation, input, headers)
      : askProcedure(caller, approach.mount, approach.operation, input, headers)

/**
 * These reads require the field `userId`. Its value must be the id of the caller's person. The pod refuses the id of
 * any other person.
 */
export const namesItsPerson = new Set(["memory.search"])

/**
 * These reads start a computation, and a later read returns its result. Other tests check that hidden rows do not
 * change this result.
 */
export const startsWork = new Set(["centrality.recompute"])
