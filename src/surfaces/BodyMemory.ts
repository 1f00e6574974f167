/** What the bodies of all requests together may take of the memory, counted before it is spent. */
import type { IncomingMessage } from "node:http"
import { Unavailable } from "../doors/Failure.ts"

const perByte = 6 // bytes of memory: the bytes, their text, the value, the statement and what the driver makes of it
const perValue = 200 // bytes of memory, for what stands around a value and beside it on its way
const most = 256 * 1024 * 1024 // bytes of memory
const smallBytes = 64 * 1024 // of a body: what every honest call needs
const leftForSmall = most / 4

export const busy = new Unavailable({
  why: "The pod is reading as many large requests as it can. Try again shortly.",
  retryAfterSeconds: 1
})

/**
 * Counts what each request takes from its first byte until its answer is gone. A quarter is left for small bodies, so that
 * large ones cannot keep everybody else out.
 */
export class BodyMemory {
  readonly #taken = new Map<IncomingMessage, number>()
  #total = 0

  /** Takes memory for bytes that came. False, and nothing taken, when there is none left. */
  admitBytes(request: IncomingMessage, count: number): boolean {
    return this.#take(request, count * perByte)
  }

  /** Takes memory for the values of a body that is about to be parsed. */
  admitValues(request: IncomingMessage, count: number): boolean {
    return this.#take(request, count * perValue)
  }

  /** Gives back what the request took, once its answer is gone, or its client. */
  release(request: IncomingMessage): void {
    this.#total -= this.#taken.get(request) ?? 0
    this.#taken.delete(request)
  }

  #take(request: IncomingMessage, amount: number): boolean {
    const taken = (this.#taken.get(request) ?? 0) + amount
    // One alone is always let in: a pod whose body limit was raised must be able to take such a body.
    const isAlone = this.#taken.size === 0 || (this.#taken.size === 1 && this.#taken.has(request))
    const limit = taken <= smallBytes * perByte ? most : most - leftForSmall
    if (!isAlone && this.#total + amount > limit) return false
    this.#taken.set(request, taken)
    this.#total += amount
    return true
  }
}
