/**
 * How a call runs: the pod identifies the credential, the door admits the call, the handler runs, and the pod confirms
 * the credential. A failed run is repeated if that can help. `Dispatch` starts these runs and returns their outcome.
 */
import { Cause, Effect, Either, identity, Option } from "effect"
import { Database } from "../platform/Database.ts"
import { elapsedMsBy } from "../platform/ElapsedTime.ts"
import { Payer } from "../platform/FairShare.ts"
import { clientKey } from "../platform/SignInThrottle.ts"
import { runWorkBeforeAnswer } from "./BeforeAnswer.ts"
import { acceptedCredentials, type Call, type Progress, type Surface } from "./Call.ts"
import { confirmBeforeRefusal, confirmCredential } from "./Confirmation.ts"
import { acceptsIdempotencyKey } from "./Declaration.ts"
import type { Door } from "./Door.ts"
import { type Failure, Forbidden, type TooMany, Unauthorized, Unavailable } from "./Failure.ts"
import { Frames } from "./Frames.ts"
import { Gatekeeper } from "./Gatekeeper.ts"
import { type Attempt, readInput } from "./Handling.ts"
import { answerNotKept, Fingerprints, Idempotency, idempotencyKey, unrepeatable } from "./Idempotency.ts"
import { inputOf } from "./Input.ts"
import { noCredential } from "./NoCredential.ts"
import type { Operation } from "./Operation.ts"
import { Presented } from "./Presented.ts"
import type { PresentedCredential, Principal } from "./Principal.ts"
import { type Allowance, RateLimit, tooMany } from "./RateLimit.ts"
import { type Authority, publicReach, Reach, type ReachShape } from "./Reach.ts"
import { diagnose, failureOfDefect, unavailable } from "./Recovery.ts"
import { originOf } from "./RefusalEvents.ts"

// the maximum number of runs of one call; the pod repeats a run that used outdated access rights or ended with a
// serialization failure
const attemptsMax = 4

/** Returns the failure of a call whose credential became invalid while the call ran. */
export const credentialRevoked = (principal: Principal | undefined) =>
  new Unauthorized({
    reason: "key_revoked",
    why: "The credential stopped being valid while the call ran: it was revoked or signed out, or its holder was suspended. Use another credential.",
    ...(principal?.credential.kind === "key"
      ? { keyIdPrefix: principal.credential.id.slice(0, 8), keyId: principal.credential.id }
      : {})
  })

/** The failure of a call during which the access of its person changed again and again. */
const accessMoves = new Unavailable({
  why: "Your access rights changed several times while the call ran. Send the call again.",
  retryAfterSeconds: 1
})

