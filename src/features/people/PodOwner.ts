/** The check for operations that only the owner of the pod may do. */
import { Effect } from "effect"
import { Forbidden } from "../../doors/Failure.ts"
import { Reach } from "../../doors/Reach.ts"

/**
 * Checks that the caller is the owner of the pod; fails with Forbidden for everybody else. The owner of a pod never
 * changes, so a cached answer stays correct.
 */
export const podOwnerOnly = (what: string): Effect.Effect<void, Forbidden, Reach> =>
  Effect.flatMap(Reach, ({ principal }) =>
    principal.isPodOwner
      ? Effect.void
      : new Forbidden({
          code: "OWNER_ONLY",
          why: `Only the pod's owner ${what}.`,
          required: ["pod owner"],
          granted: []
        })
  )
