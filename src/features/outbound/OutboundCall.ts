/**
 * Calls a URL that a person chose. The pod resolves the host name only once and connects to the resolved IP address. So
 * it has no effect if the name gets another IP address after the check. The pod follows no redirect, and reads only the
 * beginning of the answer.
 */
import { Context, type Duration, Effect } from "effect"
import { type ClientRequest, request as plainRequest, type IncomingMessage, type RequestOptions } from "node:http"
import { request as secureRequest } from "node:https"
import { isIP } from "node:net"
import { outsideTransaction } from "../../platform/CommitHooks.ts"
import { hostOf } from "../workspaces/ProviderAddress.ts"
import { receiverRules } from "./ReceiverAddress.ts"

export interface ResolvedAddress {
  readonly address: string
  readonly family: number
}

/** The settings that decide to which IP addresses the pod is allowed to connect. */
export interface OutboundSettings {
  /** The IP addresses and ranges of the operator's own network to which the pod is allowed to connect. */
  readonly allowed: ReadonlyArray<string>
  /** Finds all IP addresses of a host name. */
  readonly resolve: (host: string) => Promise<ReadonlyArray<ResolvedAddress>>
}

/** The settings for the calls to model providers and to the services from which workspaces get data. */
export class Outbound extends Context.Tag("pod/Outbound")<Outbound, OutboundSettings>() {}

/** The answer of the called server, or the reason why there is no answer. */
export interface CallResult {
  readonly status: number | null
  /** The headers of the answer, without cookies. Null if there is no answer. */
  readonly headers: Readonly<Record<string, string>> | null
  readonly body: string | null
  readonly error: string | null
  readonly retryAfterSeconds: number | null
}

export interface OutboundRequest {
  readonly method: "GET" | "POST"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

const answerBytesMax = 16 * 1024

const failedCall = (error: string): CallResult => ({
  status: null,
  headers: null,
  body: null,
  error,
  retryAfterSeconds: null
})

// The maximum number of characters of all kept header names and values together. The pod leaves out further headers.
const headerCharactersMax = 4 * 1024

/**
 * Selects the headers of an answer that the pod keeps. Leaves out the cookies, because they are secrets of the called
 * server.
 */
const keptHeaders = (headers: IncomingMessage["headers"]): Readonly<Record<string, string>> => {
  const selectedHeaders: Record<string, string> = {}
  let characters = 0
  for (const [name, value] of Object.entries(headers)) {
    const text = Array.isArray(value) ? value.join(", ") : (value ?? "")
    characters += name.length + text.length
    if (characters > headerCharactersMax) break
    if (!/^set-cookie2?$/.test(name)) selectedHeaders[name] = text
  }
  return selectedHeaders
}

/**
 * Returns the pause in seconds that the called server requests with the header `Retry-After`. The header contains a
 * number of seconds or a date. Returns null if the server requests no pause.
 */
const retryAfterOf = (text: string | undefined, nowMs: number): number | null => {
  if (text === undefined) return null
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, (at - nowMs) / 1000)
}

/**
 * Begins a request to this IP address, which the pod has checked. The host name of the URL is not resolved again. So it
 * has no effect if the name gets another IP address after the check.
 */
export const requestTo = (url: URL, { address, family }: ResolvedAddress, options: RequestOptions): ClientRequest =>
  (url.protocol === "https:" ? secureRequest : plainRequest)(url, {
    ...options,
    agent: false,
    lookup: (_host, { all }, found) => {
      if (all === true) found(null, [{ address, family }])
      else found(null, address, family)
    }
  })

/** The part of an answer that the pod has read so far. */
interface PartialAnswer {
  answer: IncomingMessage | undefined
  readonly pieces: Array<Buffer>
}