/** Makes the functions that run calls. These functions share one set of services for the whole pod. */
export const makeAttempts = Effect.gen(function* () {
  const gatekeeper = yield* Gatekeeper
  const limits = yield* RateLimit
  const idempotency = yield* Idempotency
  const fingerprints = yield* Fingerprints
  // A repeated request can get the stored answer while the first request still waits for other transactions. So the
  // repeated request also waits until these transactions end.
  const drained = Effect.orDie((yield* Database).drained)
  const clock = yield* Effect.clock

  const identify = (surface: Surface, presented: PresentedCredential, withinMs?: number, door?: Door) =>
    acceptedCredentials[surface].includes(presented.kind)
      ? gatekeeper.identify(presented, withinMs)
      : Effect.fail(noCredential(surface, presented, door))

  const recall = (surface: Surface, presented: PresentedCredential, withinMs: number) =>
    acceptedCredentials[surface].includes(presented.kind) ? gatekeeper.recall(presented, withinMs) : undefined

  /** Counts a call against the rate limit of a credential or an address. Refuses the call if it exceeds the limit. */
  const countCall = (creditId: string, progress: Pick<Progress, "allowance">): Either.Either<Allowance, TooMany> => {
    const allowance = limits.take(creditId, elapsedMsBy(clock))
    progress.allowance = allowance
    return allowance.isExceeded ? Either.left(tooMany(allowance)) : Either.right(allowance)
  }

  const once = Effect.fnUntraced(function* (
    operation: Operation,
    { header, describe }: NonNullable<Call["idempotent"]>,
    raw: unknown,
    progress: Progress,
    principal: Principal,
    answerEffect: Effect.Effect<unknown, Failure>
  ) {
    const fingerprint = fingerprints.of({ key: yield* idempotencyKey(header), ...describe(raw) })
    const outcome = yield* idempotency
      .once(principal.credential.id, fingerprint, !operation.answersSecret, answerEffect)
      .pipe(Effect.tapError((failure) => (failure === answerNotKept ? drained : Effect.void)))
    progress.isReplay = outcome.isReplay
    if (outcome.isReplay) yield* drained
    return outcome.answer
  })

  /**
   * Runs the call of a known principal: the door decides whether to admit the call, the input is decoded, the handler
   * runs, and its answer is encoded.
   */
  const runIdentified = Effect.fnUntraced(function* (
    operation: Operation,
    call: Call,
    progress: Progress,
    principal: Principal
  ) {
    const reach = yield* gatekeeper.admit(principal, operation, originOf(operation, call, principal))
    progress.authority = reach.authority
    const attempt = { operation, call, progress, principal }
    // A query ignores the idempotency key. A stored answer could show what the caller may no longer read.
    const idempotent = operation.kind === "query" ? undefined : call.idempotent
    if (idempotent !== undefined && !acceptsIdempotencyKey(operation)) return yield* unrepeatable
    const raw = yield* call.input
    const input = yield* readInput(attempt, raw)
    let next: string | undefined
    let proposalId: string | undefined
    const answerEffect = operation.run(input).pipe(
      Effect.map((answer) => {
        const encoded = operation.answerOf(answer, progress.cursorMark)
        next = encoded.next
        return encoded.answer
      }),
      Effect.catchTag("Proposed", ({ answer }) =>
        Effect.sync((): unknown => {
          proposalId = answer.proposalId
          return answer
        })
      ),
      Effect.provideService(Reach, reach),
      Effect.provideService(Payer, principal.credential.id),
      call.frames === undefined ? identity : Effect.provideService(Frames, call.frames)
    )
    const answerOnce =
      idempotent === undefined ? answerEffect : once(operation, idempotent, raw, progress, principal, answerEffect)
    const answer = yield* concluded(attempt, reach.authority, answerOnce)
    progress.nextCursor = next
    progress.proposalId = proposalId
    return answer
  })

  /** Ends a call whose handler has answered: confirms the credential, and runs the work that waits for the commit. */
  const concluded = Effect.fnUntraced(function* (
    attempt: Attempt,
    authority: Authority,
    answerEffect: Effect.Effect<unknown, Failure>
  ) {
    const answer = yield* answerEffect
    yield* confirmCredential(gatekeeper, attempt)
    yield* runWorkBeforeAnswer(authority)
    return answer
  })

  /**
   * Fails a call that lost its authority too often. If the credential is still valid, only the access of its person
   * changed during each run. The caller then keeps the credential and can send the call again.
   */
  const lost = (operation: Operation, call: Call, progress: Progress): Effect.Effect<never, Failure> =>
    gatekeeper.forget(call.presented).pipe(
      Effect.zipRight(identify(call.surface, call.presented, undefined, operation.door)),
      Effect.catchTag("Unauthorized", () => Effect.fail(credentialRevoked(progress.principal))),
      Effect.zipRight(Effect.fail(accessMoves)),
      Effect.catchAllDefect(() => Effect.fail(unavailable))
    )

  /**
   * Decides what happens after a failed run. Runs the call again if another run can help. Otherwise the call fails.
   */
  const recover = (
    cause: Cause.Cause<Failure>,
    operation: Operation,
    call: Call,
    progress: Progress,
    attempt: number
  ): Effect.Effect<unknown, Failure> => {
    const failure = Cause.failureOption(cause)
    if (Option.isSome(failure)) {
      // The refusal is based on a cached copy of the person's access, which no statement has confirmed. The person
      // might have got access a moment ago, so the call runs again.
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
          return diagnosis === "retry" ? Effect.fail(unavailable) : lost(operation, call, progress)
        }
        // The next run asks the store whether the credential is dead, or whether only the cached access of the
        // credential was outdated.
        const forgotten = diagnosis === "retry" ? Effect.void : gatekeeper.forget(call.presented)
        return Effect.zipRight(forgotten, runGuarded(operation, call, progress, attempt + 1))
      }
      case "unavailable":
      case "broken":
        return Effect.flatMap(failureOfDefect(cause, operation.name, call.requestId), Effect.fail)
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
        return progress.allowance === undefined && call.isCounted !== true
          ? Effect.zipRight(countCall(principal.credential.id, progress), run)
          : run
      }),
      (cause) => recover(cause, operation, call, progress, attempt)
    )

  /**
   * Counts a call for the rate limit, and lets the door decide whether to admit the caller. Use this function only if
   * the principal of the caller is in the cache. `runGuarded` does the same for all other callers.
   */
  const admitKnown = ({ call, operation, principal, progress }: Attempt): Either.Either<ReachShape, Failure> => {
    if (call.isCounted !== true) {
      const counted = countCall(principal.credential.id, progress)
      if (Either.isLeft(counted)) return Either.left(counted.left)
    }
    return gatekeeper.admit(principal, operation, originOf(operation, call, principal))
  }

  /**
   * Runs a call through a public door. The function looks up no credential, and the call is not allowed to touch any
   * row.
   */
  const runPublic = (operation: Operation, call: Call, progress: Progress): Effect.Effect<unknown, Failure> =>
    call.input.pipe(
      Effect.flatMap((raw) => inputOf(operation, call, raw, progress)),
      Effect.flatMap((input) =>
        Effect.provideService(operation.run(input), Reach, publicReach(originOf(operation, call)))
      ),
      Effect.provideService(Presented, call.presented),
      Effect.map(operation.encode),
      // a public call has no user, so nobody could make a proposal
      Effect.catchTag("Proposed", Effect.die),
      Effect.catchAllDefect((defect) =>
        Effect.flatMap(failureOfDefect(Cause.die(defect), operation.name, call.requestId), Effect.fail)
      )
    )

  /**
   * If the database does not answer, nobody can check the credential. If the operation declares `withoutDatabase`, the
   * pod then runs the operation as if its door were public. The rate limit counts such a call for the address of the
   * client.
   */
  const withoutDatabase =
    (operation: Operation, call: Call, progress: Progress) =>
    (failure: Failure): Effect.Effect<unknown, Failure> => {
      if (failure !== unavailable || operation.withoutDatabase === undefined) return Effect.fail(failure)
      const address = `address ${clientKey(call.client.address)}`
      return Effect.zipRight(countCall(address, progress), runPublic(operation, call, progress))
    }

  return {
    admitKnown,
    concluded,
    countCall,
    identify,
    recall,
    recover,
    refusedSafely,
    runGuarded,
    runPublic,
    withoutDatabase
  }
})
