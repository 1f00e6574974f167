/** Whom a caller may name in a body: themselves. Reads ignore another id; writes refuse it (compatibility reference §1.6). */
import { Effect } from "effect"
import { Forbidden } from "../../doors/Failure.ts"
import { Reach } from "../../doors/Reach.ts"

/**
 * Passes when `userId` is absent, empty, the caller's person, or (for an agent's key) the agent itself.
 * Fails with Forbidden for everybody else, before anything is looked up.
 */
export const namesCaller = (userId: string | null | undefined): Effect.Effect<void, Forbidden, Reach> =>
  Effect.flatMap(Reach, ({ principal }) =>
    userId === undefined ||
    userId === null ||
    userId === "" ||
    userId === principal.personId ||
    (principal.holder.kind === "agent" && userId === principal.holder.id)
      ? Effect.void
      : Effect.fail(
          new Forbidden({
            code: "IDENTITY_FORBIDDEN",
            why: "userId may name the caller only.",
            required: [],
            granted: []
          })
        )
  )
