/**
 * How a call runs: the pod identifies the credential, the door admits the call, the handler runs, and the pod confirms
 * the credential. A failed run is repeated if that can help. `CallRunner` starts these runs.
 */
import { Cause, Effect, Either, identity, Option } from "effect"
import { Payer } from "../platform/FairShare.ts"
import { runWorkBeforeAnswer } from "./BeforeAnswer.ts"
import type { Attempt, RunningCall } from "./Call.ts"
import { addressCredit, makeCallers } from "./Callers.ts"
import { confirmBeforeRefusal, confirmCredential } from "./Confirmation.ts"
import { acceptsIdempotencyKey } from "./Declaration.ts"
import { type Failure, Forbidden, Unauthorized, Unavailable } from "./Failure.ts"
import { Frames } from "./Frames.ts"
import { Gatekeeper } from "./Gatekeeper.ts"
import { readInput } from "./Handling.ts"
import { idempotencyKeyRefusal } from "./Idempotency.ts"
import type { Principal } from "./Principal.ts"
import { runPublic } from "./PublicCall.ts"
import { type Authority, Reach, type ReachShape } from "./Reach.ts"
import { diagnose, failureOfDefect, unavailable } from "./Recovery.ts"
import { originOf } from "./RefusalEvents.ts"
import { makeRepeatedRequests } from "./RepeatedRequests.ts"
import { makeTurns } from "./Turns.ts"

