/** The checks for operations that only the owner of the pod, or the owner and the administrators, may do. */
import { Effect } from "effect"
import { Forbidden } from "../../doors/Failure.ts"
import { Reach } from "../../doors/Reach.ts"

/**
 * Checks that the caller is the owner of the pod; fails with Forbidden for everybody else. The owner of a pod never
 * changes, so a cached answer stays correct.
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
 * Checks that the caller is the owner or an administrator of the pod; fails with Forbidden for everybody else. If the
 * owner changes who is an administrator, the epoch of that person changes and cached access becomes stale, so an old
 * role never decides.
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
 * A figure of the whole pod, such as the size of its database. It shows how much other people store and do, so only the owner
 * of the pod gets it; everybody else gets `hidden`.
 */
export const figureForOwner = <A, B>(figure: A, hidden: B): Effect.Effect<A | B, never, Reach> =>
  Effect.map(Reach, ({ principal }) => (principal.podRole === "owner" ? figure : hidden))
