/** The Hub endpoints that list, read and write commands. None of them runs a command. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { read, write } from "../../doors/DeclareRest.ts"
import { rows, writes } from "../../doors/Door.ts"
import { NotFound } from "../../doors/Failure.ts"
import { idPath, DeleteResponse } from "../../doors/Fields.ts"
import { pageOf } from "../../doors/Page.ts"
import { Command, CommandChange, CommandDraft, CommandQuery } from "./Command.ts"

const readDoor = rows("hub-protocol.read", "command")

export const CommandApi = HttpApiGroup.make("commands")
  .annotate(
    OpenApi.Description,
    "Commands: actions that a person starts by name. A command is shared, or private to its creator."
  )
  .add(
    read("commands.list", {
      path: "/commands",
      query: CommandQuery,
      success: pageOf(Command.schema),
      door: readDoor,
      summary: "List the commands that the caller may read, latest change first."
    })
  )
  .add(
    read("commands.get", {
      path: "/commands/:id",
      params: idPath,
      success: Command.schema,
      errors: [NotFound],
      door: readDoor,
      summary: "Read one command."
    })
  )
  .add(
    write("commands.create", {
      method: "POST",
      path: "/commands",
      payload: CommandDraft,
      success: Command.schema,
      door: writes("hub-protocol.write", "command", ["create"]),
      summary: "Create a command, for everybody in the space or only for yourself."
    })
  )
  .add(
    write("commands.update", {
      method: "PATCH",
      path: "/commands/:id",
      params: idPath,
      payload: CommandChange,
      success: Command.schema,
      door: writes("hub-protocol.write", "command", ["update"]),
      summary: "Change a command. Only the person who created the command may change who sees it."
    })
  )
  .add(
    write("commands.delete", {
      method: "DELETE",
      path: "/commands/:id",
      params: idPath,
      success: DeleteResponse,
      door: writes("hub-protocol.write", "command", ["delete"]),
      summary: "Archive a command."
    })
  )
