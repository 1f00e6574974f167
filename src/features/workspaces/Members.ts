/**
 * Makes an agent a member of a workspace. The person who owns the agent makes the request. If the agent itself makes
 * the request, the request becomes a proposal.
 */
import { Context, Effect, Either, Layer, Schema } from "effect"
import { Conflict, type WriteRefusal, invalid, NotFound, NotImplemented } from "../../doors/Failure.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import { Reach } from "../../doors/Reach.ts"
import { endCallsBeforeAnswer, Revocations } from "../../doors/Revocations.ts"
import { Database } from "../../platform/Database.ts"
import { isUndone, writerOf } from "../gate/Changers.ts"
import { type Change, requestedContent, objectIn, type Snapshot } from "../gate/Write.ts"
import { People } from "../people/People.ts"
import { type AgentRole, type EnrolmentResponse, type Enrolment, MemberContent } from "./Enrolment.ts"
import { MemberStore } from "./MemberStore.ts"
import { ownAgent } from "./OwnAgent.ts"
import { requestedSpace } from "./WorkspaceAccess.ts"

const decode = Schema.decodeUnknownEither(MemberContent, { onExcessProperty: "error" })

/**
 * Reads the content of a change to a membership. The content must name the same agent and workspace as the target of
 * the change. So if a person edits the change, only the role can be different.
 */
const contentOf = ({ content, object, targetId }: Pick<Change, "content" | "object" | "targetId">) =>
  Either.flatMap(
    Either.mapLeft(decode(content), () =>
      invalid("data", "Send `userId`, `workspaceId` and `role`. The role is `viewer`, `editor` or `admin`.")
    ),
    (member) =>
      member.userId === targetId && member.workspaceId === object.spaceId
        ? Either.right(member)
        : Either.left(invalid("data", "An edit of this proposal can change only the role."))
  )

const enrolledAnswer = (agentId: string, spaceId: string, role: AgentRole) => ({
  type: "member.create",
  subjectId: agentId,
  data: { userId: agentId, workspaceId: spaceId, role }
})

const alreadyMember = new Conflict({
  code: "ALREADY_MEMBER",
  why: "The agent is already a member of the workspace."
})

/** The refusal if the person of the agent leaves the workspace at the moment of the enrolment. */
const personLeft = new Conflict({
  code: "AUTHORITY_GONE",
  why: "The person that the agent acts for is no longer a member of the workspace."
})

const onlyEnrolment = new NotImplemented({
  why: "A proposal can only add an agent to a workspace, and a revert of that proposal can remove the agent again. A proposal cannot change a membership."
})

