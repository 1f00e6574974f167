/** Lets other tasks of this process run before a long computation continues. */
import { Effect } from "effect"

/** Ends after the other tasks that wait in this process have run. */
export const yieldToEventLoop = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))
