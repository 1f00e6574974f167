/** The handlers of channels. If a channel names an agent, the agent must belong to the caller. */
import { Effect, Layer } from "effect"
import { deleteResponse } from "../../doors/Fields.ts"
import { implement } from "../../doors/Implement.ts"
import { People } from "../people/People.ts"
import { governedRecords } from "../records/GovernedRecords.ts"
import type { RecordOperations } from "../records/RecordOperations.ts"
import { splitFilters } from "../records/RecordType.ts"
import { Channel } from "./Channel.ts"
import { ChannelApi } from "./ChannelApi.ts"

const rest = (channels: RecordOperations<Channel>) =>
  implement(
    ChannelApi,
    Effect.succeed({
      "channels.list": ({ urlParams }) => channels.list(splitFilters(urlParams, ["type"])),
      "channels.get": ({ path }) => channels.get(path.id),
      "channels.create": ({ payload: { workspaceId, userId: _caller, reasoning, sessionId, ...fields } }) =>
        channels.create({ workspaceId, fields, reasoning, sessionId }),
      "channels.update": ({ path, payload: { reasoning, sessionId, expectedVersion, ...fields } }) =>
        channels.update(path.id, fields, { reasoning, sessionId, expectedVersion }),
      "channels.delete": ({ path }) => Effect.map(channels.remove(path.id), deleteResponse)
    })
  )

export const layer = Layer.unwrapEffect(
  Effect.gen(function* () {
    const people = yield* People
    const channels = yield* governedRecords(Channel, {
      check: ({ agentId }) => (agentId == null ? Effect.void : Effect.asVoid(people.ownAgent(agentId)))
    })
    return rest(channels)
  })
)
