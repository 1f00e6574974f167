/** Calls the pod for the commands: over HTTP, over the socket of its data directory, or in this process. */
import { FileSystem } from "@effect/platform"
import { Context, Effect, Layer, Scope } from "effect"
import type { IncomingMessage } from "node:http"
import { bridgeMount, sessionMount } from "../doors/Mounts.ts"
import { CliFailure } from "./CliFailure.ts"
import { type Connection, connect } from "./Connection.ts"
import { Globals } from "./Globals.ts"
import { type HttpAnswer, httpCall, openCall } from "./HttpCall.ts"
import { refusalOf } from "./Refusals.ts"
import { fieldsOf, textOf } from "./AnswerFields.ts"
import { escapeInvisible } from "../shared/visibleText.ts"

export interface Answer {
  readonly status: number
  /** The JSON of the answer, or its text if it is not JSON. */
  readonly data: unknown
  readonly requestId: string | undefined
  /** The cursor of the next page; undefined at the end. */
  readonly next: string | undefined
}

export class PodClient extends Context.Tag("pod/cli/PodClient")<
  PodClient,
  {
    /**
     * Calls an endpoint that answers with JSON. `path` is the full path with its query. If the pod refuses the call,
     * the effect fails.
     */
    readonly request: (method: string, path: string, body?: unknown) => Effect.Effect<Answer, CliFailure>
    /** Calls any endpoint, also one whose answer is text instead of JSON. */
    readonly requestAny: (method: string, path: string, body?: unknown) => Effect.Effect<Answer, CliFailure>
    /** Calls an RPC procedure, at the path that accepts the credential of this command. */
    readonly procedure: (name: string, input?: unknown) => Effect.Effect<Answer, CliFailure>
    /** Opens an answer that has no end, such as a stream of events. */
    readonly open: (
      path: string,
      headers?: Readonly<Record<string, string>>
    ) => Effect.Effect<IncomingMessage, CliFailure>
    /** The connection to the pod. Fails if the pod cannot be reached. */
    readonly connection: Effect.Effect<Connection, CliFailure>
  }
>() {
  static readonly layer = Layer.scoped(
    this,
    Effect.gen(function* () {
      const globals = yield* Globals
      const scope = yield* Effect.scope
      // The connection is opened at the first call, so a command that calls nothing opens no connection.
      const files = yield* FileSystem.FileSystem
      const connection = yield* Scope.extend(connect(globals), scope).pipe(
        Effect.provideService(FileSystem.FileSystem, files),
        Effect.cached
      )

      const debug = (text: string) =>
        Effect.sync(() => (globals.debug ? void process.stderr.write(`${escapeInvisible(text)}\n`) : undefined))

      const requestAny = Effect.fnUntraced(function* (method: string, path: string, body?: unknown) {
        const { credential, place } = yield* connection
        const answer = yield* httpCall(place, {
          method,
          path,
          headers: {
            accept: "application/json",
            ...credential,
            ...(body === undefined ? {} : { "content-type": "application/json" })
          },
          body: body === undefined ? undefined : JSON.stringify(body),
          timeoutMs: globals.timeoutMs
        })
        yield* debug(`${method} ${path} → ${answer.status}`)
        const read = yield* readAnswer(answer)
        const proposed = fieldsOf(fieldsOf(fieldsOf(read.data)["result"])["data"] ?? read.data)
        if (globals.requireApplied && method !== "GET" && proposed["status"] === "proposed") {
          return yield* waiting(textOf(proposed["proposalId"]), read.requestId)
        }
        return read
      })

      const request = Effect.fnUntraced(function* (method: string, path: string, body?: unknown) {
        const answer = yield* requestAny(method, path, body)
        // The body of a pod's answer is an object, a list or an empty text. Any other body comes from a server that is
        // not a pod.
        if (typeof answer.data === "object" || answer.data === "") return answer
        const { place } = yield* connection
        return yield* noPod(place.url)
      })

      return {
        request,
        requestAny,
        procedure: Effect.fnUntraced(function* (name, input) {
          const { isKey } = yield* connection
          const answer = yield* request("POST", `${isKey ? bridgeMount : sessionMount}/${name}`, input ?? {})
          return { ...answer, data: fieldsOf(fieldsOf(answer.data)["result"])["data"] }
        }),
        open: Effect.fnUntraced(function* (path, headers) {
          const { credential, place } = yield* connection
          const incoming = yield* openCall(place, {
            method: "GET",
            path,
            headers: { ...credential, ...headers },
            timeoutMs: undefined
          })
          yield* debug(`GET ${path} → ${incoming.statusCode}`)
          return incoming
        }),
        connection
      }
    })
  )
}

/** Calls an RPC procedure over a connection, and returns its answer. */
export const procedureOver = (
  { credential, isKey, place }: Connection,
  name: string,
  timeoutMs: number
): Effect.Effect<unknown, CliFailure> =>
  Effect.gen(function* () {
    const answer = yield* httpCall(place, {
      method: "POST",
      path: `${isKey ? bridgeMount : sessionMount}/${name}`,
      headers: { accept: "application/json", "content-type": "application/json", ...credential },
      body: "{}",
      timeoutMs
    })
    const { data } = yield* readAnswer(answer)
    return typeof data === "object" ? fieldsOf(fieldsOf(data)["result"])["data"] : yield* noPod(place.url)
  })

/** Makes the failure of a call if the server that answered is not a pod. */
export const noPod = (url: string): CliFailure =>
  new CliFailure({
    exit: "unreachable",
    code: "NO_POD",
    message: `The server at ${url} is not a pod.`,
    hint: "Check the address in `--url`, in `POD_URL` or in the list of `pod profile list`."
  })

const waiting = (proposalId: string, requestId: string | undefined) =>
  new CliFailure({
    exit: "waiting",
    code: "PROPOSED",
    message: `The write waits for approval: proposal ${proposalId}.`,
    hint: `To see the proposal, run \`pod proposals show ${proposalId}\`.`,
    requestId
  })

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const headerOf = ({ headers }: HttpAnswer, name: string): string | undefined => {
  const value = headers[name]
  return typeof value === "string" ? value : undefined
}

const readAnswer = (answer: HttpAnswer): Effect.Effect<Answer, CliFailure> => {
  const data = parseJson(answer.text)
  return answer.status >= 200 && answer.status < 300
    ? Effect.succeed({
        status: answer.status,
        data,
        requestId: headerOf(answer, "x-request-id"),
        next: headerOf(answer, "x-svc-next-cursor")
      })
    : Effect.fail(refusalOf(answer, data))
}
