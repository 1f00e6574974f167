/** The checks of `pod doctor` for the network path to the pod, such as whether a proxy forwards whole requests. */
import { Effect, Either } from "effect"
import { type Fields, fieldsOf, isFields, textOf } from "./AnswerFields.ts"
import type { Connection } from "./Connection.ts"
import { failedCheck, okCheck, type Check, warningCheck } from "./DoctorCheck.ts"
import { type HttpAnswer, httpCall, openCall } from "./HttpCall.ts"
import { proxyChecks } from "./ProxyChecks.ts"

/** Returns the fields of an answer of a pod. Returns undefined if the answer is no JSON object. */
const podFields = ({ text }: HttpAnswer): Fields | undefined => {
  try {
    const answer: unknown = JSON.parse(text)
    return isFields(answer) ? answer : undefined
  } catch {
    return undefined
  }
}

const isPod = (answer: HttpAnswer): boolean => podFields(answer) !== undefined

/** Checks the database of the pod. The pod is ready only if its database answers and stores, and is migrated. */
const databaseCheck = ({ status, text }: HttpAnswer): Check => {
  const answer = fieldsOf(JSON.parse(text))
  if (status !== 200) return failedCheck("database", textOf(answer["error"]) || `/readyz answered ${status}`)
  return fieldsOf(answer["checks"])["database"] === "healthy"
    ? okCheck("database", "answers and stores, and its schema is up to date")
    : warningCheck("database", "not checked: the answer of /readyz does not name it")
}

// the clocks of the pod and this machine are allowed to differ by this many milliseconds; a larger difference disturbs
// sessions and webhooks, which compare times
const skewMax = 60_000

const clockCheck = ({ headers }: HttpAnswer, nowMs: number): Check => {
  const apart = Math.abs(Date.parse(headers.date ?? "") - nowMs)
  if (Number.isNaN(apart)) return warningCheck("clock", "the answer has no date")
  return apart > skewMax
    ? failedCheck("clock", `the clocks differ by ${Math.round(apart / 1000)} s`)
    : okCheck("clock", "the clocks agree")
}

/**
 * Checks that the pod has an owner. A pod without an owner accepts no sign-in and no key, so the operator must first
 * make an owner. Returns undefined if the answer does not say whether there is an owner.
 */
const ownerCheck = (answer: Either.Either<HttpAnswer, Error>): Check | undefined => {
  if (Either.isLeft(answer) || answer.right.status !== 200 || !isPod(answer.right)) return undefined
  const { hasAdmin } = fieldsOf(JSON.parse(answer.right.text))
  if (typeof hasAdmin !== "boolean") return undefined
  return hasAdmin
    ? okCheck("owner", "the pod has an owner")
    : warningCheck("owner", "the pod has no owner yet: on its machine, run pod setup-link or pod owner create")
}

const json = { "content-type": "application/json" }
// bytes of a test body; many proxies accept at most 1 MB, and the pod by default 10 MB
const bodyBytes = 2_000_000
// the bytes of a test header; real cookies can be this long, and the pod accepts headers of 16 kB
const headerBytes = 8_000
// the milliseconds that the command waits for the first line of a stream; the pod sends it at once, unless a proxy
// holds it back
const streamWithinMs = 5_000

const handshake = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "pod doctor", version: "1" } }
})

/**
 * Checks the network path to the pod: headers, body size, streams and clocks. A failed check names the fault between
 * this machine and the pod.
 */
