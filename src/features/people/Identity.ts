/** Whom a caller may name in a body: themselves. Reads ignore another id; writes refuse it (compatibility reference §1.6). */
import { Effect } from "effect"
import { Forbidden, type Invalid, invalid } from "../../doors/Failure.ts"
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

/** The same for a field that names an agent: a person's own id there is no agent, and Invalid. */
export const namesCallingAgent = (
  agentUserId: string | null | undefined
): Effect.Effect<void, Forbidden | Invalid, Reach> =>
  Effect.flatMap(Reach, ({ principal }): Effect.Effect<void, Forbidden | Invalid, Reach> =>
    agentUserId === principal.personId
      ? Effect.fail(invalid("agentUserId", "That is not an agent."))
      : namesCaller(agentUserId)
  )
