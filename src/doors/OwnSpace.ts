/** A person's own space carries the person's id, and is `workspaceId: null` on the wire: both ways of it. */

/** What a space is called on the wire, for the person whose a record of it is. */
export const workspaceIdOf = (spaceId: string, personId: string): string | null =>
  spaceId === personId ? null : spaceId

/** The space of a record as it is called on the wire. */
export const spaceOf = ({
  userId,
  workspaceId
}: {
  readonly userId: string
  readonly workspaceId: string | null
}): string => workspaceId ?? userId
