/** Calls a pod in another process. A call returns the answer, or rejects if no answer arrives. */
import { ownerEmail, ownerPassword } from "./builtPod.ts"
import { aMoment } from "./aMoment.ts"

export interface Reply {
  readonly status: number
  readonly headers: Headers
  // A test reads the expected values from an untyped answer, and asserts on them.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

export type RequestHeaders = Readonly<Record<string, string>>

const answerWithinMs = 60_000 // The longest time for an answer. After this time the test fails with the name of the request.

/** Sends one request. Rejects if the connection ends before the answer is complete. */
export const ask = async (
  baseUrl: string,
  method: string,
  path: string,
  headers: RequestHeaders = {},
  body?: unknown
): Promise<Reply> => {
  const response = await fetch(baseUrl + path, {
    method,
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    signal: AbortSignal.timeout(answerWithinMs)
  })
  const text = await response.text()
  const isJson = (response.headers.get("content-type") ?? "").includes("json")
  return { status: response.status, headers: response.headers, body: isJson && text !== "" ? JSON.parse(text) : text }
}

const expect200 = ({ body, status }: Reply, what: string): Reply["body"] => {
  if (status !== 200) throw new Error(`${what} answered ${status}: ${JSON.stringify(body)}`)
  return body
}

/** Signs the owner in. Returns the headers that send the session token. */
export const signInOwner = async (
  baseUrl: string
): Promise<RequestHeaders & { readonly "x-session-token": string }> => {
  const credentials = { email: ownerEmail, password: ownerPassword }
  const { token } = expect200(await ask(baseUrl, "POST", "/auth/sign-in", {}, credentials), "sign-in")
  return { "x-session-token": token as string }
}

export interface CreatedKey {
  readonly id: string
  readonly secret: string
  readonly headers: RequestHeaders
}

/** Creates a key of the person who is signed in. The key has full access unless `order` limits the access. */
export const createKey = async (
  baseUrl: string,
  session: RequestHeaders,
  order: Readonly<Record<string, unknown>> = {}
): Promise<CreatedKey> => {
  const wanted = {
    keyName: "key of a test",
    scope: ["hub-protocol.read", "hub-protocol.write", "mcp.read", "mcp.write"],
    grant: { permissions: ["*"] },
    ...order
  }
  const { result } = expect200(await ask(baseUrl, "POST", "/trpc/apiKeys.create", session, wanted), "apiKeys.create")
  const { id, key } = result.data as { readonly id: string; readonly key: string }
  return { id, secret: key, headers: { authorization: `Bearer ${key}` } }
}

export const revoke = (
  baseUrl: string,
  session: RequestHeaders,
  keyId: string,
  more: RequestHeaders = {}
): Promise<Reply> => ask(baseUrl, "POST", "/trpc/apiKeys.revoke", { ...session, ...more }, { keyId })

/** Creates a workspace that belongs to the caller. Returns its id. */
export const createWorkspace = async (baseUrl: string, headers: RequestHeaders, name: string): Promise<string> => {
  const order = { workspaceName: name }
  const path = "/api/hub/workspaces/from-definition"
  return expect200(await ask(baseUrl, "POST", path, headers, order), "workspace").workspaceId as string
}

/**
 * Calls four operations with a credential: two reads, one procedure and one write. Each of them uses the database.
 * Returns the HTTP statuses.
 */
export const tryCredential = (baseUrl: string, headers: RequestHeaders): Promise<ReadonlyArray<number>> =>
  Promise.all([
    ask(baseUrl, "GET", "/api/hub/users/me", headers),
    ask(baseUrl, "GET", "/api/hub/entities", headers),
    ask(baseUrl, "GET", "authorization" in headers ? "/api/hub/trpc/events.list" : "/trpc/apiKeys.list", headers),
    ask(baseUrl, "POST", "/api/hub/entities", headers, { title: "used", profileSlug: "note" })
  ]).then((replies) => replies.map(({ status }) => status))

/**
 * Calls two operations with a key. They read no row, so no SQL statement notices that the key is revoked. Returns the
 * HTTP statuses.
 */
const uneventfulUses = (baseUrl: string, headers: RequestHeaders): Promise<ReadonlyArray<number>> =>
  Promise.all([
    ask(baseUrl, "GET", "/api/hub/no-such-route", headers),
    ask(
      baseUrl,
      "POST",
      "/mcp",
      { ...headers, accept: "application/json, text/event-stream" },
      { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }
    )
  ]).then((replies) => replies.map(({ status }) => status))

/**
 * Repeats the calls of `uneventfulUses` until the pod refuses the key in all of them. Returns how long this took, in
 * milliseconds.
 */
export const refusedEverywhereInMs = async (baseUrl: string, headers: RequestHeaders): Promise<number> => {
  const began = performance.now()
  while ((await uneventfulUses(baseUrl, headers)).some((status) => status !== 401)) {
    if (performance.now() - began > answerWithinMs) throw new Error("a revoked key is not refused")
    await aMoment()
  }
  return performance.now() - began
}
