/** Who may speak for an agent where workspaces are concerned: its own person, and the agent itself. */
import { Effect } from "effect"
import { Forbidden, invalid, type Invalid } from "../../doors/Failure.ts"
import { Reach } from "../../doors/Reach.ts"
import type { People } from "../people/People.ts"
import type { Agent } from "../people/Person.ts"

/**
 * The agent a body names. Fails with Invalid for the caller's own person, who is no agent, and with Forbidden, alike,
 * for an agent of somebody else, for none, and (asked by an agent) for another agent of the same person.
 */
export const agentNamed = (
  people: typeof People.Service,
  agentUserId: string
): Effect.Effect<Agent, Forbidden | Invalid, Reach> =>
  Effect.gen(function* () {
    const { principal } = yield* Reach
    if (agentUserId === principal.personId) {
      return yield* invalid("agentUserId", `${agentUserId} is a person and no agent.`)
    }
    const agent = yield* people.ownAgent(agentUserId)
    if (principal.holder.kind === "agent" && principal.holder.id !== agentUserId) {
      return yield* new Forbidden({
        code: "AGENT_FORBIDDEN",
        why: "An agent speaks for itself only.",
        required: [],
        granted: []
      })
    }
    return agent
  })
