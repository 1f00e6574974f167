/**
 * Runs skills. It checks the input, calls the language model within the time limit of the skill, and logs the run
 * without the input and the result.
 */
import { Context, Duration, Effect, Exit, Layer } from "effect"
import { elapsedMs } from "../../platform/ElapsedTime.ts"
import { requireConfirmation } from "../../doors/Authority.ts"
import {
  Invalid,
  invalid,
  type NoProvider,
  type NotFound,
  UpstreamFailed,
  UpstreamTimedOut
} from "../../doors/Failure.ts"
import { modelRefusal, type ModelRefusal } from "../../doors/ModelRefusal.ts"
import { credentialIdOf, Reach, systemReach } from "../../doors/Reach.ts"
import { LanguageModel } from "../../platform/models/LanguageModel.ts"
import { EventLog } from "../events/EventLog.ts"
import { Passed } from "../gate/Passed.ts"
import { inputFaults } from "./ParameterSchema.ts"
import type { Skill, SkillResult } from "./Skill.ts"
import { skillPrompt } from "./SkillPrompt.ts"
import { Skills } from "./Skills.ts"

const inactive = invalid("", "This skill is not active. The person who owns the skill can activate it.")
const timedOut = ({ timeoutSeconds }: Skill) =>
  new UpstreamTimedOut({
    why: `The run of the skill took longer than ${timeoutSeconds} seconds, the \`timeoutSeconds\` of the skill.`
  })

export class SkillRuns extends Context.Tag("pod/SkillRuns")<
  SkillRuns,
  {
    /**
     * Runs a skill that the caller may read. Fails with Invalid if the skill is not active or the input does not match
     * the parameters of the skill.
     */
    readonly invoke: (
      id: string,
      input: Readonly<Record<string, unknown>>
    ) => Effect.Effect<SkillResult, NotFound | Invalid | Exclude<ModelRefusal, NoProvider>, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const events = yield* EventLog
      const { complete, model: current } = yield* LanguageModel
      const skills = yield* Skills

      const check = Effect.fnUntraced(function* (skill: Skill, input: Readonly<Record<string, unknown>>) {
        if (!skill.isActive) return yield* inactive
        const faults = inputFaults(skill.parameters, input)
        if (faults.length > 0) return yield* new Invalid({ faults })
        const model = yield* current
        if (model !== undefined && skill.model !== null && skill.model !== model)
          return yield* invalid(
            "",
            `This skill needs the model ${skill.model}, but the pod uses another model. Change the model of the skill, or ask the owner of the pod for the model.`
          )
      })

      const written = (skill: Skill, input: Readonly<Record<string, unknown>>) =>
        complete(skillPrompt(skill.prompt, input)).pipe(
          Effect.timeoutFail({
            duration: Duration.seconds(skill.timeoutSeconds),
            onTimeout: () => timedOut(skill)
          }),
          Effect.mapError((failure) => {
            if (failure._tag === "UpstreamTimedOut") return failure
            const refusal = modelRefusal(
              failure,
              "This pod has no language model to run skills. The owner of the pod can add a model provider."
            )
            // Programs that run skills expect the status 502 if no model answers.
            return refusal._tag === "NoProvider"
              ? new UpstreamFailed({ code: "upstream_error", why: refusal.why, isRetryable: false })
              : refusal
          }),
          Effect.ensuring(requireConfirmation)
        )

      /** Logs the run in the space of the caller's person. The event does not contain the input or the result. */
      const note = Effect.fnUntraced(function* (skill: Skill, durationMs: number, outcome: string) {
        const { authority, origin, principal } = yield* Reach
        const { holder, personId } = principal
        const draft = {
          type: "skill.invoke",
          subjectId: skill.id,
          source: "system" as const,
          data: {
            version: skill.version,
            workspaceId: skill.workspaceId,
            holderId: holder.id,
            credentialId: credentialIdOf(authority),
            durationMs,
            outcome
          }
        }
        const reach = systemReach("log the run of a skill", personId, [personId], origin)
        const passed = Passed.bySystem("log the run of a skill")
        yield* Effect.provideService(events.append(personId, draft, passed), Reach, reach)
      })

      return {
        invoke: Effect.fnUntraced(function* (id, input) {
          const skill = yield* skills.get(id)
          yield* check(skill, input)
          const beganMs = yield* elapsedMs
          const took = Effect.map(elapsedMs, (nowMs) => nowMs - beganMs)
          const { text } = yield* Effect.onExit(written(skill, input), (exit) =>
            Effect.flatMap(took, (durationMs) =>
              note(
                skill,
                durationMs,
                Exit.match(exit, {
                  onSuccess: () => "done",
                  onFailure: (cause) => (cause._tag === "Fail" ? cause.error._tag : "interrupted")
                })
              )
            )
          )
          return { success: true as const, result: text, executionTimeMs: yield* took }
        })
      }
    })
  )
}
