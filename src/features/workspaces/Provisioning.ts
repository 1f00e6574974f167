/**
 * Creates workspaces from a definition or for an agent. The creation has several steps. If a step fails, a later call
 * can continue the creation from this step.
 */
import { Context, Effect, Layer } from "effect"
import { missingRecord } from "../../doors/MissingRecord.ts"
import { Conflict, type WriteRefusal, type Forbidden, type Invalid, invalid, NotFound } from "../../doors/Failure.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import { Reach, systemReach } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { GovernanceGate } from "../gate/GovernanceGate.ts"
import type { CheckStage } from "../gate/Changers.ts"
import type { Passed } from "../gate/Passed.ts"
import { quotaKeeper } from "../gate/Quotas.ts"
import { type RequestedWrite, requestedContent, type DescribedWrite, type GatedWrite, objectIn } from "../gate/Write.ts"
import { People } from "../people/People.ts"
import { creationSteps } from "./CreationSteps.ts"
import { ownAgent } from "./OwnAgent.ts"
import { type ProvisioningProgress, ProvisioningStore } from "./ProvisioningStore.ts"
import type { AgentWorkspace, CreatedWorkspace, WorkspaceDefinition } from "./Workspace.ts"
import { requestedSpace } from "./WorkspaceAccess.ts"
import { WorkspaceStore } from "./WorkspaceStore.ts"
import { newWorkspaceOf, provisioningInputOf, workspaceRequestOf, type WorkspaceRequest } from "./WorkspaceRequest.ts"

const workspaceGone = new Conflict({
  code: "KEY_TAKEN",
  why: "An earlier request with this `proposalId` or `idempotencyKey` created a workspace that you can no longer read: it was archived, or you left it. Use another value to create a new workspace."
})

const ofOtherAgent = new Conflict({
  code: "KEY_TAKEN",
  why: "This `idempotencyKey` was already used to create the workspace of another agent. Use another `idempotencyKey`."
})

