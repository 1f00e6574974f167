/** The Effect layers of skills and their runs. */
import { Layer } from "effect"
import * as SkillHandlers from "./SkillHandlers.ts"
import { SkillRuns } from "./SkillRuns.ts"
import { Skills } from "./Skills.ts"

export const layer = SkillHandlers.layer.pipe(Layer.provide(SkillRuns.layer), Layer.provide(Skills.layer))
