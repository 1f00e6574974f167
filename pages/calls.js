/** The request that each kind of operation is called with, from what its form holds. */
import { credential } from "./credential.js"

const base = new URL(".", document.baseURI).href.replace(/\/$/, "")
const json = ["Content-Type", "application/json"]

const isStreamed = ({ responses }) => responses["200"]?.content?.["text/event-stream"] !== undefined

/** `filled`: the parameters that have a value. `body`: the text of the body, undefined where there is none. */
const restCall = ({ method, operation, path }, filled, body) => {
  const from = (place) => filled.filter(({ parameter }) => parameter.in === place)
  const at = path.replaceAll(/\{(\w+)\}/g, (whole, name) => {
    const found = from("path").find(({ parameter }) => parameter.name === name)
    return found === undefined ? whole : encodeURIComponent(found.input.value)
  })
  const query = from("query").map(
    ({ parameter, input }) => `${encodeURIComponent(parameter.name)}=${encodeURIComponent(input.value)}`
  )
  return {
    method: method.toUpperCase(),
    url: `${base}${at}${query.length === 0 ? "" : `?${query.join("&")}`}`,
    headers: [
      ...(body === undefined ? [] : [json]),
      ...from("header").map(({ parameter, input }) => [parameter.name, input.value])
    ],
    body,
    isStream: isStreamed(operation)
  }
}

/** The same JSON without spaces; a text that is no JSON goes as it is, and the pod says what is wrong with it. */
const compact = (text) => {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return text
  }
}

/** Sign-ins call procedures at one address and keys at another. */
const procedureCall = ({ kind, name }, _filled, body, scheme) => {
  const url = `${base}${scheme === "session" ? "/trpc" : "/api/hub/trpc"}/${name}`
  if (kind === "mutation") return { method: "POST", url, headers: [json], body: body ?? "{}" }
  const asked = body === undefined ? undefined : compact(body)
  const query = asked === undefined || asked === "{}" ? "" : `?input=${encodeURIComponent(asked)}`
  return { method: "GET", url: `${url}${query}`, headers: [], body: undefined, isStream: kind === "subscription" }
}

const toolCall = ({ name }, _filled, body) => ({
  method: "POST",
  url: `${base}/mcp`,
  headers: [json, ["Accept", "application/json, text/event-stream"]],
  body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":${JSON.stringify(name)},"arguments":${compact(body ?? "{}")}}}`
})

/** How an entry is called, by its surface. */
export const callOf = { rest: restCall, procedure: procedureCall, tool: toolCall }

const authorization = (scheme, secret) =>
  scheme === "bearer" ? ["Authorization", `Bearer ${secret}`] : ["X-Session-Token", secret]

const quoted = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`

export const curlOf = (call, scheme) => {
  const options = `${call.isStream ? "-N " : ""}${call.method === "GET" ? "" : `-X ${call.method} `}`
  const lines = [`curl ${options}${quoted(call.url)}`]
  if (scheme !== undefined) {
    const [name, value] = authorization(scheme, scheme === "bearer" ? "$POD_KEY" : "$POD_TOKEN")
    lines.push(`-H "${name}: ${value}"`)
  }
  for (const [name, value] of call.headers) lines.push(`-H ${quoted(`${name}: ${value}`)}`)
  if (call.body !== undefined) lines.push(`-d ${quoted(call.body)}`)
  return lines.join(" \\\n  ")
}

const parsed = (text) => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The JSON of an answer; MCP wraps it as the data of an event. */
const answerIn = (text) => parsed(text) ?? parsed(/^data: (.*)$/m.exec(text)?.[1] ?? "")

const listenMs = 2_000 // a stream has no end: what comes in this time is shown

/** The text of an answer. A stream is left after a while. */
const textOf = async (response, { isStream }) => {
  if (!isStream) return response.text()
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  const leave = setTimeout(() => reader.cancel(), listenMs)
  let text = ""
  for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value
  clearTimeout(leave)
  return text
}

const shownHeaders = ["x-request-id", "retry-after", "ratelimit-remaining", "x-idempotent-replay"]

/** Headers can carry printable ASCII; anything else would make `fetch` throw before it sends. */
const isSendable = (secret) => /^[\x21-\x7e]*$/.test(secret)

/** Sends a call. Answers whether it went well, one line that says so, and the answer as text. */
export const perform = async (call, scheme) => {
  if (scheme !== undefined && !isSendable(credential.secret)) {
    return { isGood: false, verdict: "The key holds characters that no key has.", text: "" }
  }
  const headers = new Headers(call.headers)
  if (scheme !== undefined && credential.secret !== "") headers.set(...authorization(scheme, credential.secret))
  const startedMs = performance.now()
  try {
    const response = await fetch(call.url, {
      method: call.method,
      headers,
      body: call.body,
      credentials: "omit",
      cache: "no-store",
      redirect: "error"
    })
    const text = await textOf(response, call)
    const answer = call.isStream && response.ok ? undefined : answerIn(text)
    const told = shownHeaders.flatMap((name) =>
      response.headers.has(name) ? [`${name}: ${response.headers.get(name)}`] : []
    )
    // A tool or a subscription that is refused still answers 200.
    const isRefused =
      answer?.result?.isError === true ||
      (answer?.jsonrpc !== undefined && answer.error !== undefined) ||
      (call.isStream && text.includes("\nevent: serialized-error\n"))
    const status = `${response.status} ${response.statusText}`.trim()
    return {
      isGood: response.ok && !isRefused,
      verdict: `${status}${response.ok && isRefused ? ", refused" : ""} in ${Math.round(performance.now() - startedMs)} ms`,
      text: `${told.join("\n")}\n\n${answer === undefined ? text : JSON.stringify(answer, null, 2)}`
    }
  } catch (cause) {
    return { isGood: false, verdict: `Nothing came back: ${cause.message}`, text: "" }
  }
}
