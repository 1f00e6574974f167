/**
 * The service of skills. It keeps the records of skills, with rules for their parameters and for who can run a skill.
 */
import { Context, Effect, Layer } from "effect"
import { Invalid } from "../../doors/Failure.ts"
import { governedRecords } from "../records/GovernedRecords.ts"
import type { RecordOperations } from "../records/RecordOperations.ts"
import { schemaFaults } from "./ParameterSchema.ts"
import { Skill } from "./Skill.ts"

const scopeFault = (scope: Skill["scope"] | undefined, isPersonal: boolean): string | undefined => {
  if (scope === "workspace" && isPersonal) return "A skill with the scope `workspace` needs a `workspaceId`."
  if (scope === "pod" && !isPersonal) return "A skill in a workspace must have the scope `workspace` or `user`."
  return undefined
}

export class Skills extends Context.Tag("pod/Skills")<Skills, RecordOperations<Skill>>() {
  static readonly layer = Layer.effect(
    this,
    governedRecords(Skill, {
      check: ({ parameters, scope }, { object }) => {
        const message = scopeFault(scope, object.isPersonal)
        const faults = [
          ...(parameters === undefined ? [] : schemaFaults(parameters)),
          ...(message === undefined ? [] : [{ path: "scope", message }])
        ]
        return faults.length === 0 ? Effect.void : Effect.fail(new Invalid({ faults }))
      }
    })
  )
}
