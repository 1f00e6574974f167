/** The endpoints of skills: for the people who write them, and for the programs that run them. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { read, write } from "../../doors/DeclareRest.ts"
import { rows, writes } from "../../doors/Door.ts"
import { NotFound, UpstreamFailed, UpstreamTimedOut } from "../../doors/Failure.ts"
import { DeleteResponse, idPath } from "../../doors/Fields.ts"
import { externalMount } from "../../doors/Mounts.ts"
import { pageOf } from "../../doors/Page.ts"
import {
  ExternalSkill,
  ExternalSkillQuery,
  Skill,
  SkillChange,
  SkillDraft,
  SkillInput,
  SkillQuery,
  SkillResult
} from "./Skill.ts"

const readDoor = rows("hub-protocol.read", "command")
const runDoor = rows("skills.invoke", "command")

export const SkillApi = HttpApiGroup.make("skills")
  .annotate(OpenApi.Description, "Skills: prompt templates that the pod's language model carries out.")
  .add(
    read("skills.list", {
      path: "/skills",
      query: SkillQuery,
      success: pageOf(Skill.schema),
      door: readDoor,
      summary: "List the skills that the caller may read, latest change first."
    })
  )
  .add(
    read("skills.get", {
      path: "/skills/:id",
      params: idPath,
      success: Skill.schema,
      errors: [NotFound],
      door: readDoor,
      summary: "Read one skill."
    })
  )
  .add(
    write("skills.create", {
      method: "POST",
      path: "/skills",
      payload: SkillDraft,
      success: Skill.schema,
      door: writes("hub-protocol.write", "command", ["create"], undefined, "skill"),
      summary: "Add a skill."
    })
  )
  .add(
    write("skills.update", {
      method: "PATCH",
      path: "/skills/:id",
      params: idPath,
      payload: SkillChange,
      success: Skill.schema,
      door: writes("hub-protocol.write", "command", ["update"], undefined, "skill"),
      summary: "Change a skill."
    })
  )
  .add(
    write("skills.delete", {
      method: "DELETE",
      path: "/skills/:id",
      params: idPath,
      success: DeleteResponse,
      door: writes("hub-protocol.write", "command", ["delete"], undefined, "skill"),
      summary: "Archive a skill."
    })
  )

export const ExternalSkillApi = HttpApiGroup.make("externalSkills")
  .annotate(OpenApi.Description, "How programs run skills, with a key that has the scope `skills.invoke`.")
  .annotate(OpenApi.Override, { "x-displayName": "Skills for programs" })
  .add(
    read("externalSkills.list", {
      path: `${externalMount}/skills`,
      query: ExternalSkillQuery,
      success: pageOf(ExternalSkill),
      door: runDoor,
      summary: "List the active skills that the key may run."
    })
  )
  .add(
    // The operation is declared as a read, because it changes no record. It only logs the run of the skill.
    read("externalSkills.invoke", {
      method: "POST",
      path: `${externalMount}/skills/:id/invoke`,
      params: idPath,
      payload: SkillInput,
      success: SkillResult,
      errors: [NotFound, UpstreamFailed, UpstreamTimedOut],
      door: runDoor,
      summary: "Run a skill with the pod's language model."
    })
  )
