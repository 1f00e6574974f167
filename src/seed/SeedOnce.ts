/** Makes the sample data once if `POD_SEED=demo` is set, as soon as the pod has an owner. */
import { Effect, Schedule } from "effect"
import { People } from "../features/people/People.ts"
import { socketPath } from "../surfaces/AdminSocket.ts"
import { makeSample, wasMade } from "../shared/Sample.ts"
import { socketCaller } from "./SeedCall.ts"

// how often the program looks whether the pod has an owner; a person can create the owner at any time
const lookEvery = "2 seconds"

/**
 * Makes the sample data. `socket` is the path of the admin socket, over which the pod calls itself as the operator. A
 * failure is logged, and the pod continues.
 */
export const seedOnce = (socket: string): Effect.Effect<void, never, People> =>
  Effect.gen(function* () {
    const path = socketPath(socket)
    if (path === undefined)
      return yield* Effect.logWarning(
        "POD_SEED has no effect: the path of the data directory is too long for a socket."
      )
    const people = yield* People
    yield* Effect.repeat(people.hasOwner, Schedule.spaced(lookEvery).pipe(Schedule.untilInput((has: boolean) => has)))
    const call = socketCaller(path)
    const sample = yield* Effect.tryPromise(async () => ((await wasMade(call)) ? undefined : await makeSample(call)))
    if (sample === undefined) yield* Effect.logInfo("POD_SEED has no effect: the sample was made in this pod before.")
    else
      yield* Effect.logInfo(
        `The sample data was made: workspace ${sample.workspaceId}. To delete the sample, run \`pod seed remove\`.`
      )
  }).pipe(Effect.catchAll(({ error }) => Effect.logError(`The sample data could not be made: ${String(error)}`)))
