/** Limits the memory that the bodies of all requests use together. Memory is counted before a request uses it. */
import type { IncomingMessage } from "node:http"
import { Unavailable } from "../doors/Failure.ts"

// The pod counts this many bytes of memory for each byte of a body. A body exists several times: as bytes, as text, as
// a value, as a statement and in the driver.
const perByte = 6
// The pod counts this many bytes of memory for each value, in addition to the text of the value.
const perValue = 200
// the maximum number of bytes of memory that the bodies of all requests can use together
const totalBytesMax = 256 * 1024 * 1024
// A body of up to this many bytes counts as small. An ordinary call sends a small body.
const smallBytes = 64 * 1024
const leftForSmall = totalBytesMax / 4

export const bodyMemoryBusy = new Unavailable({
  why: "The pod already reads as many large requests as it can. Try again shortly.",
  retryAfterSeconds: 1
})

/**
 * Counts the memory of each request from its first byte until its answer is sent. A quarter of the memory is reserved
 * for small bodies, so that a few large bodies cannot block all other requests.
 */
export class BodyMemory {
  readonly #bytesByRequest = new Map<IncomingMessage, number>()
  #total = 0

  /** Reserves memory for received bytes. Returns false, and reserves nothing, if there is not enough memory. */
  admitBytes(request: IncomingMessage, count: number): boolean {
    return this.#take(request, count * perByte)
  }

  /**
   * Reserves memory for the values of a body before the body is parsed. Returns false, and reserves nothing, if there
   * is not enough memory.
   */
  admitValues(request: IncomingMessage, count: number): boolean {
    return this.#take(request, count * perValue)
  }

  /** Releases the memory of a request. Call it when the answer is sent or the client has disconnected. */
  release(request: IncomingMessage): void {
    this.#total -= this.#bytesByRequest.get(request) ?? 0
    this.#bytesByRequest.delete(request)
  }

  #take(request: IncomingMessage, amount: number): boolean {
    const bytes = (this.#bytesByRequest.get(request) ?? 0) + amount
    // A request is always admitted if no other request uses memory. Otherwise a pod with a high limit for bodies could
    // not read a body of the allowed size.
    const isAlone =
      this.#bytesByRequest.size === 0 || (this.#bytesByRequest.size === 1 && this.#bytesByRequest.has(request))
    const limit = bytes <= smallBytes * perByte ? totalBytesMax : totalBytesMax - leftForSmall
    if (!isAlone && this.#total + amount > limit) return false
    this.#bytesByRequest.set(request, bytes)
    this.#total += amount
    return true
  }
}
