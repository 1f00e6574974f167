/** The checks for operations that are only for the owner of the pod, or only for the owner and the administrators. */
import { Effect } from "effect"
import { Forbidden } from "../../doors/Failure.ts"
import { Reach } from "../../doors/Reach.ts"

/**
 * Fails with Forbidden if the caller is not the owner of the pod. The owner of a pod never changes, so a cached answer
 * stays correct.
 */
export const podOwnerOnly = (what: string): Effect.Effect<void, Forbidden, Reach> =>
  Effect.flatMap(Reach, ({ principal }) =>
    principal.podRole === "owner"
      ? Effect.void
      : new Forbidden({
          code: "OWNER_ONLY",
          why: `Only the owner of the pod ${what}.`,
          required: ["pod owner"],
          granted: []
        })
  )

/**
 * Fails with Forbidden if the caller is neither the owner nor an administrator of the pod. When the owner changes a
 * person's role, cached access of this person becomes stale. So this check always uses the current role.
 */
export const administratorsOnly = (what: string): Effect.Effect<void, Forbidden, Reach> =>
  Effect.flatMap(Reach, ({ principal }) =>
    principal.podRole !== "member"
      ? Effect.void
      : new Forbidden({
          code: "ADMINISTRATOR_ONLY",
          why: `Only the owner of the pod and its administrators ${what}. Ask the owner.`,
          required: ["pod administrator"],
          granted: [],
          canBeStale: true
        })
  )

/**
 * Returns `figure`, a number about the whole pod such as the size of the database, if the caller is the owner of the
 * pod. Everybody else gets `hidden`, because the number shows how much other people store and do.
 */
export const figureForOwner = <A, B>(figure: A, hidden: B): Effect.Effect<A | B, never, Reach> =>
  Effect.map(Reach, ({ principal }) => (principal.podRole === "owner" ? figure : hidden))
