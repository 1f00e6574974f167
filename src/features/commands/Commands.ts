/** Commands behind the gate, with the rule that what is private in a workspace stays with the one person. */
import { Effect } from "effect"
import { Forbidden } from "../../doors/Failure.ts"
import { Reach } from "../../doors/Reach.ts"
import { type GovernedOptions, governing } from "../records/GovernedRecords.ts"
import { Records } from "../records/Records.ts"
import { Command } from "./Command.ts"

const notYours = new Forbidden({
  code: "SHARING_FORBIDDEN",
  why: "Only whoever made a command says who sees it.",
  required: [],
  granted: []
})

/** Proposals are read by everybody in a workspace who reads what they are about: what is private cannot wait in one. */
const forItsPerson = new Forbidden({
  code: "PEOPLE_ONLY",
  why: "A private command in a workspace is written by its person alone: a proposal would show it to the others.",
  required: ["person"],
  granted: ["agent"],
  rung: "forPeople"
})

export const governedCommands = Effect.gen(function* () {
  const records = yield* Records

  const check: GovernedOptions<Command>["check"] = ({ sharing }, { action, moment, object, targetId }) =>
    Effect.gen(function* () {
      const { principal } = yield* Reach
      const found = action === "create" ? undefined : yield* Effect.option(records.place(Command, targetId, action))
      const existing = found?._tag === "Some" ? found.value.record : undefined
      const isChanged = existing !== undefined && sharing !== undefined && sharing !== existing.sharing
      if (isChanged && existing.userId !== principal.personId) return yield* notYours
      const isPrivate = sharing === "user" || existing?.sharing === "user"
      // Its person may make it private before they approve it: then nobody else reads the proposal any more.
      const isAgents = principal.holder.kind === "agent" && moment !== "approved"
      if (isPrivate && !object.isPersonal && isAgents) return yield* forItsPerson
    })

  return yield* governing(Command, { check })
})
