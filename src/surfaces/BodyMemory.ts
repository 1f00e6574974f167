/**
 * Limits the memory that the bodies and the answers of all requests use together. The memory of a body is counted before
 * the pod reads it, and the memory of an answer before the pod sends it.
 */
import type { IncomingMessage } from "node:http"
import { Unavailable } from "../doors/Failure.ts"

// The pod counts this many bytes of memory for each byte of a body. A body exists several times: as bytes, as text, as
// a value, as a statement and in the driver.
const perByte = 6
// The pod counts this many bytes of memory for each value, in addition to the text of the value.
const perValue = 200
// An answer exists as text and as bytes until the client has read it.
const perAnswerByte = 2
// the maximum number of bytes of memory that the bodies and answers of all requests can use together
const totalBytesMax = 256 * 1024 * 1024
// A body of up to this many bytes counts as small. An ordinary call sends a small body.
const smallBytes = 64 * 1024
const leftForSmall = totalBytesMax / 4
// The maximum number of bytes of memory that the large answers of one person can use together. So a person who does not
// read answers leaves memory for others. One answer can be larger than this.
const answersOfPersonMax = totalBytesMax / 4

export const bodyMemoryBusy = new Unavailable({
  why: "The pod already reads as many large requests as it can. Try again shortly.",
  retryAfterSeconds: 1
})

export const answerMemoryBusy = new Unavailable({
  why: "The pod already sends as many large answers as it can, to you or to all callers. Read the answers that you have asked for, or ask for fewer records at once.",
  retryAfterSeconds: 1
})

/** The large answers of a request: their person, and the bytes of memory that they use. */
interface LargeAnswers {
  readonly personId: string
  readonly bytes: number
}

/**
 * Counts the memory of each request from its first byte until its answer is sent. A quarter of the memory is reserved
 * for small bodies and answers, so that a few large ones cannot block all other requests.
 */
export class BodyMemory {
  readonly #bytesByRequest = new Map<IncomingMessage, number>()
  readonly #answersByRequest = new Map<IncomingMessage, LargeAnswers>()
  readonly #answerBytesByPerson = new Map<string, number>()
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

  /**
   * Reserves memory for an answer, or for one of several answers of a batch. Returns false, and reserves nothing, if
   * there is not enough memory for all answers or for the answers of this person.
   */
  admitAnswer(request: IncomingMessage, personId: string, characters: number): boolean {
    const bytes = characters * perAnswerByte
    if (bytes <= smallBytes) return this.#take(request, bytes)
    const ofPerson = this.#answerBytesByPerson.get(personId) ?? 0
    if (ofPerson > 0 && ofPerson + bytes > answersOfPersonMax) return false
    if (!this.#take(request, bytes)) return false
    const ofRequest = this.#answersByRequest.get(request)?.bytes ?? 0
    this.#answersByRequest.set(request, { personId, bytes: ofRequest + bytes })
    this.#answerBytesByPerson.set(personId, ofPerson + bytes)
    return true
  }

  /** Releases the memory of a request. Call it when the answer is sent or the client has disconnected. */
  release(request: IncomingMessage): void {
    this.#total -= this.#bytesByRequest.get(request) ?? 0
    this.#bytesByRequest.delete(request)
    const answers = this.#answersByRequest.get(request)
    if (answers === undefined) return
    this.#answersByRequest.delete(request)
    const { bytes, personId } = answers
    const bytesLeft = (this.#answerBytesByPerson.get(personId) ?? 0) - bytes
    if (bytesLeft > 0) this.#answerBytesByPerson.set(personId, bytesLeft)
    else this.#answerBytesByPerson.delete(personId)
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
