/**
 * The one place where operations run. The steps are: find the caller of the credential, let the door decide, compute
 * which rows the call is allowed to touch, decode, run the handler, encode.
 */
import { Cause, Context, Effect, Either, type Exit, FiberId, Layer, Option, Runtime, Tracer } from "effect"
import { clientKey } from "../platform/SignInThrottle.ts"
import { collectedSpans } from "../platform/Spans.ts"
import { makeAttempts, credentialRevoked } from "./Attempts.ts"
import type { Call, Outcome, Progress, Surface } from "./Call.ts"
import { Catalog } from "./Catalog.ts"
import { type Failure, nameOfFailure, type TooMany } from "./Failure.ts"
import { Gatekeeper } from "./Gatekeeper.ts"
import { handlerFibers, isFinal } from "./Handling.ts"
import { lightRuntime } from "./LightRuntime.ts"
import type { Operation } from "./Operation.ts"
import type { PresentedCredential, Principal } from "./Principal.ts"
import type { Allowance } from "./RateLimit.ts"
import { type Client, noClient } from "./Reach.ts"
import { failureOfDefect } from "./Recovery.ts"
import { refusalRecorder } from "./RefusalEvents.ts"
import { Revocations } from "./Revocations.ts"

// the greatest age in milliseconds of a cached credential that no statement confirms
const unconfirmedMs = 1000
// After a revocation has ended a call, the pod looks the credential up again. It waits at most this long for the store.
const confirmMax = "1 second"

/** Encodes the answer of a handler and finds the cursor of the next page. Returns the error if encoding throws. */
const encodedBy = (operation: Operation, answer: unknown, mark: (() => string) | undefined) =>
  Either.try({
    try: () => operation.answerOf(answer, mark),
    catch: (thrown) => thrown
  })

