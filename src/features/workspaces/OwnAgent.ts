/**
 * Decides who is allowed to act for an agent in requests about workspaces: only the person who owns the agent, and the
 * agent itself.
 */
import { Effect } from "effect"
import { Forbidden, invalid, type Invalid } from "../../doors/Failure.ts"
import { Reach } from "../../doors/Reach.ts"
import type { People } from "../people/People.ts"
import type { Agent } from "../people/Person.ts"

/**
 * Returns the agent that a request body names. Fails with Invalid if the id is the id of the caller's person. Fails
 * with the same Forbidden for another person's agent and for a missing agent, so that nobody learns which agents exist.
 * An agent is allowed to name only itself, and gets the same Forbidden for any other agent.
 */
export const ownAgent = (
  people: typeof People.Service,
  agentUserId: string
): Effect.Effect<Agent, Forbidden | Invalid, Reach> =>
  Effect.gen(function* () {
    const { principal } = yield* Reach
    if (agentUserId === principal.personId) {
      return yield* invalid("agentUserId", `${agentUserId} is the id of a person. Send the id of an agent.`)
    }
    const agent = yield* people.ownAgent(agentUserId)
    if (principal.holder.kind === "agent" && principal.holder.id !== agentUserId) {
      return yield* new Forbidden({
        code: "AGENT_FORBIDDEN",
        why: "An agent can make this call only for itself. Send your own id in `agentUserId`.",
        required: [],
        granted: []
      })
    }
    return agent
  })
