/** The procedure that lists the agents of a person with their configuration. */
import { RpcGroup } from "@effect/rpc"
import { Schema } from "effect"
import { NoInput, query } from "../../doors/DeclareProcedure.ts"
import { fullGrant } from "../../doors/Door.ts"
import { described, Timestamp, WorkspaceId } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"

const AgentConfig = Schema.Struct({
  agentId: Id,
  name: Schema.String,
  capabilities: described("What the agent may write.", Schema.Array(Schema.String)),
  relaxed: described(
    "`true`: the writes of the agent need no approval, unless a governance rule says otherwise.",
    Schema.Boolean
  ),
  isSuspended: described("Whether the agent is suspended. No key of a suspended agent works.", Schema.Boolean),
  roles: described(
    "Membership role of the agent in each workspace that you may read.",
    Schema.Array(
      Schema.Struct({
        workspaceId: WorkspaceId,
        role: described("Membership role of the agent in the workspace.", Schema.String)
      }).annotations({ identifier: "AgentRoleIn" })
    )
  ),
  keyCount: described("Number of active keys of the agent.", Schema.Number),
  createdAt: Timestamp
}).annotations({ identifier: "AgentConfig" })

export const AgentConfigProcedures = RpcGroup.make(
  query("agentConfigs.list", {
    input: NoInput,
    success: Schema.Array(AgentConfig),
    door: fullGrant("hub-protocol.read"),
    summary: "List your agents, with what each may do, its membership roles and the number of its keys."
  })
)