export class Provisioning extends Context.Tag("pod/Provisioning")<
  Provisioning,
  {
    /**
     * Creates a workspace from a definition. If the `proposalId` was used before, returns the existing workspace with
     * `created: false` and continues with the steps that are not done. Fails with Conflict if the caller can no longer
     * read the existing workspace.
     */
    readonly fromDefinition: (
      definition: WorkspaceDefinition
    ) => Effect.Effect<CreatedWorkspace, WriteRefusal | Proposed, Reach>
    /**
     * Creates a workspace for an agent. The owner of the workspace is the person who owns the agent, and the agent is
     * an editor. If an earlier request used the `idempotencyKey`, returns the existing workspace and does not undo
     * later changes of the workspace. Fails with Forbidden if the caller does not own the agent. Fails with Conflict if
     * the earlier request was for another agent, or if the caller can no longer read the existing workspace.
     */
    readonly forAgent: (request: AgentWorkspace) => Effect.Effect<CreatedWorkspace, WriteRefusal | Proposed, Reach>
    /** Continues the creation from the failed step. Only owners and admins of the workspace are allowed to do this. */
    readonly retry: (workspaceId: string) => Effect.Effect<void, Forbidden | NotFound | Proposed, Reach>
    /** Creates the workspace that a person approved. Either all steps succeed, or the call creates nothing. */
    readonly approved: (
      id: string,
      draft: WorkspaceRequest,
      passed: Passed
    ) => Effect.Effect<void, Conflict | Forbidden, Reach>
    /**
     * Describes the creation of a workspace as a change that the gate can judge. The description includes everything
     * that the creation adds.
     */
    readonly describe: (request: RequestedWrite) => Effect.Effect<DescribedWrite, WriteRefusal, Reach>
    /** Fails if the pod cannot create the workspace for this agent and for the caller's person. */
    readonly check: (draft: WorkspaceRequest, moment: CheckStage) => Effect.Effect<void, Forbidden | Invalid, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* ProvisioningStore
      const workspaces = yield* WorkspaceStore
      const gate = yield* GovernanceGate
      const people = yield* People
      const { atomically, exclusively } = yield* Transaction
      const keeper = yield* quotaKeeper
      const { finish, resume } = yield* creationSteps

      /**
       * Runs the steps of the creation with system rights that cover only the new workspace. The rights that the pod
       * read for this call are outdated, because the new workspace has changed the access of the person. An earlier
       * statement of the same transaction must have checked the credential of the call. A revocation waits for this
       * transaction, so when the pod has answered a revocation, it stores nothing more of the workspace.
       */
      const within = <A, E>(workspaceId: string, work: Effect.Effect<A, E, Reach>) =>
        Effect.flatMap(Reach, ({ origin, principal }) =>
          Effect.provideService(
            work,
            Reach,
            systemReach("provision a workspace", principal.personId, [workspaceId], origin)
          )
        )

      /**
       * Continues the creation of a workspace that is not ready. Reads the progress under a lock, because otherwise two
       * simultaneous calls would run and log the same steps. `check` can refuse the workspace.
       */
      const continued = <E>(
        workspaceId: string,
        passed: Passed,
        check: (progress: ProvisioningProgress) => Effect.Effect<void, E>
      ) =>
        within(
          workspaceId,
          exclusively(
            `creation of the workspace ${workspaceId}`,
            Effect.gen(function* () {
              const progress = yield* store.progress(workspaceId)
              if (progress === null) return
              yield* check(progress)
              if (progress.status !== "ready") yield* resume(workspaceId, progress, passed)
            })
          )
        )

      /**
       * Describes the creation of a workspace as a change. A key that is limited to some workspaces, projects or
       * objects cannot create a workspace, because the new workspace is outside these limits.
       */
      const describe = Effect.fnUntraced(function* (request: RequestedWrite) {
        const { personId } = (yield* Reach).principal
        const content = requestedContent(request, null)
        const draft = yield* workspaceRequestOf(content)
        const object = objectIn(personId, personId, null)
        const besides = (subject: "member" | "profile" | "workspace", action: "create" | "update"): GatedWrite => ({
          subject,
          kind: null,
          action,
          object
        })
        const { profiles } = provisioningInputOf(draft)
        const agents = yield* people.agents
        const agent = agents.find(({ id }) => id === draft.agentUserId)?.name ?? draft.agentUserId
        return {
          subject: "workspace" as const,
          kind: null,
          object,
          // If the pod creates the workspace for an agent, the agent becomes a member and is allowed to write without
          // approval. The gate must know this.
          also: [
            ...(draft.agentUserId === null ? [] : [besides("member", "create"), besides("workspace", "update")]),
            ...(profiles.length === 0 ? [] : [besides("profile", "create")])
          ],
          content,
          base: null,
          // Requests with the same `provisionKey` or `proposalId` are for the same workspace, so only one of them
          // becomes a proposal.
          ...(draft.provisionKey === null && draft.proposalId === null ? {} : { isOnce: "alike" as const }),
          summary: `Create the workspace “${draft.name}”${agent === null ? "" : `, where the agent “${agent}” may write without approval`}`
        }
      })

      const roomForProfiles = (draft: WorkspaceRequest) =>
        Effect.suspend(() => {
          const { length } = provisioningInputOf(draft).profiles
          return length === 0 ? Effect.void : keeper.room("profile", { count: length })
        })

      const check = Effect.fnUntraced(function* (draft: WorkspaceRequest, moment: CheckStage) {
        const { agentUserId } = draft
        if (moment !== "asked") {
          yield* keeper.room("workspace")
          yield* roomForProfiles(draft)
        }
        if (agentUserId === null) return
        const { holder } = (yield* Reach).principal
        // An agent can request a workspace only for itself. A person can approve such a request for any of the person's
        // own agents.
        if (holder.kind === "agent" && moment !== "approved") yield* ownAgent(people, agentUserId)
        yield* Effect.mapError(people.ownAgent(agentUserId), () =>
          invalid(
            "agentUserId",
            "This agent does not belong to the person who would own the workspace. Send the id of an agent of this person."
          )
        )
      })

      const ask = Effect.fnUntraced(function* (draft: WorkspaceRequest) {
        const { principal } = yield* Reach
        if (principal.holder.kind === "agent") {
          const earlier = yield* store.earlier(draft)
          if (earlier !== null) return { workspaceId: earlier, created: false }
        }
        const targetId = uuidv7()
        const request = { action: "create" as const, targetId, spaceId: principal.personId, content: draft }
        const change = { ...(yield* describe(request)), action: request.action, targetType: "workspace", targetId }
        yield* gate.refuse(change)
        yield* check(draft, "asked")
        const passed = yield* gate.pass(change)
        // The room for the profiles is checked together with the new workspace, so that a refusal leaves no workspace.
        // A repeated call finds its workspace, also if the quotas are full now.
        const added = Effect.tap(workspaces.add(newWorkspaceOf(targetId, draft), passed), ({ created }) =>
          created ? roomForProfiles(draft) : Effect.void
        )
        const stored = Effect.mapError(
          keeper.within("workspace", added, { isAdded: ({ created }) => created }),
          (failure) => (failure._tag === "Forbidden" ? failure : workspaceGone)
        )
        return yield* atomically(
          Effect.tap(stored, ({ created, workspaceId }) =>
            continued(workspaceId, created ? passed.forOthers : passed.forNext, ({ agentUserId }) =>
              draft.agentUserId !== null && agentUserId !== draft.agentUserId ? Effect.fail(ofOtherAgent) : Effect.void
            )
          )
        )
      })

      return {
        fromDefinition: Effect.fnUntraced(function* (definition) {
          const { ownerUserId: _caller, ...details } = definition
          const { proposalId, templateId, templateName, workspaceName, workspaceType, ...rest } = details
          return yield* ask({
            name: workspaceName ?? templateName ?? "Workspace",
            workspaceType: workspaceType ?? null,
            templateId: templateId ?? null,
            proposalId: proposalId ?? null,
            provisionKey: null,
            agentUserId: null,
            definition: rest
          })
        }),

        forAgent: Effect.fnUntraced(function* ({ agentUserId, idempotencyKey, workspaceName }) {
          const agent = yield* ownAgent(people, agentUserId)
          return yield* ask({
            name: workspaceName ?? `${agent.name} Knowledge Base`,
            workspaceType: "agent",
            templateId: null,
            proposalId: null,
            provisionKey: idempotencyKey ?? `agent-workspace-${agentUserId}`,
            agentUserId,
            definition: {}
          })
        }),

        retry: Effect.fnUntraced(function* (workspaceId) {
          yield* requestedSpace(workspaceId)
          const passed = yield* gate.pass({
            subject: "workspace",
            kind: null,
            action: "update",
            object: { spaceId: workspaceId, isPersonal: false, objectId: workspaceId, projectIds: [] },
            isForPeople: true
          })
          const progress = Effect.filterOrFail(
            store.progress(workspaceId),
            (found) => found !== null,
            () => missingRecord("workspace")
          )
          yield* atomically(
            Effect.zipRight(
              progress,
              continued(workspaceId, passed.forNext, () => Effect.void)
            )
          )
        }),

        describe,
        check,
        approved: Effect.fnUntraced(function* (id, draft, passed) {
          const workspace = yield* Effect.mapError(
            workspaces.add(newWorkspaceOf(id, draft), passed),
            () => workspaceGone
          )
          if (!workspace.created) {
            return yield* new Conflict({ code: "ALREADY_MADE", why: "The workspace of this proposal already exists." })
          }
          const work = Effect.flatMap(store.progress(id), (progress) =>
            progress === null || progress.status === "ready" ? Effect.void : finish(id, progress, passed.forOthers)
          )
          yield* within(id, work)
        })
      }
    })
  )
}
