/**
 * The MCP bridge, for clients that start a program instead of calling an address. It reads messages from stdin, sends
 * them to a pod over HTTP, and writes the answers to stdout. This file imports only Node modules, because the bundle
 * for Claude Desktop contains the bridge as one file.
 */
import { createInterface } from "node:readline"

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

const errorLine = (id: unknown, code: number, message: string): string =>
  JSON.stringify({ jsonrpc: "2.0", id: id ?? null, error: { code, message } })

/** Reads the messages in the body of an answer: one JSON message, or the data of server-sent events. */
const messagesOf = (mediaType: string, text: string): ReadonlyArray<string> => {
  if (!mediaType.includes("text/event-stream")) return text.trim() === "" ? [] : [text]
  return text
    .replaceAll("\r\n", "\n")
    .split("\n\n")
    .map((block) =>
      block
        .split("\n")
        .filter((line) => line.startsWith("data:"))
        .map((line) => line.slice(5).trimStart())
        .join("\n")
    )
    .filter((data) => data !== "")
}

const onOneLine = (text: string): string => JSON.stringify(JSON.parse(text))

const sentenceOf = (status: number, text: string): string => {
  try {
    const body: unknown = JSON.parse(text)
    if (isObject(body)) {
      const { error, error_description: description, message } = body
      const reason = [description, isObject(error) ? error["message"] : error, message].find(
        (one) => typeof one === "string"
      )
      if (typeof reason === "string") return reason
    }
  } catch {
    // The body is not JSON, for example because a proxy sent the answer.
  }
  return status === 401 ? "The pod does not accept the key." : `The pod answered ${status}.`
}

const versionKey = "io.modelcontextprotocol/protocolVersion"

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
    "mcp-protocol-version": version,
    "mcp-method": String(message["method"]),
    ...(typeof name === "string" ? { "mcp-name": name } : {})
  }
}

/** Runs the MCP bridge until stdin ends and every answer has been written. */
export const runBridge = async (options: BridgeOptions): Promise<void> => {
  const { hasStrictSchemas = false, input, key, note, url, write } = options
  const endpoint = `${url}/mcp${hasStrictSchemas ? "?schemas=strict" : ""}`
  let agreed: string | undefined
  const calls = new Map<unknown, AbortController>()

  const forward = async (message: Json): Promise<void> => {
    const { id, method } = message
    const isRequest = id !== undefined && typeof method === "string"
    if (method === "notifications/cancelled" && isObject(message["params"])) {
      calls.get(message["params"]["requestId"])?.abort()
    }
    const call = new AbortController()
    if (isRequest) calls.set(id, call)
    try {
      const answer = await fetch(endpoint, {
        method: "POST",
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...headersOf(message, agreed)
        },
        body: JSON.stringify(message),
        // with another value, a redirect could send the key to another server
        redirect: "error",
        signal: call.signal
      })
      const text = await answer.text()
      const messages = answer.ok ? messagesOf(answer.headers.get("content-type") ?? "", text) : []
      if (method === "initialize" && answer.ok) agreed = agreedVersion(messages[0]) ?? agreed
      for (const one of messages) write(onOneLine(one))
      if (answer.ok) return
      const sentence = sentenceOf(answer.status, text)
      note(sentence)
      if (isRequest) write(errorLine(id, serverError, sentence))
    } catch (cause) {
      // the client has cancelled the call, so it waits for no answer
      if (call.signal.aborted) return
      const sentence = `The pod at ${url} cannot be reached: ${reasonOf(cause)}.`
      note(sentence)
      if (isRequest) write(errorLine(id, serverError, sentence))
    } finally {
      if (isRequest) calls.delete(id)
    }
  }

  const pending = new Set<Promise<void>>()
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    if (line.trim() === "") continue
    let message: unknown
    try {
      message = JSON.parse(line)
    } catch {
      write(errorLine(null, parseError, "The line is not JSON."))
      continue
    }
    if (!isObject(message)) {
      write(errorLine(null, -32_600, "A message must be a JSON object."))
      continue
    }
    const work = forward(message)
    pending.add(work)
    void work.finally(() => pending.delete(work))
    // The answer to `initialize` names the protocol version for the later messages, so these messages wait for the
    // answer.
    if (message["method"] === "initialize") await work
  }
  await Promise.all(pending)
}

const agreedVersion = (text: string | undefined): string | undefined => {
  if (text === undefined) return undefined
  const message: unknown = JSON.parse(text)
  const result = isObject(message) ? message["result"] : undefined
  const version = isObject(result) ? result["protocolVersion"] : undefined
  return typeof version === "string" ? version : undefined
}

const reasonOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause)
  const inner = cause.cause
  return inner instanceof Error && "code" in inner ? String(inner.code) : cause.message
}
