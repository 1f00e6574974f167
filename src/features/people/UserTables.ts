/** The tables of people, agents and memberships in the in-memory database. */
import type { DateTime } from "effect"
import type { MembershipRole, PodRole } from "../../doors/Principal.ts"
import { memoryTable, type Rows, type WritableRows } from "../../platform/MemoryDatabase.ts"
import type { Agent } from "./Person.ts"

export interface StoredPerson {
  readonly id: string
  readonly name: string
  readonly email: string
  /**
   * The version of the limits of the person's credentials. Each change of a limit increases this version, so that
   * cached access becomes stale.
   */
  readonly epoch: number
  readonly isSuspended: boolean
  readonly isAdministrator: boolean
  readonly createdAt: DateTime.Utc
}

export interface StoredMembership {
  /** The id of a person or of an agent. */
  readonly userId: string
  readonly spaceId: string
  readonly role: MembershipRole
  readonly joinedAt: DateTime.Utc
}

export const personTable = memoryTable<StoredPerson>("people", ({ id }) => id)
export const agentTable = memoryTable<Agent>("agents", ({ id }) => id)

export const membershipKey = ({ spaceId, userId }: Pick<StoredMembership, "spaceId" | "userId">) =>
  `${userId} ${spaceId}`
export const membershipTable = memoryTable<StoredMembership>("memberships", membershipKey)

/** Returns the memberships of a user, in the order in which they were added. */
export const membershipsOf = (rows: Rows, userId: string): ReadonlyArray<StoredMembership> =>
  rows.all(membershipTable).filter((membership) => membership.userId === userId)

export const roleOf = (rows: Rows, userId: string, spaceId: string): MembershipRole | null =>
  rows.find(membershipTable, membershipKey({ userId, spaceId }))?.role ?? null

/** Increases the epoch of a person, so that cached access of the person becomes stale. */
export const advanceEpoch = (rows: WritableRows, personId: string): void => {
  const person = rows.find(personTable, personId)
  if (person !== undefined) rows.put(personTable, { ...person, epoch: person.epoch + 1 })
}

const theOwner = "the owner"

/** The table of the pod's owner. It has one row, or no row while the pod has no owner. */
export const ownerTable = memoryTable<{ readonly personId: string }>("pod_state", () => theOwner)

export const podOwnerOf = (rows: Rows): string | undefined => rows.find(ownerTable, theOwner)?.personId

export const podRoleOf = (rows: Rows, personId: string): PodRole =>
  podOwnerOf(rows) === personId
    ? "owner"
    : rows.find(personTable, personId)?.isAdministrator === true
      ? "administrator"
      : "member"
