/**
 * Loads recorded tRPC exchanges, which the tests replay. Gives the reason for each exchange that the tests do not
 * replay.
 */
import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** The parts of a recorded exchange that the replay compares. */
export interface WireCase {
  readonly group: string
  readonly name: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly sends?: string
  readonly status: number
  readonly contentType?: string
  readonly vary?: string
  readonly allow?: string
  readonly cacheControl?: string
  /** Parsed JSON, a list of parsed lines for JSON lines, or a list of events for a stream. Absent if there is no body. */
  readonly body?: unknown
}

interface Recorded {
  readonly group: string
  readonly name: string
  readonly request: {
    readonly method: string
    readonly path: string
    readonly headers: Readonly<Record<string, string>>
    readonly body?: string
  }
  readonly response: {
    readonly status: number
    readonly headers: Readonly<Record<string, string | undefined>>
    readonly body: string
  }
}

export const notReplayed: Readonly<Record<string, string>> = {
  "superjson: mutation with transformer": "the wire is plain JSON by decision, so that curl can call it",
  "superjson: error with transformer": "the wire is plain JSON by decision, so that curl can call it",
  "superjson: query with input": "the wire is plain JSON by decision, so that curl can call it",
  "jsonl: nested promise": "an outcome is one value; no procedure of ours answers with promises inside its data",
  "jsonl: async generator query": "an outcome is one value; no procedure of ours is a generator",
  "error: POST on a query (no method override)": "queries come by POST too, where an input is too long for an address",
  "batch: batching disabled": "batches are always taken, up to their limit",
  "single: OPTIONS": "preflights are answered by the CORS layer in front of this wire",
  "sse: untracked with ping (100 ms)": "its pings come by the clock; a test of the pod waits for them instead",
  "sse: connectionParams in query": "a credential in a URL lands in access logs; the pod refuses the request"
}

/**
 * Exchanges in which the error message of the pod differs from the recorded text, each with the reason. All other parts
 * of the answer must be equal.
 */
export const ownMessage: Readonly<Record<string, string>> = {
  "single: mutation with empty body": "validation texts belong to the schema library",
  "error: zod validation failure (message is the issues array as JSON text)":
    "validation texts belong to the schema library",
  "batch: mutations": "validation texts belong to the schema library",
  "error: bad JSON in ?input": "the recorded text is the JavaScript engine's and changes with its version",
  "error: bad JSON body": "the recorded text is the JavaScript engine's and changes with its version",
  "error: unhandled exception (message leaks, stack only when isDev)": "the recorded text leaks, ours is masked",
  "sse: input invalid": "validation texts belong to the schema library",
  "error: POST text/plain": "the recorded text lacks its closing quote"
}

export const titleOf = (one: { readonly group: string; readonly name: string }): string => `${one.group}: ${one.name}`

/** Returns the fields of each server-sent event in the body. The field `data` is parsed as JSON unless it is empty. */
const framesOf = (body: string): unknown =>
  body
    .split("\n\n\n")
    .slice(0, -1)
    .map((block) =>
      Object.fromEntries(
        block.split("\n").map((line) => {
          const [, name, value] = /^(\w+): (.*)$/.exec(line)!
          return [name, name === "data" && value !== "" ? JSON.parse(value) : value]
        })
      )
    )

export const parsedBody = (group: string, body: string): unknown => {
  if (body === "") return undefined
  if (group === "sse" && !body.startsWith("[")) return framesOf(body)
  if (group !== "jsonl") return JSON.parse(body)
  return body
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown)
}

export const toCase = ({ group, name, request, response }: Recorded): WireCase => {
  const { "cache-control": cacheControl, "content-type": contentType, vary, allow } = response.headers
  const body = parsedBody(group, response.body)
  return {
    group,
    name,
    method: request.method,
    path: request.path,
    headers: request.headers,
    ...(request.body === undefined ? {} : { sends: request.body }),
    status: response.status,
    ...(contentType === undefined ? {} : { contentType }),
    ...(vary === undefined ? {} : { vary }),
    ...(allow === undefined ? {} : { allow }),
    ...(cacheControl === undefined ? {} : { cacheControl }),
    ...(body === undefined ? {} : { body })
  }
}

const fixturePath = fileURLToPath(new URL("./fixtures/trpc.json", import.meta.url))
const recordingPath = fileURLToPath(new URL("../../../shared/reference/trpc-transcripts.json", import.meta.url))

export const wireCases = (): ReadonlyArray<WireCase> => JSON.parse(readFileSync(fixturePath, "utf8"))

/** Returns the recorded HTTP exchanges. Returns undefined if the recording is not in this clone of the repository. */
export const recordedExchanges = (): ReadonlyArray<Recorded> | undefined => {
  if (!existsSync(recordingPath)) return undefined
  const { transcripts } = JSON.parse(readFileSync(recordingPath, "utf8")) as {
    readonly transcripts: ReadonlyArray<Recorded | { readonly group: string; readonly wire: unknown }>
  }
  return transcripts.filter((one): one is Recorded => "response" in one)
}
