/**
 * Translates the space of a record to the wire and back. A person's own space has the person's id, and is `workspaceId:
 * null` on the wire.
 */

/** The `workspaceId` of a space on the wire, for the person who owns the record. Null means the person's own space. */
export const workspaceIdOf = (spaceId: string, personId: string): string | null =>
  spaceId === personId ? null : spaceId

/** The space of a record, computed from the fields of the record on the wire. */
export const spaceOf = ({
  userId,
  workspaceId
}: {
  readonly userId: string
  readonly workspaceId: string | null
}): string => workspaceId ?? userId