export class Members extends Context.Tag("pod/Members")<
  Members,
  {
    /** Lists the memberships of an agent in workspaces that the caller may read, oldest first. */
    readonly memberships: MemberStore["Type"]["memberships"]
    /**
     * Adds an agent. Fails with Forbidden if the caller does not own the agent, or is not allowed to add members in the
     * named workspace. If the agent itself makes the request, the request becomes a proposal, and the method fails with
     * Proposed.
     */
    readonly enroll: (enrolment: Enrolment) => Effect.Effect<EnrolmentResponse, WriteRefusal | Proposed, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* MemberStore
      const people = yield* People
      const endAfterwards = endCallsBeforeAnswer(yield* Database, yield* Revocations)

      /** Finds the name of an agent of the caller's person. If the person has no such agent, returns the id instead. */
      const nameOf = (agentId: string) =>
        Effect.map(people.agents, (agents) => agents.find(({ id }) => id === agentId)?.name ?? agentId)

      const membershipOf = (agentId: string, spaceId: string | null) =>
        Effect.map(store.memberships([agentId]), (all): Snapshot | null => {
          const member = all.find((membership) => membership.spaceId === spaceId)
          return member === undefined
            ? null
            : { version: 1, fields: { userId: agentId, workspaceId: spaceId, role: member.role } }
        })

      const write = yield* writerOf<boolean>("member", {
        traits: { subject: "member", actions: ["create"] },
        current: membershipOf,
        describe: Effect.fnUntraced(function* (request) {
          const { action, spaceId, targetId } = request
          const { personId } = (yield* Reach).principal
          const base = action === "create" ? null : yield* membershipOf(targetId, spaceId)
          if (action !== "create" && base === null) {
            return yield* new NotFound({ why: "This agent is not a member of the workspace." })
          }
          const content = requestedContent(request, base)
          const name = yield* nameOf(targetId)
          return {
            object: objectIn(personId, spaceId, null),
            content,
            base,
            summary:
              action === "create"
                ? `Add the agent “${name}” to the workspace as ${String(content["role"])}`
                : `Remove the agent “${name}” from the workspace`
          }
        }),
        check: Effect.fnUntraced(function* (change, moment) {
          if (isUndone(moment)) return { content: change.content }
          if (change.action !== "create") return yield* onlyEnrolment
          const { role } = yield* contentOf(change)
          if (moment !== "approved") {
            const { principal } = yield* Reach
            yield* ownAgent(people, change.targetId)
            if (principal.holder.kind === "agent" && role !== "editor") {
              return yield* invalid(
                "role",
                "An agent can ask only for the role `editor`. A person may choose another role."
              )
            }
          }
          return { content: change.content }
        }),
        apply: Effect.fnUntraced(function* (change, passed) {
          const { action, object, targetId } = change
          if (action === "delete") {
            const event = { type: "member.delete", subjectId: targetId, data: { workspaceId: object.spaceId } }
            const isGone = yield* store.dismiss(targetId, object.spaceId, event, passed)
            if (!isGone) return yield* new NotFound({ why: "This agent is not a member of the workspace." })
            yield* endAfterwards(targetId)
            return true
          }
          if (action !== "create") return yield* onlyEnrolment
          const { role } = yield* contentOf(change)
          const event = enrolledAnswer(targetId, object.spaceId, role)
          const isNew = yield* store.enroll(targetId, object.spaceId, role, event, passed)
          if (isNew) return true
          const isMember = (yield* membershipOf(targetId, object.spaceId)) !== null
          return yield* isMember ? alreadyMember : personLeft
        })
      })

      /**
       * Returns the workspaces to which the request adds the agent. If the request names no workspace, returns all
       * workspaces that the caller's credential can use.
       */
      const spacesToJoin = Effect.fnUntraced(function* (workspaceId: string | undefined) {
        const { principal } = yield* Reach
        if (workspaceId === undefined) {
          const workspaces = principal.memberships.filter(({ spaceId }) => spaceId !== principal.personId)
          const reachableSpaces = yield* Effect.forEach(workspaces, ({ spaceId }) =>
            Effect.option(requestedSpace(spaceId))
          )
          return reachableSpaces.flatMap((space) => (space._tag === "Some" ? [space.value] : []))
        }
        const spaceId = yield* requestedSpace(workspaceId)
        if (spaceId === principal.personId) {
          return yield* invalid(
            "workspaceId",
            "Send the id of a workspace. An agent already has access to the personal space of the person that it acts for."
          )
        }
        return [spaceId]
      })

      return {
        memberships: store.memberships,
        enroll: Effect.fnUntraced(function* ({ agentUserId, reasoning, role, workspaceId }) {
          const { principal } = yield* Reach
          yield* ownAgent(people, agentUserId)
          if (principal.holder.kind === "agent" && workspaceId === undefined) {
            return yield* invalid(
              "workspaceId",
              "Send the id of a workspace. An agent can ask to join only one workspace at a time."
            )
          }
          const spaces = yield* spacesToJoin(workspaceId)
          const currentSpaces = new Set((yield* store.memberships([agentUserId])).map(({ spaceId }) => spaceId))
          const skipped: Array<string> = []
          for (const spaceId of spaces) {
            if (currentSpaces.has(spaceId)) continue
            const content = { userId: agentUserId, workspaceId: spaceId, role }
            // Another call possibly adds the agent at the same moment. This call then returns the same answer as a call
            // for an agent that is already a member.
            const entering = Effect.catchIf(
              write({ action: "create", targetId: agentUserId, spaceId, content }, { reasoning }),
              (failure) => failure._tag === "Conflict" && failure.code === alreadyMember.code,
              () => Effect.succeed(true)
            )
            // If the request names no workspace, skips workspaces in which the caller may not add members.
            const isIn =
              workspaceId !== undefined ? entering : Effect.catchTag(entering, "Forbidden", () => Effect.succeed(false))
            if (!(yield* isIn)) skipped.push(spaceId)
          }
          return { enrolled: spaces.filter((spaceId) => !skipped.includes(spaceId)), skipped }
        })
      }
    })
  )
}
