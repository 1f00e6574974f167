/** Whether a caller may name a workspace at all: one answer for foreign and missing ones. */
import { Effect } from "effect"
import { Forbidden } from "../../doors/Failure.ts"
import { Reach } from "../../doors/Reach.ts"

const refusal = new Forbidden({
  code: "WORKSPACE_FORBIDDEN",
  why: "This credential does not reach that workspace.",
  required: ["workspace"],
  granted: [],
  canBeStale: true
})

/**
 * The space a request means: the workspace it names, or the person's own space when it names none.
 * Fails alike for a workspace that does not exist, that the person is not in, and that the key is not confined to.
 */
export const spaceNamed = (workspaceId: string | null | undefined): Effect.Effect<string, Forbidden, Reach> =>
  Effect.flatMap(Reach, ({ principal }) => {
    const spaceId = workspaceId ?? principal.personId
    const within = principal.grant?.workspaceIds ?? null
    const isMember = principal.memberships.some((membership) => membership.spaceId === spaceId)
    const isConfinedElsewhere =
      (principal.workspaceId !== null && principal.workspaceId !== spaceId) ||
      (within !== null && (spaceId === principal.personId || !within.includes(spaceId)))
    return isMember && !isConfinedElsewhere ? Effect.succeed(spaceId) : Effect.fail(refusal)
  })
