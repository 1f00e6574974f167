/**
 * The MCP bridge, for clients that start a program instead of calling an address. It reads messages from stdin, sends
 * them to a pod over HTTP, and writes the answers to stdout. This file imports only Node modules, because the bundle
 * for Claude Desktop contains the bridge as one file.
 */
export interface BridgeOptions {
  /** The address of the pod, without `/mcp`. */
  readonly url: string
  readonly key: string
  /** True if the tools have the strict schemas that the strict mode of OpenAI needs. */
  readonly hasStrictSchemas?: boolean
  readonly input: NodeJS.ReadableStream
  /** Writes one message as a line to the client. */
  readonly write: (line: string) => void
  /** Shows a note to the person. The note must not go to stdout, because stdout carries the messages. */
  readonly note: (text: string) => void
}

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

const serverError = -32_000
const parseError = -32_700

const errorLine = (id: unknown, error: { readonly code: unknown; readonly message: string }): string =>
  JSON.stringify({ jsonrpc: "2.0", id, error })

const isId = (id: unknown): boolean => typeof id === "string" || typeof id === "number"

const dataOf = (event: string): string =>
  event
    .split("\n")
    .filter((line) => line.startsWith("data:"))
    .map((line) => line.slice(5).trimStart())
    .join("\n")

/**
 * Reads the messages in the body of an answer: one JSON message, or the data of server-sent events. Each event is
 * returned when it arrives, because a report of progress must reach the client while its call runs.
 */
async function* messagesOf(answer: Response): AsyncGenerator<string> {
  if (answer.headers.get("content-type")?.includes("text/event-stream") !== true) {
    const text = await answer.text()
    if (text.trim() !== "") yield text
    return
  }
  const decoder = new TextDecoder()
  let rest = ""
  for await (const bytes of answer.body ?? []) {
    const events = (rest + decoder.decode(bytes, { stream: true })).replaceAll("\r\n", "\n").split("\n\n")
    rest = events.pop() ?? ""
    for (const event of events) {
      const data = dataOf(event)
      if (data !== "") yield data
    }
  }
}

/** Reads the lines of an input as bytes. The last line needs no line break. */
async function* linesOf(input: NodeJS.ReadableStream): AsyncGenerator<Buffer> {
  const parts: Array<Buffer> = []
  for await (const chunk of input) {
    const bytes = Buffer.from(chunk)
    let from = 0
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, from)) {
      yield Buffer.concat([...parts.splice(0), bytes.subarray(from, end)])
      from = end + 1
    }
    if (from < bytes.length) parts.push(bytes.subarray(from))
  }
  yield Buffer.concat(parts)
}

/** Returns the body of a refusal. Undefined if the body is not JSON, for example because a proxy sent the answer. */
const refusalIn = (text: string): Json | undefined => {
  try {
    const body: unknown = JSON.parse(text)
    return isObject(body) ? body : undefined
  } catch {
    return undefined
  }
}

/** Makes the JSON-RPC error of a refused HTTP request. A pod sends this error itself, so the client gets all of it. */
const errorOf = (status: number, text: string): { readonly code: unknown; readonly message: string } => {
  const body = refusalIn(text)
  const error = body?.["error"]
  if (isObject(error) && typeof error["message"] === "string") {
    return { code: serverError, ...error, message: error["message"] }
  }
  const reason = [body?.["error_description"], body?.["message"]].find((one) => typeof one === "string")
  const fallback = status === 401 ? "The pod does not accept the key." : `The pod answered ${status}.`
  return { code: serverError, message: typeof reason === "string" ? reason : fallback }
}

const versionKey = "io.modelcontextprotocol/protocolVersion"

// A header can have only these characters, and no space at its ends.
const headerText = /^[!-~](?:[ -~\t]*[!-~])?$/
const encodedText = /^=\?base64\?.*\?=$/

/** Writes a text as the value of a header, in the form of the protocol: in Base64 if a header cannot have the text. */
const headerOf = (text: string): string =>
  headerText.test(text) && !encodedText.test(text) ? text : `=?base64?${Buffer.from(text).toString("base64")}?=`

/**
 * Makes the MCP headers of a message. Newer versions of the protocol require headers with copies of some parts of the
 * message.
 */
