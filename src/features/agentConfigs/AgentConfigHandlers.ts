/**
 * The handler that lists a person's agents. For each agent, it returns the capabilities, the roles in workspaces and
 * the active keys.
 */
import { Array, Effect, Layer } from "effect"
import { implementProcedures } from "../../doors/Implement.ts"
import * as KeyLayer from "../keys/KeyLayer.ts"
import { Keys } from "../keys/Keys.ts"
import * as PeopleLayer from "../people/PeopleLayer.ts"
import { People } from "../people/People.ts"
import { Members } from "../workspaces/Members.ts"
import * as WorkspaceLayer from "../workspaces/WorkspaceLayer.ts"
import { AgentConfigProcedures } from "./AgentConfigRpc.ts"

export const layer = implementProcedures(
  AgentConfigProcedures,
  Effect.gen(function* () {
    const { agents } = yield* People
    const { memberships } = yield* Members
    const { countActive } = yield* Keys
    return {
      "agentConfigs.list": Effect.fnUntraced(function* () {
        const [found, counts] = yield* Effect.all([agents, countActive], { concurrency: "unbounded" })
        const keysOf = new Map(counts.map(({ count, holderId }) => [holderId, count]))
        const rolesOf = Array.groupBy(yield* memberships(found.map(({ id }) => id)), ({ agentId }) => agentId)
        return found.map(({ capabilities, createdAt, id, isSuspended, name, writesRequireProposal }) => ({
          agentId: id,
          name,
          capabilities,
          relaxed: !writesRequireProposal,
          isSuspended,
          roles: (rolesOf[id] ?? []).map(({ role, spaceId }) => ({ workspaceId: spaceId, role })),
          keyCount: keysOf.get(id) ?? 0,
          createdAt
        }))
      })
    }
  })
).pipe(Layer.provide(Layer.mergeAll(KeyLayer.services, PeopleLayer.services, WorkspaceLayer.services)))