// the maximum number of runs of one call; the pod repeats a run that used outdated access rights or ended with a
// serialization failure
const runsMax = 4
// the longest wait of a call for other calls of its person, in milliseconds
const turnPatienceMs = 5_000

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
  const callers = yield* makeCallers
  const answerRepeated = yield* makeRepeatedRequests
  const inTurn = makeTurns(turnPatienceMs)

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
   * Runs the call of a known principal: the door decides whether to admit the call, the input is decoded, the handler
   * runs, and its answer is encoded.
   */
  const runIdentified = Effect.fnUntraced(function* (attempt: Attempt) {
    const { call, operation, principal, progress } = attempt
    const reach = yield* gatekeeper.admit(principal, operation, originOf(operation, call, principal))
    progress.authority = reach.authority
    // A query ignores the idempotency key. A stored answer could show what the caller may no longer read.
    const idempotent = operation.kind === "query" ? undefined : call.idempotent
    if (idempotent !== undefined && !acceptsIdempotencyKey(operation)) return yield* idempotencyKeyRefusal
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
      )
    )
    const answerOnce = (
      idempotent === undefined ? answerEffect : answerRepeated(attempt, idempotent, raw, answerEffect)
    ).pipe(
      Effect.provideService(Reach, reach),
      Effect.provideService(Payer, principal.credential.id),
      call.frames === undefined ? identity : Effect.provideService(Frames, call.frames)
    )
    const answer = yield* concluded(attempt, reach.authority, answerOnce)
    progress.nextCursor = next
    progress.proposalId = proposalId
    return answer
  })

  const identifyCaller = ({ call, operation }: RunningCall) =>
    callers.identify(call.surface, call.presented, undefined, operation.door)

  /**
   * Fails a call that lost its authority too often. If the credential is still valid, only the access of its person
   * changed during each run. The caller then keeps the credential and can send the call again.
   */
  const failLost = (running: RunningCall): Effect.Effect<never, Failure> =>
    gatekeeper.forget(running.call.presented).pipe(
      Effect.zipRight(identifyCaller(running)),
      Effect.catchTag("Unauthorized", () => Effect.fail(credentialRevoked(running.progress.principal))),
      Effect.zipRight(Effect.fail(accessMoves)),
      Effect.catchAllDefect(() => Effect.fail(unavailable))
    )

  /**
   * Runs a call again that has lost its authority. Some calls change the access of their own person, such as the
   * creation of a workspace. If a person makes many of them at the same moment, each one that succeeds outdates the
   * access of all others. So from the second run on, these calls of one person run one after the other.
   */
  const runWithFreshAccess = (running: RunningCall, runs: number): Effect.Effect<unknown, Failure> => {
    const { call, progress } = running
    const again = Effect.zipRight(
      gatekeeper.forget(call.presented),
      Effect.suspend(() => runGuarded(running, runs + 1))
    )
    return runs === 1 && progress.principal !== undefined ? inTurn(progress.principal.personId, again) : again
  }

  /**
   * Decides what happens after a failed run. Runs the call again if another run can help. Otherwise the call fails.
   * `runs` is the number of runs so far.
   */
  const recover = (
    cause: Cause.Cause<Failure>,
    running: RunningCall,
    runs: number
  ): Effect.Effect<unknown, Failure> => {
    const { call, operation } = running
    const failure = Cause.failureOption(cause)
    if (Option.isSome(failure)) {
      // The refusal is based on a cached copy of the person's access, which no statement has confirmed. The person
      // might have got access a moment ago, so the call runs again.
      return runs === 1 && failure.value instanceof Forbidden && failure.value.canBeStale === true
        ? Effect.zipRight(gatekeeper.forget(call.presented), runGuarded(running, 2))
        : Effect.fail(failure.value)
    }
    if (Cause.isInterruptedOnly(cause)) return Effect.failCause(cause)
    const isLast = runs === runsMax || call.frames?.hasBegun() === true
    switch (diagnose(cause)) {
      case "authorityLost":
        // The next run asks the store whether the credential is dead, or whether only the cached access of the
        // credential was outdated.
        return isLast ? failLost(running) : runWithFreshAccess(running, runs)
      case "retry":
        return isLast ? Effect.fail(unavailable) : runGuarded(running, runs + 1)
      case "unavailable":
      case "broken":
        return Effect.flatMap(failureOfDefect(cause, operation.name, call.requestId), Effect.fail)
    }
  }

  /** Confirms the credential of a call before the call is refused. */
  const refusedSafely = (attempt: Attempt, run: Effect.Effect<unknown, Failure>) =>
    Effect.catchAll(run, confirmBeforeRefusal(gatekeeper, attempt))

  /** Runs a call for the `runs`-th time: identifies its caller, counts it once, and recovers from a failed run. */
  const runGuarded = (running: RunningCall, runs: number): Effect.Effect<unknown, Failure> => {
    const { call, progress } = running
    return Effect.catchAllCause(
      Effect.flatMap(identifyCaller(running), (principal) => {
        if (progress.principal === undefined) progress.identified(principal)
        progress.principal = principal
        progress.authority = undefined
        const attempt = { ...running, principal }
        const run = refusedSafely(attempt, runIdentified(attempt))
        return progress.allowance === undefined && call.isCounted !== true
          ? Effect.zipRight(callers.countCall(principal.credential.id, progress), run)
          : run
      }),
      (cause) => recover(cause, running, runs)
    )
  }

  /**
   * Counts a call for the rate limit, and lets the door decide whether to admit the caller. Use this function only if
   * the principal of the caller is in the cache. `runGuarded` does the same for all other callers.
   */
  const admitKnown = ({ call, operation, principal, progress }: Attempt): Either.Either<ReachShape, Failure> => {
    if (call.isCounted !== true) {
      const counted = callers.countCall(principal.credential.id, progress)
      if (Either.isLeft(counted)) return Either.left(counted.left)
    }
    return gatekeeper.admit(principal, operation, originOf(operation, call, principal))
  }

  /**
   * If the database does not answer, nobody can check the credential. If the operation declares `withoutDatabase`, the
   * pod then runs the operation as if its door were public. The rate limit counts such a call for the address of the
   * client.
   */
  const withoutDatabase =
    (running: RunningCall) =>
    (failure: Failure): Effect.Effect<unknown, Failure> =>
      failure !== unavailable || running.operation.withoutDatabase === undefined
        ? Effect.fail(failure)
        : Effect.zipRight(callers.countCall(addressCredit(running.call.client), running.progress), runPublic(running))

  return { admitKnown, callers, concluded, recover, refusedSafely, runGuarded, withoutDatabase }
})