const headersOf = (message: Json, agreed: string | undefined): Record<string, string> => {
  const params = isObject(message["params"]) ? message["params"] : {}
  const meta = isObject(params["_meta"]) ? params["_meta"] : {}
  const version = meta[versionKey]
  if (typeof version !== "string") return agreed === undefined ? {} : { "mcp-protocol-version": agreed }
  const name = params["name"] ?? params["uri"]
  return {
    "mcp-protocol-version": headerOf(version),
    "mcp-method": headerOf(String(message["method"])),
    ...(typeof name === "string" ? { "mcp-name": headerOf(name) } : {})
  }
}

/** Runs the MCP bridge until stdin ends and every answer has been written. */
export const runBridge = async (options: BridgeOptions): Promise<void> => {
  const { hasStrictSchemas = false, input, key, note, url, write } = options
  const endpoint = `${url}/mcp${hasStrictSchemas ? "?schemas=strict" : ""}`
  let agreed: string | undefined
  const calls = new Map<unknown, AbortController>()

  /** Sends a line to the pod. `messages` are the messages of the line: one, or those of a batch. */
  const forward = async (line: string, messages: ReadonlyArray<Json>, isBatch: boolean): Promise<void> => {
    const [first = {}] = messages
    const ids = messages.filter((one) => !("result" in one || "error" in one)).map(({ id }) => id)
    const waiting = new Set(ids.filter(isId))
    // An id that JSON-RPC does not allow, such as null, cannot be repeated in an answer.
    const hasOtherId = ids.some((id) => id !== undefined && !isId(id))
    const call = new AbortController()
    for (const { id, method, params } of messages) {
      if (method === "notifications/cancelled" && isObject(params)) calls.get(params["requestId"])?.abort()
      // If the client cancels a call of a batch, the other calls of the batch continue.
      if (waiting.has(id) && !isBatch) calls.set(id, call)
    }
    const fail = (error: ReturnType<typeof errorOf>) => {
      note(error.message)
      for (const id of waiting.size === 0 && (isBatch || hasOtherId) ? [null] : waiting) write(errorLine(id, error))
    }
    try {
      const answer = await fetch(endpoint, {
        method: "POST",
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...headersOf(first, agreed)
        },
        // The line is sent as it is. Written anew, a number such as 1e400 would become null.
        body: line,
        // with another value, a redirect could send the key to another server
        redirect: "error",
        signal: call.signal
      })
      if (!answer.ok) return fail(errorOf(answer.status, await answer.text()))
      for await (const text of messagesOf(answer)) {
        const message: unknown = JSON.parse(text)
        if (first["method"] === "initialize") agreed = agreedVersion(message) ?? agreed
        if (isObject(message) && message["method"] === undefined) waiting.delete(message["id"])
        write(JSON.stringify(message))
      }
      if (waiting.size > 0) fail({ code: serverError, message: `The pod at ${url} ended its answer too early.` })
    } catch (cause) {
      // the client has cancelled the call, so it waits for no answer
      if (call.signal.aborted) return
      fail({ code: serverError, message: `The pod at ${url} cannot be reached: ${reasonOf(cause)}.` })
    } finally {
      for (const id of ids) if (calls.get(id) === call) calls.delete(id)
    }
  }

  const pending = new Set<Promise<void>>()
  const decoder = new TextDecoder("utf-8", { fatal: true })
  for await (const bytes of linesOf(input)) {
    let line: string
    let value: unknown
    try {
      line = decoder.decode(bytes)
      if (line.trim() === "") continue
      value = JSON.parse(line)
    } catch {
      write(errorLine(null, { code: parseError, message: "The line is not JSON in UTF-8." }))
      continue
    }
    const messages = (Array.isArray(value) ? value : [value]).filter(isObject)
    if (messages.length === 0 && !(Array.isArray(value) && value.length > 0)) {
      const message = Array.isArray(value) ? "The batch is empty." : "A message must be a JSON object."
      write(errorLine(null, { code: -32_600, message }))
      continue
    }
    const work = forward(line, messages, Array.isArray(value))
    pending.add(work)
    void work.finally(() => pending.delete(work))
    // The answer to `initialize` names the protocol version for the later messages, so these messages wait for the
    // answer.
    if (messages.some(({ method }) => method === "initialize")) await work
  }
  await Promise.all(pending)
}

const agreedVersion = (message: unknown): string | undefined => {
  const result = isObject(message) ? message["result"] : undefined
  const version = isObject(result) ? result["protocolVersion"] : undefined
  return typeof version === "string" ? version : undefined
}

const reasonOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause)
  const inner = cause.cause
  return inner instanceof Error && "code" in inner ? String(inner.code) : cause.message
}
