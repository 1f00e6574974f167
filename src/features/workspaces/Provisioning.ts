/** Making workspaces: from a definition, or for an agent; in steps, so that one that failed is gone on from. */
import { Context, Effect, Exit, Layer } from "effect"
import { broken } from "../../doors/Recovery.ts"
import { Conflict, type Forbidden, invalid, type Invalid, NotFound } from "../../doors/Failure.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import { Reach, systemReach } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { GovernanceGate } from "../governance/GovernanceGate.ts"
import { People } from "../people/People.ts"
import { MemberStore } from "./MemberStore.ts"
import { agentNamed } from "./OwnAgent.ts"
import { type Progress, ProvisioningStore } from "./ProvisioningStore.ts"
import type { AgentWorkspace, MadeWorkspace, WorkspaceDefinition } from "./Workspace.ts"
import { spaceNamed } from "./WorkspaceAccess.ts"
import { WorkspaceStore } from "./WorkspaceStore.ts"
import { madeOf, type Step, stepsFor, type WorkspaceWish } from "./WorkspaceWish.ts"

export class Provisioning extends Context.Tag("pod/Provisioning")<
  Provisioning,
  {
    /** The same `proposalId` again answers the workspace it made, with `created: false`, and goes on with its steps. */
    readonly fromDefinition: (
      definition: WorkspaceDefinition
    ) => Effect.Effect<MadeWorkspace, Forbidden | Invalid | Proposed, Reach>
    /**
     * A workspace of the agent's person in which the agent is an editor. The same key again answers the one it made,
     * and leaves alone what people said there since. Fails with Forbidden for an agent that is not the caller's, with
     * Conflict when the key made another agent's.
     */
    readonly forAgent: (
      asked: AgentWorkspace
    ) => Effect.Effect<MadeWorkspace, Forbidden | Invalid | Conflict | Proposed, Reach>
    /** Goes on from the step that failed. For those who manage the workspace. */
    readonly retry: (workspaceId: string) => Effect.Effect<void, Forbidden | NotFound | Proposed, Reach>
    /** Makes what a person approved, all of it or nothing. */
    readonly approved: (id: string, wish: WorkspaceWish) => Effect.Effect<void, Conflict | Invalid, Reach>
    /** Whether it can be made for the call's person. */
    readonly check: (wish: WorkspaceWish) => Effect.Effect<void, Invalid, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* ProvisioningStore
      const workspaces = yield* WorkspaceStore
      const members = yield* MemberStore
      const gate = yield* GovernanceGate
      const people = yield* People
      const { atomically } = yield* Transaction

      /**
       * The rest is the pod's own work: the credential was asked when the workspace was made, and its person's access
       * moved on with it. It touches that workspace and nothing else.
       */
      const within = <A, E>(workspaceId: string, work: Effect.Effect<A, E, Reach>) =>
        Effect.flatMap(Reach, ({ notes, origin, principal }) => {
          const own = systemReach("provisioning a workspace", principal.personId, [workspaceId], origin)
          return Effect.provideService(work, Reach, {
            ...own,
            notes: notes.cause === undefined ? {} : { cause: notes.cause }
          })
        })

      const take = (step: Step, workspaceId: string, { agentUserId, profiles }: Progress) => {
        if (step === "profiles") {
          const slugs = profiles.map(({ slug }) => slug)
          const event = { type: "workspace.profiles", subjectId: workspaceId, data: { slugs } }
          return store.addProfiles(workspaceId, profiles, event)
        }
        const agentId = agentUserId ?? ""
        const data = { userId: agentId, workspaceId, role: "editor" }
        const event = { type: "member.create", subjectId: agentId, data }
        return Effect.asVoid(members.enroll(agentId, workspaceId, "editor", event))
      }

      const outcome = (step: string | null) => ({
        type: step === null ? "workspace.ready" : "workspace.failed",
        data: step === null ? {} : { step }
      })

      /** What is left to do, in the transaction of the call: a step that fails fails it all. */
      const finish = (workspaceId: string, progress: Progress) =>
        Effect.gen(function* () {
          for (const step of stepsFor(progress, progress.failedStep)) yield* take(step, workspaceId, progress)
          yield* store.mark(workspaceId, "ready", { ...outcome(null), subjectId: workspaceId })
        })

      /** The same, each step by itself: what failed is said, and what was done stays. */
      const advance = (workspaceId: string, progress: Progress) =>
        Effect.gen(function* () {
          const { origin } = yield* Reach
          for (const step of stepsFor(progress, progress.failedStep)) {
            const exit = yield* Effect.exit(atomically(take(step, workspaceId, progress)))
            if (Exit.isSuccess(exit)) continue
            const said = yield* broken(exit.cause, origin.operation, origin.requestId)
            const errorId = said._tag === "Broken" ? said.errorId : ""
            const why = `The step ${step} did not succeed. Try again, or quote ${errorId} to whoever runs the pod.`
            return yield* store.mark(workspaceId, { step, why }, { ...outcome(step), subjectId: workspaceId })
          }
          yield* store.mark(workspaceId, "ready", { ...outcome(null), subjectId: workspaceId })
        })

      /** Goes on with a workspace that is not ready; one of another agent is not touched. */
      const settle = (workspaceId: string, agentUserId: string | null) =>
        within(
          workspaceId,
          Effect.gen(function* () {
            const progress = yield* store.progress(workspaceId)
            if (progress === null) return
            if (agentUserId !== null && progress.agentUserId !== agentUserId) {
              return yield* new Conflict({
                code: "KEY_TAKEN",
                why: "This idempotencyKey made the workspace of another agent. Choose another one."
              })
            }
            if (progress.status !== "ready") yield* advance(workspaceId, progress)
          })
        )

      const ask = Effect.fnUntraced(function* (wish: WorkspaceWish) {
        const { principal } = yield* Reach
        if (principal.holder.kind === "agent") {
          const earlier = yield* store.earlier(wish)
          if (earlier !== null) return { workspaceId: earlier, created: false }
        }
        const id = uuidv7()
        // It is made outside every workspace, project and object, where a limited key does not reach.
        yield* gate.pass({
          subject: "workspace",
          kind: null,
          action: "create",
          object: { spaceId: principal.personId, isPersonal: true, objectId: null, projectIds: [] },
          targetType: "workspace",
          targetId: id,
          content: wish,
          base: null,
          // With a key or a proposal of the caller's own it is the same workspace, however often it is asked for.
          ...(wish.provisionKey === null && wish.proposalId === null ? {} : { isOnce: "alike" as const }),
          summary: `Make the workspace “${wish.name}”`
        })
        const made = yield* workspaces.add(madeOf(id, wish))
        yield* settle(made.workspaceId, wish.agentUserId)
        return made
      })

      const check = ({ agentUserId }: WorkspaceWish) =>
        agentUserId === null
          ? Effect.void
          : Effect.asVoid(
              Effect.mapError(people.ownAgent(agentUserId), () =>
                invalid("agentUserId", "That is not an agent of the person whose workspace it would be.")
              )
            )

      return {
        fromDefinition: Effect.fn("Provisioning.fromDefinition")(function* (definition) {
          const { ownerUserId: _caller, ...said } = definition
          const { proposalId, templateId, templateName, workspaceName, workspaceType, ...rest } = said
          return yield* Effect.catchTag(
            ask({
              name: workspaceName ?? templateName ?? "Workspace",
              workspaceType: workspaceType ?? null,
              templateId: templateId ?? null,
              proposalId: proposalId ?? null,
              provisionKey: null,
              agentUserId: null,
              definition: rest
            }),
            "Conflict",
            Effect.die // only a key that names an agent's workspace conflicts
          )
        }),

        forAgent: Effect.fn("Provisioning.forAgent")(function* ({ agentUserId, idempotencyKey, workspaceName }) {
          const agent = yield* agentNamed(people, agentUserId)
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

        retry: Effect.fn("Provisioning.retry")(function* (workspaceId) {
          const progress = yield* store.progress(workspaceId)
          yield* spaceNamed(workspaceId)
          yield* gate.pass({
            subject: "workspace",
            kind: null,
            action: "update",
            object: { spaceId: workspaceId, isPersonal: false, objectId: workspaceId, projectIds: [] },
            isForPeople: true
          })
          if (progress === null) return yield* new NotFound({ why: "There is no such workspace." })
          if (progress.status !== "ready") yield* within(workspaceId, advance(workspaceId, progress))
        }),

        approved: (id, wish) =>
          Effect.gen(function* () {
            yield* check(wish)
            const made = yield* workspaces.add(madeOf(id, wish))
            if (!made.created) {
              return yield* new Conflict({ code: "ALREADY_MADE", why: "This workspace has been made by now." })
            }
            const work = Effect.flatMap(store.progress(id), (progress) =>
              progress === null || progress.status === "ready" ? Effect.void : finish(id, progress)
            )
            yield* within(id, work)
          }),

        check
      }
    })
  )
}