export class Dispatch extends Context.Tag("pod/Dispatch")<
  Dispatch,
  {
    /**
     * Runs a call of an operation. Calls `done` exactly once, also after a cancel. Returns the function that cancels
     * the call.
     */
    readonly start: (operation: Operation, call: Call, done: (outcome: Outcome) => void) => () => void
    /** Finds the principal of a credential, for code that needs the principal before it knows the operation. */
    readonly identify: (
      surface: Surface,
      presented: PresentedCredential,
      requestId: string
    ) => Effect.Effect<Principal, Failure>
    /**
     * Returns the principal that `identify` would return, if the cache has this principal. Returns undefined if
     * `identify` would have to ask the store.
     */
    readonly recall: (surface: Surface, presented: PresentedCredential) => Principal | undefined
    /**
     * Counts calls that `start` does not count, such as a request to an unknown route or the messages of an MCP
     * request. The pod counts them for the credential. If there is no credential, it counts them for the address of the
     * client.
     */
    readonly countCalls: (
      principal: Principal | undefined,
      client: Client,
      calls?: number
    ) => Either.Either<Allowance, TooMany>
    /**
     * Returns true if the principal is allowed to call the operation. A call of the operation gets the same decision.
     */
    readonly admits: (principal: Principal, operation: Operation) => boolean
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const gatekeeper = yield* Gatekeeper
      const revocations = yield* Revocations
      const attempts = yield* makeAttempts
      const { admitKnown, concluded, countCall, identify, recall, recover, refusedSafely, runGuarded, runPublic } =
        attempts
      const runtime = yield* lightRuntime
      const runFork = Runtime.runFork(runtime)
      const handle = handlerFibers(runtime)
      const spans = yield* collectedSpans
      const recordRefusal = refusalRecorder(gatekeeper, yield* Catalog)

      return {
        recall: (surface, presented) => recall(surface, presented, unconfirmedMs),
        identify: (surface, presented, requestId) =>
          Effect.catchAllCause(identify(surface, presented, unconfirmedMs), (cause) =>
            Option.match(Cause.failureOption(cause), {
              onSome: Effect.fail,
              onNone: () => Effect.flatMap(failureOfDefect(cause, "identify", requestId), Effect.fail)
            })
          ),
        countCalls: (principal, { address }, calls = 1) => {
          const id = principal?.credential.id ?? `address ${clientKey(address)}`
          let counted = countCall(id, {})
          for (let call = 1; call < calls && Either.isRight(counted); call++) counted = countCall(id, {})
          return counted
        },
        admits: (principal, operation) =>
          Either.isRight(gatekeeper.admit(principal, operation, { operation: "", requestId: "", client: noClient })),
        start: (operation, call, done) => {
          const isQuery = operation.kind === "query"
          let cancel = () => {}
          let stopWatching = () => {}
          let isEnded = false
          let isCancelled = false
          const span = spans?.begin(operation.name, call.span)
          const interrupt = () => {
            isCancelled = true
            cancel()
          }
          const progress: Progress = {
            isReplay: false,
            ignored: [],
            identified: (principal) => {
              // A revocation does not interrupt a mutation, unless the operation can send frames (parts of its answer).
              // The handler of such an operation can wait for a model.
              if (!isQuery && operation.frames === undefined) return
              const { credential, holder, personId } = principal
              const ends = [...new Set([credential.id, holder.id, personId])].map((id) =>
                revocations.watch(id, () => {
                  isEnded = true
                  interrupt()
                })
              )
              stopWatching = () => ends.forEach((end) => end())
            }
          }
          const refusing = (effect: Effect.Effect<unknown, Failure>) =>
            effect.pipe(
              Effect.catchAll(attempts.withoutDatabase(operation, call, progress)),
              Effect.catchAll(recordRefusal(operation, call, progress))
            )
          const whole = () =>
            operation.door._tag === "Public"
              ? runPublic(operation, call, progress)
              : refusing(runGuarded(operation, call, progress, 1))
          const settle = (result: Outcome["result"]) => {
            if (span !== undefined) {
              const failed = Either.isLeft(result) ? { "error.type": nameOfFailure(result.left) } : {}
              spans?.end(span, { "pod.surface": call.surface, ...failed })
            }
            done({
              result,
              principal: progress.principal,
              allowance: progress.allowance,
              isReplay: progress.isReplay,
              nextCursor: progress.nextCursor,
              ignored: progress.ignored,
              proposalId: progress.proposalId
            })
          }
          const fork = <A, E>(effect: Effect.Effect<A, E>, ended: (exit: Exit.Exit<A, E>) => void) => {
            const fiber = runFork(span === undefined ? effect : Effect.provideService(effect, Tracer.ParentSpan, span))
            cancel = () => fiber.unsafeInterruptAsFork(FiberId.none)
            fiber.addObserver(ended)
          }
          const refuse = () => settle(Either.left(credentialRevoked(progress.principal)))
          // `run` does not interrupt a mutation. The statements of the mutation check for a revocation, and the result
          // of these statements is the answer. After an interruption, the caller could get 401 although the write is
          // stored.
          const run = (effect: Effect.Effect<unknown, Failure>, ended: () => void) =>
            fork(Effect.either(isQuery ? effect : Effect.uninterruptible(effect)), (exit) => {
              stopWatching()
              if (exit._tag === "Success") settle(exit.value)
              else if (isEnded) ended()
              else refuse()
            })
          const askAgain = () => {
            // The credential might be valid again, for example because a suspension has ended. If it is valid, the call
            // runs again. If the look-up fails or takes too long, the call is refused.
            const found = Effect.timeout(gatekeeper.lookUp(call.presented), confirmMax)
            fork(found, (exit) => {
              if (exit._tag === "Failure" || call.frames?.hasBegun() === true) return refuse()
              isEnded = false
              delete progress.principal
              run(whole(), refuse)
            })
          }
          /**
           * Runs the call of a caller whose principal is in the cache. If this fast path does not succeed at once, the
           * call takes the same path as every other call.
           */
          const runKnown = (principal: Principal) => {
            const attempt = { operation, call, progress, principal }
            const go = (ran: Effect.Effect<unknown, Failure>) =>
              run(
                refusing(
                  Effect.catchAllCause(refusedSafely(attempt, ran), (cause) =>
                    recover(cause, operation, call, progress, 1)
                  )
                ),
                askAgain
              )
            progress.principal = principal
            progress.identified(principal)
            const admitted = admitKnown(attempt)
            if (Either.isLeft(admitted)) return go(Effect.fail(admitted.left))
            const { authority } = admitted.right
            progress.authority = authority
            const conclude = (answered: Effect.Effect<unknown, Failure>) => go(concluded(attempt, authority, answered))
            const fiber = handle(attempt, admitted.right, span)
            cancel = () => fiber.unsafeInterruptAsFork(FiberId.none)
            fiber.addObserver((exit) => {
              if (exit._tag === "Failure") {
                if (Cause.isInterruptedOnly(exit.cause) || (isCancelled && isQuery)) {
                  stopWatching()
                  return isEnded ? askAgain() : refuse()
                }
                return conclude(
                  Effect.catchTag(Effect.failCause(exit.cause), "Proposed", ({ answer }) =>
                    Effect.sync((): unknown => {
                      progress.proposalId = answer.proposalId
                      return answer
                    })
                  )
                )
              }
              const encoded = encodedBy(operation, exit.value, progress.cursorMark)
              if (Either.isLeft(encoded)) return conclude(Effect.die(encoded.left))
              const { answer, next } = encoded.right
              if (!isFinal(authority)) {
                return conclude(
                  Effect.sync(() => {
                    progress.nextCursor = next
                    return answer
                  })
                )
              }
              stopWatching()
              progress.nextCursor = next
              settle(Either.right(answer))
            })
          }
          const isPlain = operation.door._tag !== "Public" && (isQuery || call.idempotent === undefined)
          const known = isPlain ? recall(call.surface, call.presented, Infinity) : undefined
          if (known === undefined) run(whole(), askAgain)
          else runKnown(known)
          return interrupt
        }
      }
    })
  )
}
