/** Makes the request for a REST operation, a procedure or an MCP tool, sends it, and reads the answer. */
import { objectIdIn } from "../../api/objectId.ts"
import type { Attempt } from "../../api/refusal.ts"
import { podRoot } from "../../api/root.ts"
import type { Entry } from "../../api/reference.ts"

export interface Credential {
  readonly kind: "bearer" | "session"
  readonly secret: string
}

export interface FilledForm {
  readonly parameters: Readonly<Record<string, string>>
  readonly body: string | undefined
}

export interface Call {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

const json = { "content-type": "application/json" }

/**
 * Removes the spaces between the parts of a JSON text. Keeps a text that is not JSON unchanged, and the pod then
 * explains the mistake.
 */
const compact = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return text
  }
}

const restCall = ({ kind, parameters, title }: Entry, { body, parameters: given }: FilledForm): Call => {
  const path = title.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    (given[name] ?? "") === "" ? whole : encodeURIComponent(given[name] ?? "")
  )
  const url = new URL(path.slice(1), podRoot)
  const headers: Record<string, string> = body === undefined ? {} : { ...json }
  for (const { in: place, name } of parameters) {
    const value = given[name] ?? ""
    if (value === "") continue
    if (place === "query") url.searchParams.set(name, value)
    if (place === "header") headers[name] = value
  }
  return { method: kind.toUpperCase(), url: url.href, headers, body }
}

/** The call of a procedure. The path is below `trpc` for a session, and below `api/hub/trpc` for a key. */
const procedureCall = ({ kind, name }: Entry, { body }: FilledForm, credential: Credential): Call => {
  const url = new URL(`${credential.kind === "session" ? "trpc" : "api/hub/trpc"}/${name}`, podRoot)
  if (kind === "mutation") return { method: "POST", url: url.href, headers: json, body: body ?? "{}" }
  const input = body === undefined ? "{}" : compact(body)
  if (input !== "{}") url.searchParams.set("input", input)
  return { method: "GET", url: url.href, headers: {}, body: undefined }
}

const toolCall = ({ name }: Entry, { body }: FilledForm): Call => ({
  method: "POST",
  url: new URL("mcp", podRoot).href,
  headers: { ...json, accept: "application/json, text/event-stream" },
  body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":${JSON.stringify(name)},"arguments":${compact(body ?? "{}")}}}`
})

export const callOf = (entry: Entry, filled: FilledForm, credential: Credential): Call =>
  entry.surface === "rest"
    ? restCall(entry, filled)
    : entry.surface === "tool"
      ? toolCall(entry, filled)
      : procedureCall(entry, filled, credential)

/**
 * Returns the operation of a call and the id of its object. With these, the page can ask the pod "Can this key do it?".
 */
export const attemptOfCall = ({ name, surface }: Entry, { body, method, url }: Call): Attempt =>
  surface === "rest"
    ? { operation: `${method} ${new URL(url).pathname.slice(new URL(podRoot).pathname.length - 1)}` }
    : {
        operation: name,
        objectId: objectIdIn(
          parseJson(
            surface === "tool"
              ? (/"arguments":(.*)\}\}$/.exec(body ?? "")?.[1] ?? "")
              : (body ?? new URL(url).searchParams.get("input") ?? "")
          )
        )
      }

const headerOf = ({ kind, secret }: Credential): Record<string, string> =>
  secret === "" ? {} : kind === "bearer" ? { authorization: `Bearer ${secret}` } : { "x-session-token": secret }

const quoteForShell = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

/**
 * Writes a call as a curl command. The command reads the credential from a shell variable, so the history of the shell
 * does not contain it.
 */
export const curlOf = (call: Call, { kind }: Credential, takesCredential: boolean): string =>
  [
    `curl ${call.method === "GET" ? "" : `-X ${call.method} `}${quoteForShell(call.url)}`,
    ...(takesCredential
      ? [`-H "${kind === "bearer" ? "Authorization: Bearer $POD_API_KEY" : "X-Session-Token: $POD_TOKEN"}"`]
      : []),
    ...Object.entries(call.headers).map(([name, value]) => `-H ${quoteForShell(`${name}: ${value}`)}`),
    ...(call.body === undefined ? [] : [`-d ${quoteForShell(call.body)}`])
  ].join(" \\\n  ")

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

// The page shows what arrives within this many milliseconds, because a stream has no end.
const listenMs = 2_000

/** The text of an answer. The text of a stream is only what arrives within `listenMs`. */
const textOf = async (response: Response, isStream: boolean): Promise<string> => {
  if (!isStream || response.body === null) return response.text()
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  const leave = setTimeout(() => void reader.cancel(), listenMs)
  let text = ""
  for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value
  clearTimeout(leave)
  return text
}

const isRefusal = (answer: unknown): boolean => {
  if (typeof answer !== "object" || answer === null) return false
  const fields: Readonly<Record<string, unknown>> = { ...answer }
  const { error, jsonrpc, result } = fields
  const isError = typeof result === "object" && result !== null && "isError" in result && result.isError === true
  return isError || (jsonrpc !== undefined && error !== undefined)
}

export interface Outcome {
  readonly isGood: boolean
  /** True if the pod refused the caller. False if it refused the input of the call, or if the call succeeded. */
  readonly isForbidden: boolean
  /** One line that says how the call ended. */
  readonly verdict: string
  readonly text: string
}

/** Sends a call with the credential. Never throws. If the call fails, the outcome says so. */
export const perform = async (call: Call, credential: Credential, isStream: boolean): Promise<Outcome> => {
  if (!/^[\x21-\x7e]*$/.test(credential.secret)) {
    return {
      isGood: false,
      isForbidden: false,
      verdict: "This is no key, because it contains characters that no key has.",
      text: ""
    }
  }
  const startedMs = performance.now()
  try {
    const response = await fetch(call.url, {
      method: call.method,
      headers: { ...call.headers, ...headerOf(credential) },
      ...(call.body === undefined ? {} : { body: call.body }),
      credentials: "omit",
      cache: "no-store",
      redirect: "error"
    })
    const text = await textOf(response, isStream)
    // The JSON of an MCP answer can be in the `data:` line of a server-sent event, so both places are tried.
    const answer = isStream ? undefined : (parseJson(text) ?? parseJson(/^data: (.*)$/m.exec(text)?.[1] ?? ""))
    const isRefused = isRefusal(answer)
    const requestId = response.headers.get("x-request-id")
    return {
      isGood: response.ok && !isRefused,
      isForbidden: response.status === 403 || (response.ok && isRefused),
      verdict: [
        `${response.status}${response.ok && isRefused ? ", refused" : ""} in ${Math.round(performance.now() - startedMs)} ms`,
        ...(requestId === null ? [] : [`request ${requestId}`])
      ].join(", "),
      text: answer === undefined ? text : JSON.stringify(answer, undefined, 2)
    }
  } catch (cause) {
    const verdict = `Nothing came back: ${cause instanceof Error ? cause.message : ""}`
    return { isGood: false, isForbidden: false, verdict, text: "" }
  }
}
