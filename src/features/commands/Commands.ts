/** The service of commands. In a workspace, only the person who made a private command can see the command. */
import { Context, Effect, Layer } from "effect"
import { Forbidden } from "../../doors/Failure.ts"
import { Reach } from "../../doors/Reach.ts"
import { governedRecords } from "../records/GovernedRecords.ts"
import type { RecordOperations, GovernedOptions } from "../records/RecordOperations.ts"
import { Records } from "../records/Records.ts"
import { Command } from "./Command.ts"

const notOwnCommand = new Forbidden({
  code: "SHARING_FORBIDDEN",
  why: "Only the person who created a command may change who sees the command.",
  required: [],
  granted: []
})

/**
 * The refusal for an agent that writes a private command in a workspace. Other people can read proposals there, so the
 * command cannot become a proposal.
 */
const forItsPerson = new Forbidden({
  code: "PEOPLE_ONLY",
  why: "Only a person can create or change a private command in a workspace. A proposal of an agent would show the command to other people.",
  required: ["person"],
  granted: ["agent"],
  rung: "forPeople"
})

const governedCommands = Effect.gen(function* () {
  const records = yield* Records

  const check: GovernedOptions<Command>["check"] = Effect.fnUntraced(function* (
    { sharing },
    { action, moment, object, targetId }
  ) {
    const { principal } = yield* Reach
    const found = action === "create" ? undefined : yield* Effect.option(records.locate(Command, targetId, action))
    const existing = found?._tag === "Some" ? found.value.record : undefined
    const isChanged = existing !== undefined && sharing !== undefined && sharing !== existing.sharing
    if (isChanged && existing.userId !== principal.personId) return yield* notOwnCommand
    const isPrivate = sharing === "user" || existing?.sharing === "user"
    // This refusal does not apply to an approval. Before the approval, the person can make the command of the proposal
    // private. Other people can then no longer read the proposal.
    const isAgents = principal.holder.kind === "agent" && moment !== "approved"
    if (isPrivate && !object.isPersonal && isAgents) return yield* forItsPerson
  })

  return yield* governedRecords(Command, { check })
})

export class Commands extends Context.Tag("pod/Commands")<Commands, RecordOperations<Command>>() {
  static readonly layer = Layer.effect(this, governedCommands)
}
