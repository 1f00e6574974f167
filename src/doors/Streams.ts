/**
 * Runs a streamed operation: it asks Dispatch for one batch after the other. So each batch gets all the access checks
 * of a call, and a caller who loses a right gets no further batch.
 */
import { Context, Effect, Either, Layer } from "effect"
import type { Batch } from "./Batch.ts"
import type { Call, Outcome } from "./Call.ts"
import { Dispatch } from "./Dispatch.ts"
import { type Failure, TooMany } from "./Failure.ts"
import type { Operation } from "./Operation.ts"
import { Revocations } from "./Revocations.ts"

/**
 * Why a stream ended, for the log. `left`: the reader closed the stream. `slow`: the reader did not read what was sent.
 * `stopped`: the pod stops, or the request was a HEAD request.
 */
export type StreamEnd = "left" | "slow" | "stopped" | `refused: ${Failure["_tag"]}`

/**
 * A call of a streamed operation. `inputAt` makes the input for a batch that begins at a position. Without a position,
 * it makes the input for the first batch, which begins where the caller wants.
 */
export interface StreamCall extends Omit<Call, "input" | "idempotent" | "isCounted"> {
  readonly inputAt: (position: string | undefined) => Call["input"]
}

/**
 * The functions with which a surface (REST or tRPC) handles a stream. After `ended`, none of these functions is called.
 */
export interface StreamReader {
  /** The pod calls this function if it does not open the stream. The outcome is the refusal. */
  readonly refused: (outcome: Outcome) => void
  /** The pod calls this function once when the stream is open, before it sends the first batch. */
  readonly opened: (outcome: Outcome, from: string) => void
  /**
   * Sends a batch. The function must call `onTaken` when the reader has received the batch. Until then, the pod reads
   * no further batch.
   */
  readonly send: (batch: Batch<unknown>, onTaken: () => void) => void
  /**
   * The pod calls this function when it ends the stream because it refuses a further batch. It refuses the batch if the
   * caller has lost a right, or if the pod cannot read that batch.
   */
  readonly ended: (reason: StreamEnd, refusal: Failure) => void
}

// the maximum number of open streams of one credential, so that several windows or workers can each open streams
const streamsMax = 50
// the maximum number of open streams of one person on a node, with the streams of all keys and agents of the person
const streamsOfPersonMax = 500
// milliseconds between a change and the next batch of a stream, so that many small writes are read together
const pauseMs = 50

export class Streams extends Context.Tag("pod/Streams")<
  Streams,
  {
    /**
     * Opens a stream. Returns a function that ends the stream. REST and tRPC call this function when the reader has
     * left.
     */
    readonly follow: (operation: Operation, call: StreamCall, reader: StreamReader) => () => void
    /** Returns how many streams of this person are open on this node. */
    readonly openOf: (personId: string) => number
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const dispatch = yield* Dispatch
      const revocations = yield* Revocations
      const counts = new Map<string, number>()
      const openOf = (id: string) => counts.get(id) ?? 0
      const add = (id: string, change: 1 | -1) => {
        const open = openOf(id) + change
        if (open === 0) counts.delete(id)
        else counts.set(id, open)
      }

      /**
       * Adds one open stream to the counts of the credential and of the person. Returns the function that removes the
       * stream from the counts. Returns undefined if the credential or the person has too many streams.
       */
      const counted = (credentialId: string, personId: string): (() => void) | undefined => {
        if (openOf(credentialId) >= streamsMax || openOf(personId) >= streamsOfPersonMax) return undefined
        add(credentialId, 1)
        add(personId, 1)
        return () => {
          add(credentialId, -1)
          add(personId, -1)
        }
      }

      return {
        openOf,
        follow: (operation, { inputAt, ...call }, reader) => {
          let hasEnded = false
          let isSending = false
          let turns = 0
          let position: string | undefined
          let cancelBatch = () => {}
          let cancelWait = () => {}
          const releases: Array<() => void> = []

          const close = () => {
            hasEnded = true
            cancelWait()
            cancelBatch()
            for (const release of releases.splice(0)) release()
          }
          const end = (refusal: Failure) => {
            close()
            reader.ended(`refused: ${refusal._tag}`, refusal)
          }

          const wait = ({ isMore, news }: Batch<unknown>) => {
            if (hasEnded) return
            if (isMore) return ask()
            cancelWait = news(() => {
              cancelWait()
              const timer = setTimeout(ask, pauseMs)
              cancelWait = () => clearTimeout(timer)
            })
          }

          /**
           * Opens the stream when its first batch has arrived. Returns false if the credential or its person has too many streams.
           */
          const open = (outcome: Outcome, from: string): boolean => {
            const { principal } = outcome
            if (principal !== undefined) {
              const { credential, holder, personId } = principal
              const release = counted(credential.id, personId)
              if (release === undefined) {
                reader.refused({ ...outcome, result: Either.left(tooManyStreams) })
                return false
              }
              releases.push(release)
              for (const id of new Set([credential.id, holder.id, personId])) {
                // After a revocation, the pod requests the next batch at once. This request fails if the caller has
                // lost access.
                releases.push(revocations.watch(id, askAgain))
              }
            }
            reader.opened(outcome, from)
            return true
          }

          const onOutcome = (outcome: Outcome) => {
            if (hasEnded) return
            const isOpening = position === undefined
            if (Either.isLeft(outcome.result)) {
              if (!isOpening) return end(outcome.result.left)
              close()
              return reader.refused(outcome)
            }
            // The operation is declared with `stream`, so its encoded answer is a batch.
            const batch = outcome.result.right as Batch<unknown>
            if (isSending) return
            if (isOpening && !open(outcome, batch.from)) return close()
            position = batch.position
            if (batch.items.length === 0) wait(batch)
            else {
              isSending = true
              reader.send(batch, () => {
                isSending = false
                wait(batch)
              })
            }
          }

          const ask = () => {
            if (hasEnded) return
            const turn = ++turns
            const batchCall = { ...call, input: inputAt(position), isCounted: position !== undefined }
            cancelBatch = dispatch.start(operation, batchCall, (outcome) => {
              if (turn === turns) onOutcome(outcome)
            })
          }

          const askAgain = () => {
            // from now on, this code ignores the outcome of the running request for a batch
            turns++
            cancelWait()
            cancelBatch()
            ask()
          }

          ask()
          return close
        }
      }
    })
  )
}

const tooManyStreams = new TooMany({
  why: `This credential already has ${streamsMax} open streams, or its person has ${streamsOfPersonMax}, and more are not allowed. Close one of them first.`,
  retryAfterSeconds: 60
})
