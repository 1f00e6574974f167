/** The one place where an operation runs: credential → principal → door → reach → decode → handler → encode. */
import { Cause, Context, Effect, Either, type Exit, FiberId, Layer, identity, Option, Runtime, Tracer } from "effect"
import { runAfterCommit } from "./AfterCommit.ts"
import { acceptedCredentials, type Call, type Outcome, type Progress, type Surface } from "./Call.ts"
import { Catalog } from "./Catalog.ts"
import { clientKey } from "../platform/SignInThrottle.ts"
import { confirmBeforeRefusal, confirmCredential } from "./Confirmation.ts"
import type { Door } from "./Door.ts"
import { type Failure, Forbidden, nameOfFailure, type TooMany, Unauthorized } from "./Failure.ts"
import { Frames } from "./Frames.ts"
import { Gatekeeper } from "./Gatekeeper.ts"
import { answerNotKept, Fingerprints, Idempotency, idempotencyKey } from "./Idempotency.ts"
import type { Operation } from "./Operation.ts"
import { originOf, refusalRecorder } from "./RefusalEvents.ts"
import { Presented } from "./Presented.ts"
import type { PresentedCredential, Principal } from "./Principal.ts"
import { type Allowance, RateLimit, tooMany } from "./RateLimit.ts"
import { noCredential } from "./NoCredential.ts"
import { type Attempt, handlerFibers, isConcluded, readInput } from "./Handling.ts"
import { inputOf } from "./Input.ts"
import { lightRuntime } from "./LightRuntime.ts"
import { type Authority, type Client, noClient, publicReach, Reach, type ReachShape } from "./Reach.ts"
import { logInternalError, diagnose, refusedByDatabase, unavailable } from "./Recovery.ts"
import { Revocations } from "./Revocations.ts"
import { Database } from "../platform/Database.ts"
import { Payer } from "../platform/FairShare.ts"
import { elapsedMsBy } from "../platform/ElapsedTime.ts"
import { collectedSpans } from "../platform/Spans.ts"

const unconfirmedMs = 1000 // the largest age of a credential look-up, if no statement confirms the credential
const attemptsMax = 4 // a call runs at most this often; stale access and serialization failures cause another attempt
const confirmMost = "1 second" // the longest look at a credential whose call was ended

const revoked = (principal: Principal | undefined) =>
  new Unauthorized({
    reason: "key_revoked",
    why: "The credential stopped being valid while the call ran: it was revoked or signed out, or its holder was suspended.",
    ...(principal?.credential.kind === "key"
      ? { keyIdPrefix: principal.credential.id.slice(0, 8), keyId: principal.credential.id }
      : {})
  })

/** The answer of a handler as it is sent, and the cursor of the next page; or what encoding threw. */
const encodedBy = (operation: Operation, answer: unknown) =>
  Either.try({
    try: () => ({ next: operation.nextOf(answer), answer: operation.encode(answer) }),
    catch: (thrown) => thrown
  })

