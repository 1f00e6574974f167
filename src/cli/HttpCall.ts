/** One HTTP call to a pod, over TCP or over the socket of its data directory. */
import { Effect } from "effect"
import { type IncomingMessage, request as httpRequest } from "node:http"
import { request as httpsRequest } from "node:https"
import { systemCode } from "../platform/FileReasons.ts"
import { CliFailure } from "./CliFailure.ts"

/**
 * The place where a pod listens. If `socketPath` is set, calls go to this socket, and `url` only names the pod in
 * messages.
 */
export interface CallTarget {
  readonly url: string
  readonly socketPath?: string
  /** The name of the stored sign-in that gave the address. Undefined if the address comes from elsewhere. */
  readonly profile?: string
}

export interface HttpCall {
  readonly method: string
  /** The path of the request, with its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** If the pod sends nothing for this many milliseconds, the call fails. Undefined for an answer that has no end. */
  readonly timeoutMs: number | undefined
}

export interface HttpAnswer {
  readonly status: number
  readonly headers: IncomingMessage["headers"]
  readonly text: string
}

const podUnreachable = ({ profile, url }: CallTarget, why: string, systemCode?: string) =>
  new CliFailure({
    exit: "unreachable",
    code: "UNREACHABLE",
    message: `The pod at ${url} cannot be reached: ${why}.`,
    hint:
      profile === undefined
        ? "Start the pod with `npm start` or `pod start`, or give the address of another pod with `--url`."
        : `This is the address of the sign-in ${profile}. Start that pod, choose another sign-in with \`pod profile use\` or \`--profile\`, or name a pod on this machine with \`--data-dir\`.`,
    retryable: true,
    systemCode
  })

const callTimedOut = ({ url }: CallTarget, timeoutMs: number) =>
  new CliFailure({
    exit: "unreachable",
    code: "TIMEOUT",
    message: `The pod at ${url} has not answered for ${timeoutMs / 1000} s.`,
    hint: "Wait longer with `--timeout`, such as `--timeout 2m`.",
    retryable: true
  })

const reasonOf = (cause: NodeJS.ErrnoException): string => {
  switch (cause.code) {
    case "ECONNREFUSED":
      return "nothing listens there"
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return "its host name is unknown"
    default:
      return cause.code ?? cause.message
  }
}

/**
 * Sends the call and returns the answer as soon as its headers have arrived. If the effect is interrupted, the
 * connection closes.
 */
export const openCall = (place: CallTarget, call: HttpCall): Effect.Effect<IncomingMessage, CliFailure> =>
  Effect.async<IncomingMessage, CliFailure>((resume) => {
    const { body, headers, method, path, timeoutMs } = call
    const base = new URL(place.url)
    const send = base.protocol === "https:" && place.socketPath === undefined ? httpsRequest : httpRequest
    // The path is sent exactly as given. `new URL` would change dots and slashes in the path.
    const sent = send(
      {
        method,
        path: base.pathname.replace(/\/$/, "") + path,
        headers: {
          ...headers,
          ...(body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) })
        },
        ...(place.socketPath === undefined
          ? { hostname: base.hostname.replace(/^\[|\]$/g, ""), port: base.port === "" ? undefined : base.port }
          : { socketPath: place.socketPath }),
        ...(timeoutMs === undefined ? {} : { timeout: timeoutMs })
      },
      (answer) => resume(Effect.succeed(answer))
    )
    sent.once("timeout", () => {
      resume(Effect.fail(callTimedOut(place, timeoutMs ?? 0)))
      sent.destroy()
    })
    sent.on("error", (cause) => resume(Effect.fail(podUnreachable(place, reasonOf(cause), systemCode(cause)))))
    sent.end(body)
    return Effect.sync(() => sent.destroy())
  })

/** Sends the call and reads the whole answer. */
export const httpCall = (place: CallTarget, call: HttpCall): Effect.Effect<HttpAnswer, CliFailure> =>
  Effect.flatMap(openCall(place, call), (answer) =>
    Effect.async<HttpAnswer, CliFailure>((resume) => {
      const chunks: Array<Buffer> = []
      answer.on("data", (chunk: Buffer) => chunks.push(chunk))
      answer.once("end", () =>
        resume(
          Effect.succeed({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            text: Buffer.concat(chunks).toString("utf8")
          })
        )
      )
      answer.once("error", () => resume(Effect.fail(podUnreachable(place, "the server ended the connection"))))
      // The timeout of the request can also end the connection after the headers have arrived.
      answer.once("close", () => resume(Effect.fail(podUnreachable(place, "the server ended the connection"))))
      return Effect.sync(() => answer.destroy())
    })
  )
