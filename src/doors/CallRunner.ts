/**
 * Runs one call from its start to its outcome. A revocation ends the call while it runs, and so does a client that
 * leaves.
 */
import { Cause, Effect, Either, type Exit, type Fiber, FiberId, Runtime, Tracer } from "effect"
import { collectedSpans } from "../platform/Spans.ts"
import { credentialRevoked, makeAttempts } from "./Attempts.ts"
import type { Attempt, Call, Outcome, Progress, RunningCall } from "./Call.ts"
import { Catalog } from "./Catalog.ts"
import { type Failure, nameOfFailure } from "./Failure.ts"
import { Gatekeeper } from "./Gatekeeper.ts"
import { handlerFibers, isFinal } from "./Handling.ts"
import { lightRuntime } from "./LightRuntime.ts"
import type { Operation } from "./Operation.ts"
import type { Principal } from "./Principal.ts"
import type { Proposed } from "./Proposed.ts"
import { runPublic } from "./PublicCall.ts"
import type { Authority } from "./Reach.ts"
import { refusalRecorder } from "./RefusalEvents.ts"
import { Revocations } from "./Revocations.ts"

// After a revocation has ended a call, the pod looks the credential up again. It waits at most this long for the store.
const confirmMax = "1 second"

/** What all calls of the pod share. */
const sharedByCalls = Effect.gen(function* () {
  const gatekeeper = yield* Gatekeeper
  const runtime = yield* lightRuntime
  return {
    attempts: yield* makeAttempts,
    gatekeeper,
    handle: handlerFibers(runtime),
    recordRefusal: refusalRecorder(gatekeeper, yield* Catalog),
    revocations: yield* Revocations,
    runFork: Runtime.runFork(runtime),
    spans: yield* collectedSpans
  }
})

/** Encodes the answer of a handler and finds the cursor of the next page. Returns the error if encoding throws. */
const encodedBy = (operation: Operation, answer: unknown, mark: (() => string) | undefined) =>
  Either.try({
    try: () => operation.answerOf(answer, mark),
    catch: (thrown) => thrown
  })

class CallRunner {
  readonly #shared: Effect.Effect.Success<typeof sharedByCalls>
  readonly #running: RunningCall
  readonly #done: (outcome: Outcome) => void
  readonly #span: Tracer.Span | undefined
  readonly #isQuery: boolean
  /** The fiber that runs now. */
  #fiber: Fiber.RuntimeFiber<unknown, unknown> | undefined
  /** The functions that end the watches for a revocation. */
  #watches: ReadonlyArray<() => void> = []
  /** True if a revocation has ended the call. */
  #isEnded = false
  #isCancelled = false

