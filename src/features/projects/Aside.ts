/** Reading something on the way to an answer, which is no page of that answer. */
import { Effect } from "effect"
import { Reach } from "../../doors/Reach.ts"

/** The same reading, without saying to the caller where its listing would go on. */
export const aside = <A, E>(reading: Effect.Effect<A, E, Reach>): Effect.Effect<A, E, Reach> =>
  Effect.flatMap(Reach, (reach) => Effect.provideService(reading, Reach, { ...reach, notes: {} }))
