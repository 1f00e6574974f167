/** The port Dispatch asks: who presents a credential, and what they may reach through a door. */
import { Context, type Effect, type Either } from "effect"
import type { Door } from "./Door.ts"
import type { Forbidden, Unauthorized } from "./Failure.ts"
import type { Presented, Principal } from "./Principal.ts"
import type { Origin, ReachShape } from "./Reach.ts"

export class Gatekeeper extends Context.Tag("pod/Gatekeeper")<
  Gatekeeper,
  {
    /**
     * Who presents it. May answer from memory: every statement re-reads that the credential lives. Where no statement
     * follows, `withinMs` bounds how long ago it was last looked up.
     */
    readonly identify: (presented: Presented, withinMs?: number) => Effect.Effect<Principal, Unauthorized>
    /** Who presents it, asked of the store and of no memory, for an answer that no statement confirmed. Counts as no use. */
    readonly lookUp: (presented: Presented) => Effect.Effect<Principal, Unauthorized>
    /** Forgets what is remembered of it, so that the next `identify` asks the store. */
    readonly forget: (presented: Presented) => Effect.Effect<void>
    /** The one decision on doors. Pure. */
    readonly admit: (principal: Principal, door: Door, origin: Origin) => Either.Either<ReachShape, Forbidden>
    /** Leaves the event of a refusal and answers its id; undefined when it could not be written. */
    readonly refused: (principal: Principal, refusal: Forbidden, origin: Origin) => Effect.Effect<string | undefined>
  }
>() {}
