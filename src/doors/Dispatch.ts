/** The one place where an operation runs: credential → principal → door → reach → decode → handler → encode. */
import { Cause, Clock, Context, Effect, Either, FiberId, Layer, Option, Runtime } from "effect"
import { settleAfterwards } from "./Afterwards.ts"
import { type Call, type Outcome, type Progress, type Surface, taken } from "./Call.ts"
import { Catalog } from "./Catalog.ts"
import { clientKey } from "../platform/SignInThrottle.ts"
import { confirmed, confirmedRefusal } from "./Confirmation.ts"
import type { Door } from "./Door.ts"
import { type Failure, Forbidden, type TooMany, Unauthorized } from "./Failure.ts"
import { Gatekeeper } from "./Gatekeeper.ts"
import { answerNotKept, fingerprint, Idempotency, idempotencyKey } from "./Idempotency.ts"
import type { Operation } from "./Operation.ts"
import { unsupportedCode, withOpenDoors } from "./OpenTo.ts"
import type { Presented, Principal } from "./Principal.ts"
import { type Allowance, RateLimit, tooMany } from "./RateLimit.ts"
import { noCredential } from "./NoCredential.ts"
import { namesCaller } from "./Identity.ts"
import { inputOf } from "./Input.ts"
import { lightRuntime } from "./LightRuntime.ts"
import { type Client, noClient, nobody, type Origin, Reach } from "./Reach.ts"
import { broken, diagnose, unavailable } from "./Recovery.ts"
import { Revocations } from "./Revocations.ts"
import { Database } from "../platform/Database.ts"

const unconfirmedMs = 1000 // an answer that no statement confirms rests on a look-up no older than this
const attemptsMost = 4 // stale access and serialization failures are tried again, together this often

const revoked = (principal: Principal | undefined) =>
  new Unauthorized({
    reason: "key_revoked",
    why: "The credential is no longer valid: it was ended, or whoever holds it was suspended, while the call ran.",
    ...(principal?.credential.kind === "key" ? { keyIdPrefix: principal.credential.id.slice(0, 8) } : {})
  })

const originOf = (operation: Operation, call: Call): Origin => ({
  operation: operation.name,
  requestId: call.requestId,
  client: call.client
})

