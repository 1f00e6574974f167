/**
 * Decides whether a caller is allowed to use a workspace in a request. The answer is the same for a missing workspace
 * and for a workspace of other people.
 */
import { Effect } from "effect"
import type { Forbidden } from "../../doors/Failure.ts"
import { Reach } from "../../doors/Reach.ts"
import { ownSpaceForbidden, workspaceForbidden } from "../../doors/WorkspaceForbidden.ts"

/**
 * Returns the space of a request: the workspace that the request names, or the person's own space. Fails with the same
 * error in three cases: the workspace is missing, the person is not a member, or the workspace is outside the limits of
 * the key. If the limits of the key leave out the person's own space, the error says so, because the caller knows that
 * this space exists.
 */
export const requestedSpace = (workspaceId: string | null | undefined): Effect.Effect<string, Forbidden, Reach> =>
  Effect.flatMap(Reach, ({ principal }) => {
    const spaceId = workspaceId ?? principal.personId
    const within = principal.grant?.workspaceIds ?? null
    const isMember = principal.memberships.some((membership) => membership.spaceId === spaceId)
    const isConfinedElsewhere =
      (principal.workspaceId !== null && principal.workspaceId !== spaceId) ||
      (within !== null && (spaceId === principal.personId || !within.includes(spaceId)))
    if (isMember && !isConfinedElsewhere) return Effect.succeed(spaceId)
    return Effect.fail(spaceId === principal.personId && isConfinedElsewhere ? ownSpaceForbidden : workspaceForbidden)
  })

/**
 * Returns the space of a request that reads. For a request without a workspace, this is the person's own space, even if
 * the key is limited to workspaces. The limits of the call filter the rows of the read (specification §5.2), so such a
 * key gets an answer without rows.
 */
export const spaceToRead = (workspaceId: string | null | undefined): Effect.Effect<string, Forbidden, Reach> =>
  workspaceId === undefined || workspaceId === null
    ? Effect.map(Reach, ({ principal }) => principal.personId)
    : requestedSpace(workspaceId)

/**
 * Returns an array with the space to which the request limits a list of records. Returns null if the request names no
 * workspace. Null means every space.
 */
export const requestedSpaces = (
  workspaceId: string | undefined
): Effect.Effect<ReadonlyArray<string> | null, Forbidden, Reach> =>
  workspaceId === undefined ? Effect.succeed(null) : Effect.map(requestedSpace(workspaceId), (spaceId) => [spaceId])
