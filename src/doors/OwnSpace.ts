/** A person's own space has the person's id, and is `workspaceId: null` on the wire. Translates in both directions. */

/** The `workspaceId` of a space on the wire, for the person who owns the record. */
export const workspaceIdOf = (spaceId: string, personId: string): string | null =>
  spaceId === personId ? null : spaceId

/** The space of a record, from its fields on the wire. */
export const spaceOf = ({
  userId,
  workspaceId
}: {
  readonly userId: string
  readonly workspaceId: string | null
}): string => workspaceId ?? userId