export const wireChecks = Effect.fnUntraced(function* (
  { credential, isKey, place }: Connection,
  timeoutMs: number,
  mcpKey?: string
) {
  // Only a key opens `/mcp`. A command that has none can make one for this check.
  const key = mcpKey === undefined ? (isKey ? credential : undefined) : { authorization: `Bearer ${mcpKey}` }
  const call = (method: string, path: string, headers: Readonly<Record<string, string>> = {}, body?: string) =>
    Effect.either(httpCall(place, { method, path, headers, body, timeoutMs }))
  const ready = yield* call("GET", "/readyz")
  if (Either.isLeft(ready)) return [failedCheck("pod", ready.left.message)]
  if (!isPod(ready.right)) return [failedCheck("pod", `the server at ${place.url} is not a pod`)]
  const outcomeOf = (answer: Either.Either<HttpAnswer, Error>) =>
    Either.isRight(answer) ? `answered ${answer.right.status}` : answer.left.message

  // These calls have a wrong key. So if such a call reaches the pod, the pod answers 401. Without a key, the pod would
  // treat a call over the local socket as a call of the operator.
  const wrongKey = { authorization: "Bearer not-a-key" }
  const large = JSON.stringify({ title: "x".repeat(bodyBytes) })
  const owner = ownerCheck(yield* call("GET", "/api/hub/setup/status"))
  const bearer = yield* call("GET", "/api/hub/users/me", wrongKey)
  const body = yield* call("POST", "/api/hub/entities", { ...json, ...wrongKey }, large)
  const header = yield* call("GET", "/api/hub/users/me", { ...wrongKey, "x-pod-doctor": "x".repeat(headerBytes) })
  const isRefusal = (answer: typeof body) =>
    Either.isRight(answer) && answer.right.status === 401 && isPod(answer.right)

  const keyText = mcpKey === undefined ? "this key" : "a key of its own"
  const mcp = Effect.gen(function* () {
    const accept = { ...json, accept: "application/json, text/event-stream" }
    const answer = yield* call("POST", "/mcp", { ...accept, ...key }, handshake)
    if (key !== undefined && Either.isRight(answer) && answer.right.status === 403) {
      return warningCheck("mcp", "not checked: this key may not use MCP (403)")
    }
    if (key !== undefined) {
      return Either.isRight(answer) && answer.right.status === 200 && answer.right.text.includes("serverInfo")
        ? okCheck("mcp", `the handshake with ${keyText} succeeds`)
        : failedCheck("mcp", `the handshake with ${keyText} ${outcomeOf(answer)}`)
    }
    return Either.isRight(answer) &&
      answer.right.status === 401 &&
      answer.right.headers["www-authenticate"] !== undefined
      ? okCheck("mcp", "/mcp asks for a key; with --mcp or POD_API_KEY, this command also makes the handshake")
      : failedCheck("mcp", `/mcp ${outcomeOf(answer)} without WWW-Authenticate`)
  })

  const stream = Effect.gen(function* () {
    if (owner?.state === "warning") return warningCheck("streams", "not checked: the pod has no owner yet")
    if (place.socketPath === undefined && Object.keys(credential).length === 0) {
      return warningCheck("streams", "not checked: sign in with pod login, or set POD_API_KEY")
    }
    const headers = { ...credential, accept: "text/event-stream" }
    const first = Effect.flatMap(
      openCall(place, { method: "GET", path: "/api/hub/events/stream", headers, timeoutMs }),
      (answer) =>
        Effect.async<number>((resume) => {
          answer.once("data", () => resume(Effect.succeed(answer.statusCode ?? 0)))
          answer.once("end", () => resume(Effect.succeed(answer.statusCode ?? 0)))
          answer.on("error", () => resume(Effect.succeed(0)))
          return Effect.sync(() => answer.destroy())
        }).pipe(Effect.ensuring(Effect.sync(() => answer.destroy())))
    )
    const firstEvent = yield* Effect.either(Effect.timeout(first, Math.min(streamWithinMs, timeoutMs)))
    if (Either.isLeft(firstEvent))
      return failedCheck("streams", "a proxy holds back event streams: turn off buffering in the proxy")
    return firstEvent.right === 200
      ? okCheck("streams", "events arrive at once")
      : warningCheck("streams", `not checked: this credential may not read events (${firstEvent.right})`)
  })

  const { headers, status } = ready.right
  return [
    status === 200
      ? okCheck("pod", `${place.url} is ready`)
      : failedCheck("pod", `${place.url} answered ${status} at /readyz`),
    databaseCheck(ready.right),
    ...(owner === undefined ? [] : [owner]),
    clockCheck(ready.right, Date.now()),
    headers["x-request-id"] === undefined
      ? warningCheck("headers", "X-Request-Id does not come through the proxy")
      : okCheck("headers", "X-Request-Id comes through"),
    Either.isRight(bearer) && podFields(bearer.right)?.["reason"] === "invalid_format"
      ? okCheck("authorization", "the header comes through")
      : failedCheck("authorization", "the Authorization header does not reach the pod"),
    isRefusal(body)
      ? okCheck("body size", "2 MB come through")
      : warningCheck(
          "body size",
          `a body of 2 MB does not reach the pod (${outcomeOf(body)}): raise the limit for bodies in the proxy`
        ),
    isRefusal(header)
      ? okCheck("header size", "8 kB come through")
      : warningCheck(
          "header size",
          `a header of 8 kB does not reach the pod (${outcomeOf(header)}): raise the limit for headers in the proxy`
        ),
    yield* mcp,
    yield* stream,
    ...(yield* proxyChecks(place, call))
  ]
})