const resultOf = ({ answer, pieces }: PartialAnswer): CallResult => {
  if (answer?.statusCode === undefined) return failedCall("The receiver did not answer in time.")
  const { headers, statusCode: status } = answer
  const isRedirect = status >= 300 && status < 400
  return {
    status,
    headers: keptHeaders(headers),
    // The database cannot store U+0000, so the code replaces it by U+FFFD.
    body: Buffer.concat(pieces).subarray(0, answerBytesMax).toString("utf8").replaceAll("\0", "\uFFFD"),
    error: isRedirect
      ? "The receiver answered with a redirect, and the pod does not follow redirects. Use the final address."
      : null,
    retryAfterSeconds: retryAfterOf(headers["retry-after"], Date.now())
  }
}

/**
 * Sends the request to this IP address. Completes when the answer ends, or when the pod has read the
 * maximum number of bytes.
 */
const exchange = (
  url: URL,
  address: ResolvedAddress,
  { body, headers, method }: OutboundRequest,
  partial: PartialAnswer
) =>
  Effect.async<CallResult>((resume) => {
    const outgoing = requestTo(url, address, { method, headers })
    const end = () => {
      resume(Effect.succeed(resultOf(partial)))
      outgoing.destroy()
    }
    let bytes = 0
    outgoing.on("response", (answer) => {
      partial.answer = answer
      answer.on("data", (piece: Buffer) => {
        partial.pieces.push(piece)
        bytes += piece.length
        if (bytes >= answerBytesMax) end()
      })
      answer.on("end", end)
      answer.on("close", end)
      answer.on("error", end)
    })
    outgoing.on("error", (error: NodeJS.ErrnoException) => {
      const code = error.code ?? "no code"
      resume(
        Effect.succeed(
          partial.answer === undefined ? failedCall(`The receiver cannot be reached (${code}).`) : resultOf(partial)
        )
      )
    })
    outgoing.end(body)
    return Effect.sync(() => void outgoing.destroy())
  })

/** The reason why the pod does not connect, as a sentence for the person who chose the URL. */
export interface NoAddress {
  readonly why: string
}

/**
 * Finds the IP address to which the pod connects. If any IP address of a host name is forbidden, the pod refuses the
 * whole name, because an ordinary host name never has both public and private IP addresses.
 */
export const addressFinder = ({ allowed, resolve }: OutboundSettings) => {
  const { mayConnect } = receiverRules(allowed)
  return (url: URL): Effect.Effect<ResolvedAddress, NoAddress> =>
    Effect.gen(function* () {
      const host = hostOf(url)
      const family = isIP(host)
      const addresses =
        family === 0
          ? yield* Effect.orElseSucceed(
              Effect.tryPromise(() => resolve(host)),
              (): ReadonlyArray<ResolvedAddress> => []
            )
          : [{ address: host, family }]
      const [address] = addresses
      if (address === undefined) return yield* Effect.fail({ why: "The host name in the address was not found." })
      if (!addresses.every((each) => mayConnect(each.address))) {
        return yield* Effect.fail({
          why: "The address of the receiver is private, local or reserved, so the pod does not call it."
        })
      }
      return address
    })
}

/** Makes the function that calls a URL. The function never fails. If the call fails, the result contains the error. */
export const outboundCalls = (settings: OutboundSettings) => {
  const addressOf = addressFinder(settings)
  return (request: OutboundRequest, timeout: Duration.DurationInput): Effect.Effect<CallResult> => {
    const heard: PartialAnswer = { answer: undefined, pieces: [] }
    return Effect.gen(function* () {
      const url = new URL(request.url)
      return yield* exchange(url, yield* addressOf(url), request, heard)
    }).pipe(
      Effect.catchAll(({ why }) => Effect.succeed(failedCall(why))),
      // The pod does not interrupt a running mutation. But this call must be interruptible inside a mutation too.
      // Otherwise the time limit could not end the call.
      Effect.interruptible,
      Effect.timeoutTo({
        duration: timeout,
        onSuccess: (result) => result,
        onTimeout: () => resultOf(heard)
      }),
      outsideTransaction
    )
  }
}
