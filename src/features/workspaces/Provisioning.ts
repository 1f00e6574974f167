/** Making workspaces: from a definition, or for an agent; in steps, so that one that failed is gone on from. */
import { Context, Effect, Exit, Layer } from "effect"
import { broken } from "../../doors/Recovery.ts"
import { Conflict, type WriteRefusal, type Forbidden, type Invalid, invalid, NotFound } from "../../doors/Failure.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import { Reach, systemReach } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { GovernanceGate } from "../gate/GovernanceGate.ts"
import type { Moment } from "../gate/Changers.ts"
import type { Passed } from "../gate/Passed.ts"
import { type Asked, contentOver, type Described, type GatedWrite, objectIn } from "../gate/Write.ts"
import { People } from "../people/People.ts"
import { MemberStore } from "./MemberStore.ts"
import { agentNamed } from "./OwnAgent.ts"
import { type Progress, ProvisioningStore } from "./ProvisioningStore.ts"
import type { AgentWorkspace, MadeWorkspace, WorkspaceDefinition } from "./Workspace.ts"
import { spaceNamed } from "./WorkspaceAccess.ts"
import { WorkspaceStore } from "./WorkspaceStore.ts"
import { madeOf, provisionsOf, type Step, stepsFor, wishOf, type WorkspaceWish } from "./WorkspaceWish.ts"

