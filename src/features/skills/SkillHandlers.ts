/** The handlers of skills. They translate between the endpoints and the services. */
import { Effect, Layer } from "effect"
import { deleteResponse } from "../../doors/Fields.ts"
import { implement } from "../../doors/Implement.ts"
import type { Skill } from "./Skill.ts"
import { mapPage } from "../../doors/Page.ts"
import { ExternalSkillApi, SkillApi } from "./SkillApi.ts"
import { SkillRuns } from "./SkillRuns.ts"
import { Skills } from "./Skills.ts"

const rest = implement(
  SkillApi,
  Effect.map(Skills, (skills) => ({
    "skills.list": ({ urlParams }) => skills.list(urlParams),
    "skills.get": ({ path }) => skills.get(path.id),
    "skills.create": ({ payload: { workspaceId, reasoning, scope, sessionId, ...fields } }) =>
      skills.create({
        workspaceId,
        fields: { ...fields, scope: scope ?? (workspaceId == null ? "pod" : "workspace") },
        reasoning,
        sessionId
      }),
    "skills.update": ({ path, payload: { reasoning, sessionId, expectedVersion, ...fields } }) =>
      skills.update(path.id, fields, { reasoning, sessionId, expectedVersion }),
    "skills.delete": ({ path }) => Effect.map(skills.remove(path.id), deleteResponse)
  }))
)

const externalSkill = ({ description, id, name, parameters, scope, timeoutSeconds }: Skill) => ({
  id,
  name,
  description,
  scope,
  parameters,
  executionMode: "synchronous" as const,
  timeoutSeconds
})

const external = implement(
  ExternalSkillApi,
  Effect.gen(function* () {
    const skills = yield* Skills
    const { invoke } = yield* SkillRuns
    return {
      "externalSkills.list": ({ urlParams }) =>
        Effect.map(skills.list({ ...urlParams, where: { isActive: true } }), (page) => mapPage(page, externalSkill)),
      "externalSkills.invoke": ({ path, payload }) => invoke(path.id, payload.input)
    }
  })
)

export const layer = Layer.mergeAll(rest, external)
