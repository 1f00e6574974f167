/** The store of the memberships of agents in workspaces. */
import { Context, Effect, Layer } from "effect"
import type { MembershipRole } from "../../doors/Principal.ts"
import type { Reach } from "../../doors/Reach.ts"
import type { EventDraft } from "../events/Event.ts"
import { memoryStatements } from "../events/EventTable.ts"
import type { Passed } from "../gate/Passed.ts"
import { agentTable, membershipKey, membershipsOf, membershipTable, roleOf } from "../people/UserTables.ts"
import type { AgentRole } from "./Enrolment.ts"

export interface AgentMembership {
  readonly spaceId: string
  readonly role: MembershipRole
}

export class MemberStore extends Context.Tag("pod/MemberStore")<
  MemberStore,
  {
    /** The memberships of an agent in workspaces that the caller may read, oldest first. */
    readonly memberships: (agentId: string) => Effect.Effect<ReadonlyArray<AgentMembership>, never, Reach>
    /**
     * Adds an agent that the caller's person owns to a workspace. Returns false and changes nothing if the agent is
     * already a member.
     */
    readonly enroll: (
      agentId: string,
      spaceId: string,
      role: AgentRole,
      event: EventDraft,
      passed: Passed
    ) => Effect.Effect<boolean, never, Reach>
    /** Removes an agent from a workspace. Returns false if the agent is not a member. */
    readonly dismiss: (
      agentId: string,
      spaceId: string,
      event: EventDraft,
      passed: Passed
    ) => Effect.Effect<boolean, never, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.map(memoryStatements, ({ read, write }) => ({
      memberships: (agentId) =>
        read(({ reach, rows }) => {
          const { spaces } = reach.bounds("member", "read")
          const found = membershipsOf(rows, agentId).filter(({ spaceId }) => spaces.includes(spaceId))
          return Effect.succeed(found.map(({ role, spaceId }) => ({ spaceId, role })))
        }),
      enroll: (agentId, spaceId, role, event, passed) =>
        write(({ append, now, reach, rows }) => {
          const isOwn = rows.find(agentTable, agentId)?.linkedUserId === reach.principal.personId
          const isReached = reach.bounds("member", "create").spaces.includes(spaceId)
          if (!isOwn || !isReached || roleOf(rows, agentId, spaceId) !== null) return Effect.succeed(false)
          rows.put(membershipTable, { userId: agentId, spaceId, role, joinedAt: now })
          append(spaceId, event, passed)
          return Effect.succeed(true)
        }),
      dismiss: (agentId, spaceId, event, passed) =>
        write(({ append, reach, rows }) => {
          const isAgent = rows.find(agentTable, agentId) !== undefined
          const isReached = reach.bounds("member", "delete").spaces.includes(spaceId)
          if (!isAgent || !isReached || roleOf(rows, agentId, spaceId) === null) return Effect.succeed(false)
          rows.remove(membershipTable, membershipKey({ userId: agentId, spaceId }))
          append(spaceId, event, passed)
          return Effect.succeed(true)
        })
    }))
  )
}
