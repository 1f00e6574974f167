/** The reach of the pod's own work for a person: what the person may do at the moment when the work runs. */
import { Context, Effect, Layer, Option } from "effect"
import { noClient, type ReachShape, systemReach } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { boundsFor } from "../grants/GrantMatcher.ts"
import { PeopleStore } from "./PeopleStore.ts"

export class PersonReach extends Context.Tag("pod/PersonReach")<
  PersonReach,
  {
    /**
     * The reach of a person; none if the person is suspended or no longer exists. The reach is valid only for this
     * moment: work that takes longer must ask again before it stores its result, and must compare the epoch of the
     * principal.
     */
    readonly of: (
      personId: string,
      work: { readonly operation: string; readonly reason: string }
    ) => Effect.Effect<Option.Option<ReachShape>>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.map(PeopleStore, ({ accessOf }) => ({
      of: (personId, { operation, reason }) =>
        accessOf(personId).pipe(
          Effect.map(({ epoch, isPodOwner, isSuspended, memberships }) => {
            if (isSuspended) return Option.none()
            const spaces = memberships.map(({ spaceId }) => spaceId)
            const nobody = systemReach(reason, personId, spaces, { operation, requestId: uuidv7(), client: noClient })
            const principal = { ...nobody.principal, grant: null, epoch, isPodOwner, memberships }
            return Option.some<ReachShape>({
              ...nobody,
              principal,
              bounds: (subject, action) => boundsFor(principal, subject, action)
            })
          }),
          Effect.catchTag("UserUnknown", () => Effect.succeed(Option.none<ReachShape>()))
        )
    }))
  )
}
