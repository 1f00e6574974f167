/** The one place where an operation runs: credential → principal → door → reach → decode → handler → encode. */
import { Cause, Clock, Context, Effect, Either, FiberId, Layer, Option, Runtime } from "effect"
import type { Door } from "./Door.ts"
import { type Failure, Forbidden, TooMany, Unauthorized } from "./Failure.ts"
import { Gatekeeper } from "./Gatekeeper.ts"
import { answerNotKept, fingerprint, Idempotency, idempotencyKey, type IdempotentRequest } from "./Idempotency.ts"
import type { Operation } from "./Operation.ts"
import type { Presented, Principal } from "./Principal.ts"
import { type Allowance, RateLimit } from "./RateLimit.ts"
import { namesCaller } from "./Identity.ts"
import { inputOf } from "./Input.ts"
import { lightRuntime } from "./LightRuntime.ts"
import { type Client, noClient, nobody, type Origin, Reach } from "./Reach.ts"
import { broken, diagnose, unavailable } from "./Recovery.ts"
import { Revocations } from "./Revocations.ts"
import { Database } from "../platform/Database.ts"

/** Which credentials a surface takes at all. A key on `/trpc` or a session on the bridge is no credential there. */
export type Surface = "rest" | "bridge" | "session" | "mcp"
const taken: Record<Surface, ReadonlyArray<Presented["kind"]>> = {
  rest: ["bearer", "session"],
  bridge: ["bearer"],
  session: ["session"],
  mcp: ["bearer"]
}

export interface Call {
  readonly surface: Surface
  readonly presented: Presented
  readonly requestId: string
  readonly client: Client
  /** Run only after the door let the caller in, so that a stranger learns nothing about shapes. Repeatable. */
  readonly input: Effect.Effect<unknown, Failure>
  /** The caller asked that fields nobody knows are ignored (RFC 7240, `handling=lenient`). */
  readonly isLenient?: boolean
  /** Present when the caller sent an idempotency key: the header, and what tells this request from others. */
  readonly idempotent?: {
    readonly header: string
    readonly describe: (input: unknown) => Omit<IdempotentRequest, "key">
  }
}

/** What a call came to. `principal` and `allowance` are known once the credential was; surfaces make headers of them. */
export interface Outcome {
  readonly result: Either.Either<unknown, Failure>
  readonly principal: Principal | undefined
  readonly allowance: Allowance | undefined
  readonly isReplay: boolean
  /** Where a listing goes on, when it does. */
  readonly nextCursor: string | undefined
  /** The fields that were ignored because the caller asked for it. */
  readonly ignored: ReadonlyArray<string>
}

/** What is known of a call while it runs, kept beside its fiber: an interrupted fiber cannot tell. */
interface Progress {
  principal?: Principal
  allowance?: Allowance
  isReplay: boolean
  nextCursor?: string | undefined
  ignored: ReadonlyArray<string>
  readonly identified: (principal: Principal) => void
}

const unconfirmedMs = 1000 // an answer that no statement confirms rests on a look-up no older than this
const attemptsMost = 4 // stale access and serialization failures are tried again, together this often

const revoked = (principal: Principal | undefined) =>
  new Unauthorized({
    reason: "key_revoked",
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
    /** Whether the door would let the principal in: the decision a call meets. */
    readonly admits: (principal: Principal, door: Door) => boolean
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const gatekeeper = yield* Gatekeeper
      const limits = yield* RateLimit
      const revocations = yield* Revocations
      const idempotency = yield* Idempotency
      // A repetition claims what the first answer claims, and may come before the first one was given.
      const settled = Effect.orDie((yield* Database).drained)
      const runFork = Runtime.runFork(yield* lightRuntime)

      const identify = (surface: Surface, presented: Presented, withinMs?: number) =>
        taken[surface].includes(presented.kind)
          ? gatekeeper.identify(presented, withinMs)
          : Effect.fail(new Unauthorized({ reason: "no_auth" }))

      const counted = Effect.fnUntraced(function* (credentialId: string, progress: Progress) {
        const allowance = limits.take(credentialId, yield* Clock.currentTimeMillis)
        progress.allowance = allowance
        if (allowance.isExceeded) {
          return yield* new TooMany({
            why: `More than ${allowance.limit} calls in a minute. Try again in ${allowance.resetSeconds} s.`,
            retryAfterSeconds: allowance.resetSeconds
          })
        }
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
        for (const effect of reach.afterwards) yield* effect
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
          Effect.flatMap(identify(call.surface, call.presented), (principal) => {
            if (progress.principal === undefined) progress.identified(principal)
            progress.principal = principal
            const run = admitted(operation, call, progress, principal)
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

      /** A refusal leaves one event, and its id goes into the answer; whether it can be written changes nothing else. */
      const refusalNoted =
        (operation: Operation, call: Call, progress: Progress) =>
        (failure: Failure): Effect.Effect<never, Failure> =>
          failure instanceof Forbidden && progress.principal !== undefined
            ? Effect.flatMap(gatekeeper.refused(progress.principal, failure, originOf(operation, call)), (decisionId) =>
                Effect.fail(decisionId === undefined ? failure : new Forbidden({ ...failure, decisionId }))
              )
            : Effect.fail(failure)

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
              const ends = [principal.credential.id, principal.holder.id].map((id) =>
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
