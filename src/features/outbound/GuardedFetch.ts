/**
 * A `fetch` for URLs that a person chose. The pod connects only to an IP address that it has checked, and it follows no
 * redirect.
 */
import { Effect } from "effect"
import { Readable } from "node:stream"
import { addressFinder, type OutboundSettings, requestTo, type ResolvedAddress } from "./OutboundCall.ts"

/** The request that the pod sends to a URL that a person chose. */
export interface GuardedRequest {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body?: string
  readonly signal: AbortSignal
}

export type GuardedFetch = (url: string, request: GuardedRequest) => Promise<Response>

const withoutBody: ReadonlySet<number> = new Set([204, 205, 304])

const send = (url: URL, address: ResolvedAddress, { body, headers, method, signal }: GuardedRequest) =>
  new Promise<Response>((resolve, reject) => {
    const outgoing = requestTo(url, address, { method, headers, signal })
    outgoing.on("error", reject)
    // The pod never requests a protocol upgrade, so it treats an upgrade as an error.
    outgoing.on("upgrade", (_answer, socket) => {
      socket.destroy()
      reject(new Error("The service asked to change to another protocol, which the pod does not support."))
    })
    outgoing.on("response", (answer) => {
      const status = answer.statusCode ?? 502
      // `Response` throws an exception for a status outside of 200 to 599. An exception in this listener would end the
      // process.
      if (status < 200 || status > 599) {
        answer.destroy()
        return reject(new Error(`The service answered with the status ${status}, which HTTP does not have.`))
      }
      const given = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)])
      if (withoutBody.has(status)) answer.resume()
      // The cast is right, because a web stream of Node is the same as the stream of the global `Response`. Only their
      // type declarations differ.
      const stream = withoutBody.has(status) ? null : (Readable.toWeb(answer) as unknown as ReadableStream<Uint8Array>)
      resolve(new Response(stream, { status, headers: given }))
    })
    outgoing.end(body)
  })

/**
 * Makes a guarded `fetch`. This `fetch` rejects its promise if the host name cannot be resolved, or if the pod is not
 * allowed to call the IP address.
 */
export const guardedFetch = (settings: OutboundSettings): GuardedFetch => {
  const addressOf = addressFinder(settings)
  return async (text, request) => {
    const url = new URL(text)
    const address = await Effect.runPromise(addressOf(url), { signal: request.signal })
    return send(url, address, request)
  }
}
