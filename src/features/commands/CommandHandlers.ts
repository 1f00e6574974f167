/** The handlers of commands: they pass each call of an endpoint or a procedure to the service and return its result. */
import { Effect, Layer } from "effect"
import { deleteResponse } from "../../doors/Fields.ts"
import { implement, implementProcedures } from "../../doors/Implement.ts"
import type { RecordOperations } from "../records/RecordOperations.ts"
import { splitFilters } from "../records/RecordType.ts"
import type { Command } from "./Command.ts"
import { CommandApi } from "./CommandApi.ts"
import { CommandProcedures } from "./CommandRpc.ts"
import { Commands } from "./Commands.ts"

const rest = (commands: RecordOperations<Command>) =>
  implement(
    CommandApi,
    Effect.succeed({
      "commands.list": ({ urlParams }) => commands.list(splitFilters(urlParams, ["triggerSlug"])),
      "commands.get": ({ path }) => commands.get(path.id),
      "commands.create": ({ payload: { workspaceId, reasoning, sessionId, ...fields } }) =>
        commands.create({ workspaceId, fields, reasoning, sessionId }),
      "commands.update": ({ path, payload: { reasoning, sessionId, expectedVersion, ...fields } }) =>
        commands.update(path.id, fields, { reasoning, sessionId, expectedVersion }),
      "commands.delete": ({ path }) => Effect.map(commands.remove(path.id), deleteResponse)
    })
  )

const procedures = (commands: RecordOperations<Command>) =>
  implementProcedures(
    CommandProcedures,
    Effect.succeed({
      "commands.listCommands": (input) => commands.list(splitFilters(input, ["triggerSlug"])),
      "commands.getCommand": ({ commandId }) => commands.get(commandId)
    })
  )

export const layer = Layer.unwrapEffect(
  Effect.map(Commands, (commands) => Layer.mergeAll(rest(commands), procedures(commands)))
)
