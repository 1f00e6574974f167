/** Members: how an agent comes into a workspace, asked for by its person or, as a proposal, by itself. */
import { Context, Effect, Either, Layer, Schema } from "effect"
import { Conflict, type Forbidden, type Invalid, invalid, NotFound, NotImplemented } from "../../doors/Failure.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import { Reach } from "../../doors/Reach.ts"
import { Changers } from "../governance/Changers.ts"
import { GovernanceGate } from "../governance/GovernanceGate.ts"
import type { Change } from "../governance/Write.ts"
import { People } from "../people/People.ts"
import { type AgentRole, type Enrolled, type Enrolment, MemberContent } from "./Enrolment.ts"
import { MemberStore } from "./MemberStore.ts"
import { agentNamed } from "./OwnAgent.ts"
import { spaceNamed } from "./WorkspaceAccess.ts"

const decode = Schema.decodeUnknownEither(MemberContent, { onExcessProperty: "error" })

/** Who is let in where is fixed by what the change is about; only the role may be edited. */
const contentOf = ({ content, object, targetId }: Pick<Change, "content" | "object" | "targetId">) =>
  Either.flatMap(
    Either.mapLeft(decode(content), () =>
      invalid("data", "Say userId, workspaceId and role: viewer, editor or admin.")
    ),
    (member) =>
      member.userId === targetId && member.workspaceId === object.spaceId
        ? Either.right(member)
        : Either.left(invalid("data", "Only the role can be another one than was asked for."))
  )

const enrolled = (agentId: string, spaceId: string, role: AgentRole) => ({
  type: "member.create",
  subjectId: agentId,
  data: { userId: agentId, workspaceId: spaceId, role }
})

const onlyEnrolment = new NotImplemented({ why: "A membership of an agent is made and taken back, and nothing else." })

export class Members extends Context.Tag("pod/Members")<
  Members,
  {
    /**
     * Lets an agent in. Fails with Forbidden for an agent that is not the caller's, and for a named workspace in which
     * the caller lets nobody in; ends with Proposed for the agent itself.
     */
    readonly enroll: (asked: Enrolment) => Effect.Effect<Enrolled, Forbidden | Invalid | Proposed, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* MemberStore
      const gate = yield* GovernanceGate
      const changers = yield* Changers
      const people = yield* People

      yield* changers.register("member", {
        current: (agentId, spaceId) =>
          Effect.map(store.memberships(agentId), (all) => {
            const member = all.find((membership) => membership.spaceId === spaceId)
            return member === undefined
              ? null
              : { version: 1, fields: { userId: agentId, workspaceId: spaceId, role: member.role } }
          }),
        apply: (change) =>
          Effect.gen(function* () {
            const { action, object, targetId } = change
            if (action === "delete") {
              const event = { type: "member.delete", subjectId: targetId, data: { workspaceId: object.spaceId } }
              const isGone = yield* store.dismiss(targetId, object.spaceId, event)
              return isGone ? null : yield* new NotFound({ why: "That agent is not in the workspace." })
            }
            if (action !== "create") return yield* onlyEnrolment
            const member = yield* contentOf(change)
            const isNew = yield* store.enroll(
              targetId,
              object.spaceId,
              member.role,
              enrolled(targetId, object.spaceId, member.role)
            )
            if (isNew) return { version: 1, fields: { ...member } }
            return yield* new Conflict({ code: "ALREADY_MEMBER", why: "The agent is in the workspace by now." })
          }),
        describe: () =>
          Effect.fail(invalid("targetType", "Ask to be let in with POST /workspaces/enroll-agent instead.")),
        check: (change) => (change.action === "create" ? Effect.asVoid(contentOf(change)) : Effect.fail(onlyEnrolment))
      })

      const changeFor = (agentId: string, name: string, spaceId: string, role: AgentRole): Change => ({
        subject: "member",
        kind: null,
        action: "create",
        object: { spaceId, isPersonal: false, objectId: null, projectIds: [] },
        targetType: "member",
        targetId: agentId,
        content: { userId: agentId, workspaceId: spaceId, role },
        base: null,
        summary: `Let the agent “${name}” into the workspace as ${role}`
      })

      /** The workspaces that are meant: the named one, or all that the caller's credential reaches. */
      const meant = Effect.fnUntraced(function* (workspaceId: string | undefined) {
        const { principal } = yield* Reach
        if (workspaceId === undefined) {
          const workspaces = principal.memberships.filter(({ spaceId }) => spaceId !== principal.personId)
          const reached = yield* Effect.forEach(workspaces, ({ spaceId }) => Effect.option(spaceNamed(spaceId)))
          return reached.flatMap((space) => (space._tag === "Some" ? [space.value] : []))
        }
        const spaceId = yield* spaceNamed(workspaceId)
        if (spaceId === principal.personId) {
          return yield* invalid("workspaceId", "Name a workspace: in its person's own space an agent is at home.")
        }
        return [spaceId]
      })

      return {
        enroll: Effect.fn("Members.enroll")(function* ({ agentUserId, role, workspaceId }) {
          const { principal } = yield* Reach
          const agent = yield* agentNamed(people, agentUserId)
          const isAgent = principal.holder.kind === "agent"
          if (isAgent && workspaceId === undefined) {
            return yield* invalid("workspaceId", "An agent asks to be let into one workspace at a time.")
          }
          if (isAgent && role !== "editor") {
            return yield* invalid("role", "An agent asks to come in as an editor; a person may choose another role.")
          }
          const spaces = yield* meant(workspaceId)
          const already = new Set((yield* store.memberships(agentUserId)).map(({ spaceId }) => spaceId))
          const skipped: Array<string> = []
          for (const spaceId of spaces) {
            if (already.has(spaceId)) continue
            const change = changeFor(agentUserId, agent.name, spaceId, role)
            if (workspaceId === undefined && (yield* gate.judge(principal, change)).verdict !== "allow") {
              skipped.push(spaceId)
              continue
            }
            yield* gate.pass(change)
            yield* store.enroll(agentUserId, spaceId, role, enrolled(agentUserId, spaceId, role))
          }
          return { enrolled: spaces.filter((spaceId) => !skipped.includes(spaceId)), skipped }
        })
      }
    })
  )
}