  constructor(
    shared: Effect.Effect.Success<typeof sharedByCalls>,
    operation: Operation,
    call: Call,
    done: (outcome: Outcome) => void
  ) {
    this.#shared = shared
    this.#done = done
    this.#span = shared.spans?.begin(operation.name, call.span)
    this.#isQuery = operation.kind === "query"
    const progress: Progress = { isReplay: false, ignored: [], identified: (principal) => this.#watch(principal) }
    this.#running = { operation, call, progress }
  }

  start(): void {
    const { call, operation } = this.#running
    const isPlain = operation.door._tag !== "Public" && (this.#isQuery || call.idempotent === undefined)
    const known = isPlain ? this.#shared.attempts.callers.recall(call.surface, call.presented, Infinity) : undefined
    if (known === undefined) this.#run(this.#whole(), () => this.#askAgain())
    else this.#runKnown(known)
  }

  cancel(): void {
    this.#isCancelled = true
    this.#fiber?.unsafeInterruptAsFork(FiberId.none)
  }

  /** The general path: the pod looks up the credential, lets the door decide, and runs the handler. */
  #whole(): Effect.Effect<unknown, Failure> {
    return this.#running.operation.door._tag === "Public"
      ? runPublic(this.#running)
      : this.#refusing(this.#shared.attempts.runGuarded(this.#running, 1))
  }

  /**
   * The fast path of a caller whose principal is in the cache. If this path does not succeed at once, the call takes
   * the general path.
   */
  #runKnown(principal: Principal): void {
    const { progress } = this.#running
    const attempt = { ...this.#running, principal }
    progress.principal = principal
    progress.identified(principal)
    const admitted = this.#shared.attempts.admitKnown(attempt)
    if (Either.isLeft(admitted)) return this.#recover(attempt, Effect.fail(admitted.left))
    const reach = admitted.right
    progress.authority = reach.authority
    this.#observe(this.#shared.handle(attempt, reach, this.#span), (exit) =>
      this.#answerKnown(attempt, reach.authority, exit)
    )
  }

  /** Answers the call of a known caller whose handler has ended. */
  #answerKnown(attempt: Attempt, authority: Authority, exit: Exit.Exit<unknown, Failure | Proposed>): void {
    const { operation, progress } = this.#running
    const conclude = (answered: Effect.Effect<unknown, Failure>) =>
      this.#recover(attempt, this.#shared.attempts.concluded(attempt, authority, answered))
    if (exit._tag === "Failure") {
      if (Cause.isInterruptedOnly(exit.cause) || (this.#isCancelled && this.#isQuery)) {
        this.#stopWatching()
        return this.#isEnded ? this.#askAgain() : this.#refuse()
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
    this.#stopWatching()
    progress.nextCursor = next
    this.#settle(Either.right(answer))
  }

  /** Ends the fast path with this result. If the result is a failure that the general path can avoid, takes that path. */
  #recover(attempt: Attempt, result: Effect.Effect<unknown, Failure>): void {
    const { recover, refusedSafely } = this.#shared.attempts
    const recovered = Effect.catchAllCause(refusedSafely(attempt, result), (cause) => recover(cause, this.#running, 1))
    this.#run(this.#refusing(recovered), () => this.#askAgain())
  }

  /** Completes and records a refusal, and answers without the database if the operation can. */
  #refusing(effect: Effect.Effect<unknown, Failure>): Effect.Effect<unknown, Failure> {
    return effect.pipe(
      Effect.catchAll(this.#shared.attempts.withoutDatabase(this.#running)),
      Effect.catchAll(this.#shared.recordRefusal(this.#running))
    )
  }

  /**
   * Runs the call in a fiber and settles its outcome. `#run` does not interrupt a mutation. The statements of the
   * mutation check for a revocation, and the result of these statements is the answer. After an interruption, the
   * caller could get 401 although the write is stored.
   */
  #run(effect: Effect.Effect<unknown, Failure>, ended: () => void): void {
    this.#fork(Effect.either(this.#isQuery ? effect : Effect.uninterruptible(effect)), (exit) => {
      this.#stopWatching()
      if (exit._tag === "Success") this.#settle(exit.value)
      else if (this.#isEnded) ended()
      else this.#refuse()
    })
  }

  /**
   * Looks the credential up after a revocation has ended the call. The credential might be valid again, for example
   * because a suspension has ended. If it is valid, the call runs again. If the look-up fails or takes too long, the
   * call is refused.
   */
  #askAgain(): void {
    const { call, progress } = this.#running
    this.#fork(Effect.timeout(this.#shared.gatekeeper.lookUp(call.presented), confirmMax), (exit) => {
      if (exit._tag === "Failure" || call.frames?.hasBegun() === true) return this.#refuse()
      this.#isEnded = false
      delete progress.principal
      this.#run(this.#whole(), () => this.#refuse())
    })
  }

  #fork<A, E>(effect: Effect.Effect<A, E>, ended: (exit: Exit.Exit<A, E>) => void): void {
    const span = this.#span
    const traced = span === undefined ? effect : Effect.provideService(effect, Tracer.ParentSpan, span)
    this.#observe(this.#shared.runFork(traced), ended)
  }

  #observe<A, E>(fiber: Fiber.RuntimeFiber<A, E>, ended: (exit: Exit.Exit<A, E>) => void): void {
    this.#fiber = fiber
    fiber.addObserver(ended)
  }

  /**
   * Watches for a revocation of the credential, its holder or its person. A revocation does not interrupt a mutation,
   * unless the operation can send frames (parts of its answer). The handler of such an operation can wait for a model.
   */
  #watch({ credential, holder, personId }: Principal): void {
    if (!this.#isQuery && this.#running.operation.frames === undefined) return
    this.#watches = [...new Set([credential.id, holder.id, personId])].map((id) =>
      this.#shared.revocations.watch(id, () => {
        this.#isEnded = true
        this.cancel()
      })
    )
  }

  #stopWatching(): void {
    for (const end of this.#watches) end()
  }

  #refuse(): void {
    this.#settle(Either.left(credentialRevoked(this.#running.progress.principal)))
  }

  #settle(result: Outcome["result"]): void {
    const { call, progress } = this.#running
    if (this.#span !== undefined) {
      const failed = Either.isLeft(result) ? { "error.type": nameOfFailure(result.left) } : {}
      this.#shared.spans?.end(this.#span, { "pod.surface": call.surface, ...failed })
    }
    this.#done({
      result,
      principal: progress.principal,
      allowance: progress.allowance,
      isReplay: progress.isReplay,
      nextCursor: progress.nextCursor,
      ignored: progress.ignored,
      proposalId: progress.proposalId
    })
  }
}

/**
 * Makes the function that starts a call. It calls `done` exactly once, also after a cancel, and returns the function
 * that cancels the call.
 */
export const makeCallRunner = Effect.map(
  sharedByCalls,
  (shared) => (operation: Operation, call: Call, done: (outcome: Outcome) => void) => {
    const runner = new CallRunner(shared, operation, call, done)
    runner.start()
    return () => runner.cancel()
  }
)
