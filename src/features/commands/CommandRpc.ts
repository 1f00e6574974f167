/** The procedures of commands. */
import { RpcGroup } from "@effect/rpc"
import { Schema } from "effect"
import { query } from "../../doors/DeclareProcedure.ts"
import { rows } from "../../doors/Door.ts"
import { NotFound } from "../../doors/Failure.ts"
import { Id } from "../../doors/Id.ts"
import { pageOf } from "../../doors/Page.ts"
import { Command, CommandInput } from "./Command.ts"
import { described } from "../../doors/Fields.ts"

const door = rows("hub-protocol.read", "command")

export const CommandProcedures = RpcGroup.make(
  query("commands.listCommands", {
    input: CommandInput,
    success: pageOf(Command.schema),
    door,
    summary: "List the commands that the caller may read, latest change first."
  }),
  query("commands.getCommand", {
    input: Schema.Struct({ commandId: described("Id of the command.", Id) }),
    success: Command.schema,
    door,
    errors: [NotFound],
    summary: "Read one command."
  })
)
