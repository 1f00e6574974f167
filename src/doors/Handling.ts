/**
 * Starts the fiber of a handler faster than the general path, `Attempts.runGuarded`. From the start, the context of the
 * fiber has the reach, which is what the call is allowed to touch. The steps of the call that need no effect are plain
 * functions. An effect around a step takes as much time as a small read (measured). Fibers still take 17 to 21 % of the
 * time of a read (`bench/README.md`). `knownCallers.test.ts` compares the answers and events with those of the general
 * path. If the general path becomes as fast, delete this file and `#runKnown` in `CallRunner.ts`.
 */
import { Context, Effect, Either, type Fiber, Runtime, RuntimeFlags, Tracer } from "effect"
import { hasWorkBeforeAnswer } from "./BeforeAnswer.ts"
import { isConfirmed } from "./Authority.ts"
import type { Attempt } from "./Call.ts"
import { foreignCursor } from "./Cursor.ts"
import { type Failure, type Forbidden, Invalid } from "./Failure.ts"
import { Frames } from "./Frames.ts"
import { namesCaller } from "./Identity.ts"
import { inputOf } from "./Input.ts"
import type { Proposed } from "./Proposed.ts"
import { Payer } from "../platform/FairShare.ts"
import { type Authority, Reach, type ReachShape } from "./Reach.ts"

const cursorRefused = new Invalid({ faults: [{ path: "cursor", message: foreignCursor }] })

/**
 * Decodes the input of a call. Refuses a write that names another user as the one who acts, and a cursor of another
 * list or another person.
 */
export const readInput = (attempt: Attempt, raw: unknown): Either.Either<unknown, Forbidden | Invalid> => {
  const { operation, principal, progress } = attempt
  if (operation.kind === "mutation") {
    const named = namesCaller(principal, operation.callerInputs(raw), operation.about)
    if (Either.isLeft(named)) return Either.left(named.left)
  }
  const input = inputOf(attempt, raw)
  const { cursors } = operation
  if (cursors === undefined || Either.isLeft(input)) return input
  const sent = cursors.sentIn(input.right)
  const mark = () => cursors.markOf(input.right, principal.personId)
  progress.cursorMark = mark
  return sent !== undefined && sent.mark !== mark() ? Either.left(cursorRefused) : input
}

/** Reads the input and runs the handler. Fails with the failures of the handler or of the input. */
const handleAttempt = (attempt: Attempt): Effect.Effect<unknown, Failure | Proposed, Reach> =>
  Effect.flatMap(attempt.call.input, (raw) => {
    const input = readInput(attempt, raw)
    return Either.isLeft(input) ? Effect.fail(input.left) : attempt.operation.run(input.right)
  })

/**
 * True if the credential is confirmed and no work waits for the commit. Then the pod sends the answer of the handler at
 * once.
 */
export const isFinal = (authority: Authority): boolean => isConfirmed(authority) && !hasWorkBeforeAnswer(authority)

/** Makes the function that starts the fiber of a handler. For a mutation, this fiber cannot be interrupted. */
export const handlerFibers = (runtime: Runtime.Runtime<never>) => {
  const runtimeFlags = {
    query: runtime.runtimeFlags,
    mutation: RuntimeFlags.disable(runtime.runtimeFlags, RuntimeFlags.Interruption)
  }
  return (
    attempt: Attempt,
    reach: ReachShape,
    span: Tracer.AnySpan | undefined
  ): Fiber.RuntimeFiber<unknown, Failure | Proposed> => {
    const { call, operation } = attempt
    const within = Context.add(Context.make(Reach, reach), Payer, attempt.principal.credential.id)
    const framed = call.frames === undefined ? within : Context.add(within, Frames, call.frames)
    const context = span === undefined ? framed : Context.add(framed, Tracer.ParentSpan, span)
    const own = Runtime.make({
      context,
      fiberRefs: runtime.fiberRefs,
      runtimeFlags: runtimeFlags[operation.kind]
    })
    return Runtime.runFork(own)(handleAttempt(attempt))
  }
}