export class Dispatch extends Context.Tag("pod/Dispatch")<
  Dispatch,
  {
    /** Runs the operation. `done` is called exactly once, also after a cancel. Returns the cancelling function. */
    readonly start: (operation: Operation, call: Call, done: (outcome: Outcome) => void) => () => void
    /** Finds the principal of a credential, for surfaces that must know it before the operation. */
    readonly identify: (
      surface: Surface,
      presented: PresentedCredential,
      requestId: string
    ) => Effect.Effect<Principal, Failure>
    /** The answer of `identify` if it comes from the cache. Undefined if `identify` must ask the store. */
    readonly recall: (surface: Surface, presented: PresentedCredential) => Principal | undefined
    /** Counts a request to an unknown route, for its credential or else for the client's address. */
    readonly spend: (
      principal: Principal | undefined,
      client: Client,
      calls?: number
    ) => Effect.Effect<Allowance, TooMany>
    /** Whether the principal may call the operation. A real call makes the same decision. */
    readonly admits: (principal: Principal, operation: Operation) => boolean
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const gatekeeper = yield* Gatekeeper
      const catalog = yield* Catalog
      const limits = yield* RateLimit
      const revocations = yield* Revocations
      const idempotency = yield* Idempotency
      const fingerprints = yield* Fingerprints
      // The answer to a repeated request must be as certain as the first answer, which may not have been sent yet.
      const drained = Effect.orDie((yield* Database).drained)
      const clock = yield* Effect.clock
      const runtime = yield* lightRuntime
      const runFork = Runtime.runFork(runtime)
      const handle = handlerFibers(runtime)
      const spans = yield* collectedSpans
      const recordRefusal = refusalRecorder(gatekeeper, catalog)

      const identify = (surface: Surface, presented: PresentedCredential, withinMs?: number, door?: Door) =>
        acceptedCredentials[surface].includes(presented.kind)
          ? gatekeeper.identify(presented, withinMs)
          : Effect.fail(noCredential(surface, presented, door))

      const recall = (surface: Surface, presented: PresentedCredential, withinMs: number) =>
        acceptedCredentials[surface].includes(presented.kind) ? gatekeeper.recall(presented, withinMs) : undefined

      const countCall = Effect.fnUntraced(function* (credentialId: string, progress: Pick<Progress, "allowance">) {
        const allowance = limits.take(credentialId, elapsedMsBy(clock))
        progress.allowance = allowance
        if (allowance.isExceeded) return yield* tooMany(allowance)
        return allowance
      })

      const once = Effect.fnUntraced(function* (
        operation: Operation,
        { header, describe }: NonNullable<Call["idempotent"]>,
        raw: unknown,
        progress: Progress,
        principal: Principal,
        answered: Effect.Effect<unknown, Failure>
      ) {
        const print = fingerprints.of({ key: yield* idempotencyKey(header), ...describe(raw) })
        const kept = yield* idempotency
          .once(principal.credential.id, print, !operation.answersSecret, answered)
          .pipe(Effect.tapError((failure) => (failure === answerNotKept ? drained : Effect.void)))
        progress.isReplay = kept.isReplay
        if (kept.isReplay) yield* drained
        return kept.answer
      })

      /** Runs the call of a known principal. It passes the door, decodes, runs the handler and encodes. */
      const runIdentified = Effect.fnUntraced(function* (
        operation: Operation,
        call: Call,
        progress: Progress,
        principal: Principal
      ) {
        const reach = yield* gatekeeper.admit(principal, operation, originOf(operation, call, principal))
        progress.authority = reach.authority
        const attempt = { operation, call, progress, principal }
        const raw = yield* call.input
        const input = yield* readInput(attempt, raw)
        let next: string | undefined
        const answered = operation.run(input).pipe(
          Effect.map((answer) => {
            next = operation.nextOf(answer)
            return operation.encode(answer)
          }),
          Effect.catchTag("Proposed", ({ answer }) => Effect.succeed<unknown>(answer)),
          Effect.provideService(Reach, reach),
          Effect.provideService(Payer, principal.credential.id),
          call.frames === undefined ? identity : Effect.provideService(Frames, call.frames)
        )
        const kept =
          call.idempotent === undefined || operation.kind === "query"
            ? answered
            : once(operation, call.idempotent, raw, progress, principal, answered)
        const answer = yield* concluded(attempt, reach.authority, kept)
        progress.nextCursor = next
        return answer
      })

      /** What follows an answer: its credential is confirmed, and the work runs that waits for the commit. */
      const concluded = Effect.fnUntraced(function* (
        attempt: Attempt,
        authority: Authority,
        answered: Effect.Effect<unknown, Failure>
      ) {
        const answer = yield* answered
        yield* confirmCredential(gatekeeper, attempt)
        yield* runAfterCommit(authority)
        return answer
      })

      /** Runs a failed call again if that can help, or answers with the failure. Nothing is committed. */
      const recover = (
        cause: Cause.Cause<Failure>,
        operation: Operation,
        call: Call,
        progress: Progress,
        attempt: number
      ): Effect.Effect<unknown, Failure> => {
        const failure = Cause.failureOption(cause)
        if (Option.isSome(failure)) {
          // No statement confirmed the cached access of the person. The person may have got access a moment ago.
          return attempt === 1 && failure.value instanceof Forbidden && failure.value.canBeStale === true
            ? Effect.zipRight(gatekeeper.forget(call.presented), runGuarded(operation, call, progress, 2))
            : Effect.fail(failure.value)
        }
        if (Cause.isInterruptedOnly(cause)) return Effect.failCause(cause)
        const diagnosis = diagnose(cause)
        const isOnce = call.frames?.hasBegun() === true
        switch (diagnosis) {
          case "authorityLost":
          case "retry": {
            if (attempt === attemptsMax || isOnce) {
              return Effect.fail(diagnosis === "retry" ? unavailable : revoked(progress.principal))
            }
            // The next attempt asks the store whether the credential is dead or only its cached access was stale.
            const forgotten = diagnosis === "retry" ? Effect.void : gatekeeper.forget(call.presented)
            return Effect.zipRight(forgotten, runGuarded(operation, call, progress, attempt + 1))
          }
          case "unavailable":
            return Effect.flatMap(refusedByDatabase(cause), Effect.fail)
          case "broken":
            return Effect.flatMap(logInternalError(cause, operation.name, call.requestId), Effect.fail)
        }
      }

      const refusedSafely = (attempt: Attempt, run: Effect.Effect<unknown, Failure>) =>
        Effect.catchAll(run, confirmBeforeRefusal(gatekeeper, attempt))

      const runGuarded = (
        operation: Operation,
        call: Call,
        progress: Progress,
        attempt: number
      ): Effect.Effect<unknown, Failure> =>
        Effect.catchAllCause(
          Effect.flatMap(identify(call.surface, call.presented, undefined, operation.door), (principal) => {
            if (progress.principal === undefined) progress.identified(principal)
            progress.principal = principal
            progress.authority = undefined
            const run = refusedSafely(
              { operation, call, progress, principal },
              runIdentified(operation, call, progress, principal)
            )
            return progress.allowance === undefined && call.isContinuation !== true
              ? Effect.zipRight(countCall(principal.credential.id, progress), run)
              : run
          }),
          (cause) => recover(cause, operation, call, progress, attempt)
        )

      /** Counts the call of a remembered caller and decides about its door, as `runGuarded` does. */
      const admitKnown = ({ call, operation, principal, progress }: Attempt): Either.Either<ReachShape, Failure> => {
        if (call.isContinuation !== true) {
          const allowance = limits.take(principal.credential.id, elapsedMsBy(clock))
          progress.allowance = allowance
          if (allowance.isExceeded) return Either.left(tooMany(allowance))
        }
        return gatekeeper.admit(principal, operation, originOf(operation, call, principal))
      }

      /** Runs a call through a public door. It looks up no credential, and its reach contains no row. */
      const runPublic = (operation: Operation, call: Call, progress: Progress): Effect.Effect<unknown, Failure> =>
        call.input.pipe(
          Effect.flatMap((raw) => inputOf(operation, call, raw, progress)),
          Effect.flatMap((input) =>
            Effect.provideService(operation.run(input), Reach, publicReach(originOf(operation, call)))
          ),
          Effect.provideService(Presented, call.presented),
          Effect.map(operation.encode),
          Effect.catchTag("Proposed", Effect.die), // a public call has no user, so it cannot make a proposal
          Effect.catchAllDefect((defect) =>
            Effect.flatMap(
              diagnose(Cause.die(defect)) === "broken"
                ? logInternalError(Cause.die(defect), operation.name, call.requestId)
                : refusedByDatabase(Cause.die(defect)),
              Effect.fail
            )
          )
        )

      /**
       * Answers a call whose credential nobody can check, because the database does not answer, as through a public door. The
       * address counts instead of the credential.
       */
      const withoutDatabase =
        (operation: Operation, call: Call, progress: Progress) =>
        (failure: Failure): Effect.Effect<unknown, Failure> => {
          if (failure !== unavailable || operation.withoutDatabase === undefined) return Effect.fail(failure)
          const address = `address ${clientKey(call.client.address)}`
          return Effect.zipRight(countCall(address, progress), runPublic(operation, call, progress))
        }

      return {
        recall: (surface, presented) => recall(surface, presented, unconfirmedMs),
        identify: (surface, presented, requestId) =>
          Effect.catchAllCause(identify(surface, presented, unconfirmedMs), (cause) =>
            Option.match(Cause.failureOption(cause), {
              onSome: (failure) => Effect.fail<Failure>(failure),
              onNone: () =>
                Effect.flatMap(
                  diagnose(cause) === "broken"
                    ? logInternalError(cause, "identify", requestId)
                    : refusedByDatabase(cause),
                  (failure) => Effect.fail<Failure>(failure)
                )
            })
          ),
        spend: (principal, { address }, calls = 1) =>
          Effect.gen(function* () {
            const id = principal?.credential.id ?? `address ${clientKey(address)}`
            for (let call = 1; call < calls; call++) yield* countCall(id, {})
            return yield* countCall(id, {})
          }),
        admits: (principal, operation) =>
          Either.isRight(gatekeeper.admit(principal, operation, { operation: "", requestId: "", client: noClient })),
        start: (operation, call, done) => {
          const isQuery = operation.kind === "query"
          let cancel = () => {}
          let unwatch = () => {}
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
              // A change is not interrupted, except where its handler waits for a model and says so.
              if (!isQuery && operation.frames === undefined) return
              const { credential, holder, personId } = principal
              const ends = [...new Set([credential.id, holder.id, personId])].map((id) =>
                revocations.watch(id, () => {
                  isEnded = true
                  interrupt()
                })
              )
              unwatch = () => ends.forEach((end) => end())
            }
          }
          const refusing = (effect: Effect.Effect<unknown, Failure>) =>
            effect.pipe(
              Effect.catchAll(withoutDatabase(operation, call, progress)),
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
              ignored: progress.ignored
            })
          }
          const fork = <A, E>(effect: Effect.Effect<A, E>, ended: (exit: Exit.Exit<A, E>) => void) => {
            const fiber = runFork(span === undefined ? effect : Effect.provideService(effect, Tracer.ParentSpan, span))
            cancel = () => fiber.unsafeInterruptAsFork(FiberId.none)
            fiber.addObserver(ended)
          }
          const refuse = () => settle(Either.left(revoked(progress.principal)))
          // A mutation is never interrupted: its own statements check for a revocation, and their result is the answer.
          // An interrupted mutation could answer 401 for a write that is stored.
          const run = (effect: Effect.Effect<unknown, Failure>, ended: () => void) =>
            fork(Effect.either(isQuery ? effect : Effect.uninterruptible(effect)), (exit) => {
              unwatch()
              if (exit._tag === "Success") settle(exit.value)
              else if (isEnded) ended()
              else refuse()
            })
          const askAgain = () => {
            // The news of a revocation may be old, for example if the suspension has ended. If the credential is found valid
            // now, the call runs again; if nobody can say, it stays refused.
            const found = Effect.timeout(gatekeeper.lookUp(call.presented), confirmMost)
            fork(found, (exit) => {
              if (exit._tag === "Failure" || call.frames?.hasBegun() === true) return refuse()
              isEnded = false
              delete progress.principal
              run(whole(), refuse)
            })
          }
          /**
           * The call of a caller that is in the cache. If it does not succeed at once, it takes the same path as every
           * other call.
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
                  unwatch()
                  return isEnded ? askAgain() : refuse()
                }
                return conclude(
                  Effect.catchTag(Effect.failCause(exit.cause), "Proposed", ({ answer }) =>
                    Effect.succeed<unknown>(answer)
                  )
                )
              }
              const encoded = encodedBy(operation, exit.value)
              if (Either.isLeft(encoded)) return conclude(Effect.die(encoded.left))
              const { answer, next } = encoded.right
              if (!isConcluded(authority)) {
                return conclude(
                  Effect.sync(() => {
                    progress.nextCursor = next
                    return answer
                  })
                )
              }
              unwatch()
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