export class Dispatch extends Context.Tag("pod/Dispatch")<
  Dispatch,
  {
    /** Runs the operation; `done` is called exactly once, also after a cancel. Answers the cancel. */
    readonly start: (operation: Operation, call: Call, done: (outcome: Outcome) => void) => () => void
    /** The principal behind a credential on a surface, for what must know before it names an operation. */
    readonly identify: (surface: Surface, presented: Presented, requestId: string) => Effect.Effect<Principal, Failure>
    /**
     * Counts what a caller asks and no operation answers, such as a route that there is not: by the credential, or by the
     * address of who shows none.
     */
    readonly spend: (
      principal: Principal | undefined,
      client: Client,
      calls?: number
    ) => Effect.Effect<Allowance, TooMany>
    /** Whether the door would let the principal in: the decision a call meets. */
    readonly admits: (principal: Principal, door: Door) => boolean
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
      // A repetition claims what the first answer claims, and may come before the first one was given.
      const settled = Effect.orDie((yield* Database).drained)
      const runFork = Runtime.runFork(yield* lightRuntime)

      const identify = (surface: Surface, presented: Presented, withinMs?: number, door?: Door) =>
        taken[surface].includes(presented.kind)
          ? gatekeeper.identify(presented, withinMs)
          : Effect.fail(noCredential(surface, presented, door))

      const counted = Effect.fnUntraced(function* (credentialId: string, progress: Pick<Progress, "allowance">) {
        const allowance = limits.take(credentialId, yield* Clock.currentTimeMillis)
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
        const print = fingerprint({ key: yield* idempotencyKey(header), ...describe(raw) })
        const kept = yield* idempotency
          .once(principal.credential.id, print, !operation.answersSecret, answered)
          .pipe(Effect.tapError((failure) => (failure === answerNotKept ? settled : Effect.void)))
        progress.isReplay = kept.isReplay
        if (kept.isReplay) yield* settled
        return kept.answer
      })

      /** Past the credential: the door, the input, the handler, the answer. */
      const admitted = Effect.fnUntraced(function* (
        operation: Operation,
        call: Call,
        progress: Progress,
        principal: Principal
      ) {
        const reach = yield* gatekeeper.admit(principal, operation.door, originOf(operation, call))
        progress.authority = reach.authority
        const raw = yield* call.input
        if (operation.kind === "mutation") yield* namesCaller(principal, operation.said(raw), operation.about)
        const input = yield* inputOf(operation, call, raw, progress)
        let next: string | undefined
        const answered = operation.run(input).pipe(
          Effect.map((answer) => {
            next = operation.nextOf(answer)
            return operation.encode(answer)
          }),
          Effect.catchTag("Proposed", ({ answer }) => Effect.succeed<unknown>(answer)),
          Effect.provideService(Reach, reach)
        )
        const answer =
          call.idempotent === undefined || operation.kind === "query"
            ? yield* answered
            : yield* once(operation, call.idempotent, raw, progress, principal, answered)
        yield* confirmed(gatekeeper, { operation, call, progress, principal })
        yield* settleAfterwards(reach.authority)
        progress.nextCursor = next
        return answer
      })

      /** After a defect nothing is committed: look the credential up again and try again, or say what is the matter. */
      const recovered = (
        cause: Cause.Cause<Failure>,
        operation: Operation,
        call: Call,
        progress: Progress,
        attempt: number
      ): Effect.Effect<unknown, Failure> => {
        const failure = Cause.failureOption(cause)
        if (Option.isSome(failure)) {
          // No statement confirmed what was remembered of the person: they may have been let in a moment ago.
          return attempt === 1 && failure.value instanceof Forbidden && failure.value.canBeStale === true
            ? Effect.zipRight(gatekeeper.forget(call.presented), guarded(operation, call, progress, 2))
            : Effect.fail(failure.value)
        }
        if (Cause.isInterruptedOnly(cause)) return Effect.failCause(cause)
        const diagnosis = diagnose(cause)
        switch (diagnosis) {
          case "authorityLost":
          case "retry": {
            if (attempt === attemptsMost) {
              return Effect.fail(diagnosis === "retry" ? unavailable : revoked(progress.principal))
            }
            // Dead, or only stale? Asking the store tells: it fails when the credential is dead.
            const forgotten = diagnosis === "retry" ? Effect.void : gatekeeper.forget(call.presented)
            return Effect.zipRight(forgotten, guarded(operation, call, progress, attempt + 1))
          }
          case "unavailable":
            return Effect.fail(unavailable)
          case "broken":
            return Effect.flatMap(broken(cause, operation.name, call.requestId), Effect.fail)
        }
      }

      const guarded = (
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
            const run = Effect.catchAll(
              admitted(operation, call, progress, principal),
              confirmedRefusal(gatekeeper, { operation, call, progress, principal })
            )
            return progress.allowance === undefined
              ? Effect.zipRight(counted(principal.credential.id, progress), run)
              : run
          }),
          (cause) => recovered(cause, operation, call, progress, attempt)
        )

      /** A public door: nobody is looked up, not even when a credential was sent, and nothing can be reached. */
      const unguarded = (operation: Operation, call: Call, progress: Progress): Effect.Effect<unknown, Failure> =>
        call.input.pipe(
          Effect.flatMap((raw) => inputOf(operation, call, raw, progress)),
          Effect.flatMap((input) =>
            Effect.provideService(operation.run(input), Reach, nobody(originOf(operation, call)))
          ),
          Effect.map(operation.encode),
          Effect.catchTag("Proposed", Effect.die), // nobody is no agent
          Effect.catchAllDefect((defect) =>
            diagnose(Cause.die(defect)) === "broken"
              ? Effect.flatMap(broken(Cause.die(defect), operation.name, call.requestId), Effect.fail)
              : Effect.fail(unavailable)
          )
        )

      /** What a door that cannot be bounded says, with those that can. */
      const explained = (refusal: Forbidden, operation: Operation, call: Call, principal: Principal) =>
        refusal.code === unsupportedCode
          ? Effect.map(catalog.compiled, (compiled) =>
              withOpenDoors(refusal, compiled, call.surface, operation, (door) =>
                gatekeeper.admit(principal, door, originOf(operation, call))
              )
            )
          : Effect.succeed(refusal)

      /** A refusal leaves one event, and its id goes into the answer; whether it can be written changes nothing else. */
      const refusalNoted =
        (operation: Operation, call: Call, progress: Progress) =>
        (failure: Failure): Effect.Effect<never, Failure> => {
          const { principal } = progress
          if (!(failure instanceof Forbidden) || principal === undefined) return Effect.fail(failure)
          return Effect.gen(function* () {
            const refusal = yield* explained(failure, operation, call, principal)
            const decisionId = yield* gatekeeper.refused(principal, refusal, originOf(operation, call))
            return yield* decisionId === undefined ? refusal : new Forbidden({ ...refusal, decisionId })
          })
        }

      return {
        identify: (surface, presented, requestId) =>
          Effect.catchAllCause(identify(surface, presented, unconfirmedMs), (cause) =>
            Option.match(Cause.failureOption(cause), {
              onSome: (failure) => Effect.fail<Failure>(failure),
              onNone: () =>
                diagnose(cause) === "broken"
                  ? Effect.flatMap(broken(cause, "identify", requestId), Effect.fail)
                  : Effect.fail<Failure>(unavailable)
            })
          ),
        spend: (principal, { address }, calls = 1) =>
          Effect.gen(function* () {
            const id = principal?.credential.id ?? `address ${clientKey(address)}`
            for (let call = 1; call < calls; call++) yield* counted(id, {})
            return yield* counted(id, {})
          }),
        admits: (principal, door) =>
          Either.isRight(gatekeeper.admit(principal, door, { operation: "", requestId: "", client: noClient })),
        start: (operation, call, done) => {
          const isQuery = operation.kind === "query"
          let unwatch = () => {}
          const progress: Progress = {
            isReplay: false,
            ignored: [],
            identified: (principal) => {
              if (!isQuery) return
              const { credential, holder, personId } = principal
              const ends = [...new Set([credential.id, holder.id, personId])].map((id) =>
                revocations.watch(id, () => cancel())
              )
              unwatch = () => ends.forEach((end) => end())
            }
          }
          const effect =
            operation.door._tag === "Public"
              ? unguarded(operation, call, progress)
              : Effect.catchAll(guarded(operation, call, progress, 1), refusalNoted(operation, call, progress))
          // A mutation is never cut off: its statements find out about a revocation themselves, and what they came to
          // is the answer. Cutting it could answer 401 for a write that is stored.
          const fiber = runFork(Effect.either(isQuery ? effect : Effect.uninterruptible(effect)))
          const cancel = () => fiber.unsafeInterruptAsFork(FiberId.none)
          fiber.addObserver((exit) => {
            unwatch()
            done({
              result: exit._tag === "Success" ? exit.value : Either.left(revoked(progress.principal)),
              principal: progress.principal,
              allowance: progress.allowance,
              isReplay: progress.isReplay,
              nextCursor: progress.nextCursor,
              ignored: progress.ignored
            })
          })
          return cancel
        }
      }
    })
  )
}
