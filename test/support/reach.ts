/**
 * Creates a `Reach` (who calls, and which rows the call may touch) for tests of stores and services, without a stored
 * credential.
 */
import { noClient, type ReachShape } from "../../src/doors/Reach.ts"
import type { GrantBounds, MembershipRole, Principal } from "../../src/doors/Principal.ts"
import { boundsFor } from "../../src/features/grants/GrantMatcher.ts"
import { uuidv7 } from "../../src/platform/Ids.ts"

export interface ReachOptions {
  readonly personId?: string
  /** The ids of the person's workspaces. The person's own space is always added. */
  readonly spaces?: ReadonlyArray<string>
  /** The person's role in each workspace of `spaces`. */
  readonly role?: MembershipRole
  /** The grant of the key. If absent, the key may do everything that the person may do. */
  readonly grant?: Partial<GrantBounds>
  /** Short form of `grant`: the grant covers every action on entities of these kinds, and nothing else. */
  readonly kinds?: ReadonlyArray<string>
  /** The workspace to which the key is limited. */
  readonly workspaceId?: string
  /** If present, the caller is an agent with these capabilities. */
  readonly capabilities?: ReadonlyArray<string>
}

const grantOf = ({ grant, kinds }: ReachOptions): GrantBounds | null =>
  grant === undefined && kinds === undefined
    ? null
    : {
        permissions: kinds === undefined ? ["*"] : kinds.map((kind) => `entity.${kind}`),
        workspaceIds: null,
        projectIds: null,
        entityIds: null,
        ...grant
      }

export const aPrincipal = (options: ReachOptions = {}): Principal => {
  const personId = options.personId ?? uuidv7()
  const { capabilities } = options
  return {
    credential: { kind: "key", id: uuidv7() },
    holder:
      capabilities === undefined
        ? { id: personId, kind: "person", capabilities: [] }
        : { id: uuidv7(), kind: "agent", capabilities },
    personId,
    podRole: "member",
    epoch: 1,
    memberships: [
      { spaceId: personId, role: "owner" },
      ...(options.spaces ?? []).map((spaceId) => ({ spaceId, role: options.role ?? "owner" }))
    ],
    scopes: ["hub-protocol.read", "hub-protocol.write"],
    grant: grantOf(options),
    workspaceId: options.workspaceId ?? null,
    toolProfile: null,
    expiresAt: null
  }
}

/**
 * Computes what the principal (the caller) may touch, in the same way as the pod. The authority in the result is
 * `system`, so the database does not check a credential.
 */
export const aReach = (options: ReachOptions = {}): ReachShape => {
  const principal = aPrincipal(options)
  return {
    principal,
    authority: { kind: "system", reason: "test", personId: principal.personId },
    origin: { operation: "test", requestId: uuidv7(), client: noClient },
    bounds: (subject, action) => boundsFor(principal, subject, action)
  }
}