export class Provisioning extends Context.Tag("pod/Provisioning")<
  Provisioning,
  {
    /** The same `proposalId` again answers the workspace it made, with `created: false`, and goes on with its steps. */
    readonly fromDefinition: (
      definition: WorkspaceDefinition
    ) => Effect.Effect<MadeWorkspace, WriteRefusal | Proposed, Reach>
    /**
     * A workspace of the agent's person in which the agent is an editor. The same key again answers the one it made,
     * and leaves alone what people said there since. Fails with Forbidden for an agent that is not the caller's, with
     * Conflict when the key made another agent's.
     */
    readonly forAgent: (asked: AgentWorkspace) => Effect.Effect<MadeWorkspace, WriteRefusal | Proposed, Reach>
    /** Goes on from the step that failed. For those who manage the workspace. */
    readonly retry: (workspaceId: string) => Effect.Effect<void, Forbidden | NotFound | Proposed, Reach>
    /** Makes what a person approved, all of it or nothing. */
    readonly approved: (id: string, wish: WorkspaceWish, passed: Passed) => Effect.Effect<void, Conflict, Reach>
    /** What making a workspace is, with all that is made besides. */
    readonly describe: (asked: Asked) => Effect.Effect<Described, WriteRefusal, Reach>
    /** Whether it can be made for the call's person, and for this agent. */
    readonly check: (wish: WorkspaceWish, moment: Moment) => Effect.Effect<void, Forbidden | Invalid, Reach>
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
        Effect.flatMap(Reach, ({ origin, principal }) =>
          Effect.provideService(
            work,
            Reach,
            systemReach("provisioning a workspace", principal.personId, [workspaceId], origin)
          )
        )

      const take = (step: Step, workspaceId: string, { agentUserId, profiles }: Progress, passed: Passed) => {
        if (step === "profiles") {
          const slugs = profiles.map(({ slug }) => slug)
          const event = { type: "workspace.profiles", subjectId: workspaceId, data: { slugs } }
          return store.addProfiles(workspaceId, profiles, event, passed)
        }
        const agentId = agentUserId ?? ""
        const data = { userId: agentId, workspaceId, role: "editor" }
        const event = { type: "member.create", subjectId: agentId, data }
        return Effect.asVoid(members.enroll(agentId, workspaceId, "editor", event, passed))
      }

      const outcome = (step: string | null) => ({
        type: step === null ? "workspace.ready" : "workspace.failed",
        data: step === null ? {} : { step }
      })

      /** What is left to do, in the transaction of the call: a step that fails fails it all. */
      const finish = (workspaceId: string, progress: Progress, passed: Passed) =>
        Effect.gen(function* () {
          for (const step of stepsFor(progress, progress.failedStep)) yield* take(step, workspaceId, progress, passed)
          yield* store.mark(workspaceId, "ready", { ...outcome(null), subjectId: workspaceId }, passed)
        })

      /** The same, each step by itself: what failed is said, and what was done stays. */
      const advance = (workspaceId: string, progress: Progress, passed: Passed) =>
        Effect.gen(function* () {
          const { origin } = yield* Reach
          for (const step of stepsFor(progress, progress.failedStep)) {
            const exit = yield* Effect.exit(atomically(take(step, workspaceId, progress, passed)))
            if (Exit.isSuccess(exit)) continue
            const said = yield* broken(exit.cause, origin.operation, origin.requestId)
            const errorId = said._tag === "Broken" ? said.errorId : ""
            const why = `The step ${step} did not succeed. Try again, or quote ${errorId} to whoever runs the pod.`
            return yield* store.mark(workspaceId, { step, why }, { ...outcome(step), subjectId: workspaceId }, passed)
          }
          yield* store.mark(workspaceId, "ready", { ...outcome(null), subjectId: workspaceId }, passed)
        })

      /** Goes on with a workspace that is not ready; one of another agent is not touched. */
      const settle = (workspaceId: string, agentUserId: string | null, passed: Passed) =>
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
            if (progress.status !== "ready") yield* advance(workspaceId, progress, passed)
          })
        )

      /** It is made outside every workspace, project and object, where a limited key does not reach. */
      const describe = (asked: Asked) =>
        Effect.gen(function* () {
          const { personId } = (yield* Reach).principal
          const content = contentOver(asked, null)
          const wish = yield* wishOf(content)
          const object = objectIn(personId, personId, null)
          const besides = (subject: "member" | "profile" | "workspace", action: "create" | "update"): GatedWrite => ({
            subject,
            kind: null,
            action,
            object
          })
          const { profiles } = provisionsOf(wish)
          const agents = yield* people.agents
          const agent = agents.find(({ id }) => id === wish.agentUserId)?.name ?? wish.agentUserId
          return {
            subject: "workspace" as const,
            kind: null,
            object,
            // An agent's own workspace lets it in and lets it write there unasked.
            also: [
              ...(wish.agentUserId === null ? [] : [besides("member", "create"), besides("workspace", "update")]),
              ...(profiles.length === 0 ? [] : [besides("profile", "create")])
            ],
            content,
            base: null,
            // With a key or a proposal of the caller's own it is the same workspace, however often it is asked for.
            ...(wish.provisionKey === null && wish.proposalId === null ? {} : { isOnce: "alike" as const }),
            summary: `Make the workspace “${wish.name}”${agent === null ? "" : `, in which the agent “${agent}” writes unasked`}`
          }
        })

      const check = ({ agentUserId }: WorkspaceWish, moment: Moment) =>
        Effect.gen(function* () {
          if (agentUserId === null) return
          const { holder } = (yield* Reach).principal
          // An agent speaks for itself; a person may have chosen another of theirs before they approve.
          if (holder.kind === "agent" && moment !== "approved") yield* agentNamed(people, agentUserId)
          yield* Effect.mapError(people.ownAgent(agentUserId), () =>
            invalid("agentUserId", "That is not an agent of the person whose workspace it would be.")
          )
        })

      const ask = Effect.fnUntraced(function* (wish: WorkspaceWish) {
        const { principal } = yield* Reach
        if (principal.holder.kind === "agent") {
          const earlier = yield* store.earlier(wish)
          if (earlier !== null) return { workspaceId: earlier, created: false }
        }
        const targetId = uuidv7()
        const asked = { action: "create" as const, targetId, spaceId: principal.personId, content: wish }
        const change = { ...(yield* describe(asked)), action: asked.action, targetType: "workspace", targetId }
        yield* gate.refuse(change)
        yield* check(wish, "asked")
        const passed = yield* gate.pass(change)
        const made = yield* workspaces.add(madeOf(targetId, wish), passed)
        yield* settle(made.workspaceId, wish.agentUserId, made.created ? passed.besides : passed.again)
        return made
      })

      return {
        fromDefinition: Effect.fn("Provisioning.fromDefinition")(function* (definition) {
          const { ownerUserId: _caller, ...said } = definition
          const { proposalId, templateId, templateName, workspaceName, workspaceType, ...rest } = said
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
          const passed = yield* gate.pass({
            subject: "workspace",
            kind: null,
            action: "update",
            object: { spaceId: workspaceId, isPersonal: false, objectId: workspaceId, projectIds: [] },
            isForPeople: true
          })
          if (progress === null) return yield* new NotFound({ why: "There is no such workspace." })
          if (progress.status !== "ready") yield* within(workspaceId, advance(workspaceId, progress, passed.again))
        }),

        describe,
        check,
        approved: (id, wish, passed) =>
          Effect.gen(function* () {
            const made = yield* workspaces.add(madeOf(id, wish), passed)
            if (!made.created) {
              return yield* new Conflict({ code: "ALREADY_MADE", why: "This workspace has been made by now." })
            }
            const work = Effect.flatMap(store.progress(id), (progress) =>
              progress === null || progress.status === "ready" ? Effect.void : finish(id, progress, passed.besides)
            )
            yield* within(id, work)
          })
      }
    })
  )
}
