/** The store of the memberships in workspaces. It adds and removes agents, and changes roles. */
import { Context, Effect, Layer } from "effect"
import type { MembershipRole } from "../../doors/Principal.ts"
import type { Reach } from "../../doors/Reach.ts"
import type { EventDraft } from "../events/Event.ts"
import { memoryStatements } from "../events/EventTable.ts"
import type { Passed } from "../gate/Passed.ts"
import {
  advanceEpoch,
  agentTable,
  membershipKey,
  membershipsOf,
  membershipTable,
  roleOf
} from "../people/UserTables.ts"
import { endMembership } from "./EndedMembership.ts"
import type { AgentRole } from "./Enrolment.ts"
import { type FoundMembership, type MembershipFault, membershipFault, spacesToChange } from "./Membership.ts"

const noResult = Effect.as(Effect.void, undefined)

export interface AgentMembership {
  readonly agentId: string
  readonly spaceId: string
  readonly role: MembershipRole
}

export interface MembershipWrite {
  readonly userId: string
  readonly spaceId: string
  /** The new role. Null ends the membership. */
  readonly role: MembershipRole | null
  /** Whether the caller's person is an owner of the workspace. */
  readonly isOwner: boolean
}

export interface MembershipOutcome extends FoundMembership {
  /** The reason why the change was refused. Null if the change was made. */
  readonly fault: MembershipFault | null
}

export class MemberStore extends Context.Tag("pod/MemberStore")<
  MemberStore,
  {
    /**
     * Lists the memberships of these agents in workspaces that the caller may read, oldest first. One statement reads all
     * of them.
     */
    readonly memberships: (
      agentIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<AgentMembership>, never, Reach>
    /**
     * Adds an agent to a workspace. The agent must belong to the caller's person. If the agent is already a member, or
     * if the person is no member, returns false and changes nothing. The person cannot leave the workspace until the
     * transaction ends.
     */
    readonly enroll: (
      agentId: string,
      spaceId: string,
      role: AgentRole,
      event: EventDraft,
      passed: Passed
    ) => Effect.Effect<boolean, never, Reach>
    /**
     * Gives a member another role. If `role` is null, ends the membership, and also the memberships of the person's
     * agents in this workspace. Locks the membership and the owners. The event contains the former role
     * (`before.role`). Returns the membership as it was before the change, and the fault if the change was refused.
     * Returns undefined if the caller can find no such member.
     */
    readonly change: (
      change: MembershipWrite,
      event: EventDraft,
      passed: Passed
    ) => Effect.Effect<MembershipOutcome | undefined, never, Reach>
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
      memberships: (agentIds) =>
        read(({ reach, rows }) => {
          const { spaces } = reach.bounds("member", "read")
          return Effect.succeed(
            agentIds.flatMap((agentId) =>
              membershipsOf(rows, agentId)
                .filter(({ spaceId }) => spaces.includes(spaceId))
                .map(({ role, spaceId }) => ({ agentId, spaceId, role }))
            )
          )
        }),
      enroll: (agentId, spaceId, role, event, passed) =>
        write(({ append, now, reach, rows }) => {
          const isOwn = rows.find(agentTable, agentId)?.linkedUserId === reach.principal.personId
          const isReached = reach.bounds("member", "create").spaces.includes(spaceId)
          const isMember = roleOf(rows, reach.principal.personId, spaceId) !== null
          if (!isOwn || !isReached || !isMember || roleOf(rows, agentId, spaceId) !== null) return Effect.succeed(false)
          rows.put(membershipTable, { userId: agentId, spaceId, role, joinedAt: now })
          append(spaceId, event, passed)
          return Effect.succeed(true)
        }),
      change: ({ isOwner, role, spaceId, userId }, event, passed) =>
        write(({ append, reach, rows }) => {
          const found = rows.find(membershipTable, membershipKey({ userId, spaceId }))
          if (found === undefined || !spacesToChange(reach, { userId, role }, spaceId).includes(spaceId))
            return noResult
          const owners = rows.all(membershipTable).filter((each) => each.spaceId === spaceId && each.role === "owner")
          const isAgent = rows.find(agentTable, userId) !== undefined
          const before = { role: found.role, owners: owners.length, isAgent }
          const fault = membershipFault(before, role, isOwner)
          if (fault !== null) return Effect.succeed({ ...before, fault })
          if (role !== null) rows.put(membershipTable, { ...found, role })
          else {
            const agents = rows.all(agentTable).filter(({ linkedUserId }) => linkedUserId === userId)
            for (const id of [userId, ...agents.map(({ id }) => id)]) {
              endMembership(rows, { userId: id, spaceId })
            }
          }
          advanceEpoch(rows, userId)
          append(spaceId, { ...event, data: { ...event.data, before: { role: found.role } } }, passed)
          return Effect.succeed({ ...before, fault })
        }),
      dismiss: (agentId, spaceId, event, passed) =>
        write(({ append, reach, rows }) => {
          const isAgent = rows.find(agentTable, agentId) !== undefined
          const isReached = reach.bounds("member", "delete").spaces.includes(spaceId)
          if (!isAgent || !isReached || roleOf(rows, agentId, spaceId) === null) return Effect.succeed(false)
          endMembership(rows, { userId: agentId, spaceId })
          append(spaceId, event, passed)
          return Effect.succeed(true)
        })
    }))
  )
}
