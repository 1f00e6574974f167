/** The steps of the creation of a workspace: its agent becomes a member, and the workspace gets its profiles. */
import { Cause, Effect, Exit, Option } from "effect"
import { logInternalError } from "../../doors/Recovery.ts"
import { Reach } from "../../doors/Reach.ts"
import { Transaction } from "../../platform/Transaction.ts"
import type { Passed } from "../gate/Passed.ts"
import { quotaKeeper } from "../gate/Quotas.ts"
import { MemberStore } from "./MemberStore.ts"
import { type ProvisioningProgress, ProvisioningStore } from "./ProvisioningStore.ts"
import { creationEvent, openSteps, type Step } from "./WorkspaceRequest.ts"

/** Makes the functions that run the remaining steps of a creation. The reach must cover the new workspace. */
export const creationSteps = Effect.gen(function* () {
  const store = yield* ProvisioningStore
  const members = yield* MemberStore
  const keeper = yield* quotaKeeper
  const { atomically } = yield* Transaction

  const take = (step: Step, workspaceId: string, { agentUserId, profiles }: ProvisioningProgress, passed: Passed) => {
    if (step === "profiles") {
      const slugs = profiles.map(({ slug }) => slug)
      const event = { type: "workspace.profiles", subjectId: workspaceId, data: { slugs } }
      return keeper.within("profile", store.addProfiles(workspaceId, profiles, event, passed))
    }
    const agentId = agentUserId ?? ""
    const data = { userId: agentId, workspaceId, role: "editor" }
    const event = { type: "member.create", subjectId: agentId, data }
    return Effect.asVoid(members.enroll(agentId, workspaceId, "editor", event, passed))
  }

  /**
   * Runs the remaining steps of the creation in the transaction of the call. If one step fails, the transaction
   * rolls back all steps.
   */
  const finish = Effect.fnUntraced(function* (workspaceId: string, progress: ProvisioningProgress, passed: Passed) {
    for (const step of openSteps(progress, progress.failedStep)) yield* take(step, workspaceId, progress, passed)
    yield* store.mark(workspaceId, "ready", creationEvent(workspaceId, null), passed)
  })

  /** Runs each remaining step in a nested transaction. Records a failure, and keeps the completed steps. */
  const resume = Effect.fnUntraced(function* (workspaceId: string, progress: ProvisioningProgress, passed: Passed) {
    const { origin } = yield* Reach
    const failed = (step: Step, why: string) =>
      store.mark(workspaceId, { step, why }, creationEvent(workspaceId, step), passed)
    for (const step of openSteps(progress, progress.failedStep)) {
      const exit = yield* Effect.exit(atomically(take(step, workspaceId, progress, passed)))
      if (Exit.isSuccess(exit)) continue
      // Only a full quota is a failure. Everything else is a defect, which the log describes.
      const refusal = Cause.failureOption(exit.cause)
      if (Option.isSome(refusal)) return yield* failed(step, refusal.value.why)
      const failure = yield* logInternalError(exit.cause, origin.operation, origin.requestId)
      const errorId = failure._tag === "Broken" ? failure.errorId : ""
      return yield* failed(step, `The step ${step} failed. Try again, or report ${errorId} to the operator of the pod.`)
    }
    yield* store.mark(workspaceId, "ready", creationEvent(workspaceId, null), passed)
  })

  return { finish, resume }
})
