/**
 * Translates the space of a record to the field `workspaceId` and back. The id of a personal space is the id of its
 * person. The API shows a personal space as `workspaceId: null`.
 */

/**
 * Returns the `workspaceId` that the API shows for a space. Returns null if the space is the own space of the person
 * `personId`.
 */
export const workspaceIdOf = (spaceId: string, personId: string): string | null =>
  spaceId === personId ? null : spaceId

/**
 * Returns the space of a record. If `workspaceId` is null, the space is the own space of the person with the id
 * `userId`.
 */
export const spaceOf = ({
  userId,
  workspaceId
}: {
  readonly userId: string
  readonly workspaceId: string | null
}): string => workspaceId ?? userId

/**
 * The id of the space of the built-in profiles. The owner of these profiles has the same id. No real person has this
 * id.
 */
export const builtInSpaceId = "00000000-0000-0000-0000-000000000000"
