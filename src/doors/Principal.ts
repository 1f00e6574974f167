/**
 * Who makes a call. A principal has the credential, the user who holds the credential, and the person whose access
 * limits the call.
 */
import { Schema } from "effect"
import type { ToolProfile } from "./ToolProfile.ts"

/** What a member of a workspace is allowed to do there. */
export const MembershipRole = Schema.Literal("owner", "admin", "editor", "viewer").annotations({
  identifier: "MembershipRole"
})
export type MembershipRole = typeof MembershipRole.Type

/** What a person is allowed to do to the pod as a whole. An administrator can invite new people and suspend people. */
export type PodRole = "owner" | "administrator" | "member"

/**
 * A space that a person belongs to, with the person's role in it. Each person is the owner of their own space, and can
 * be a member of workspaces.
 */
export interface Membership {
  readonly spaceId: string
  readonly role: MembershipRole
}

/** The limits of a grant. `null` for a field means no limit, and an empty list allows nothing. */
export interface GrantBounds {
  readonly permissions: ReadonlyArray<string>
  readonly workspaceIds: ReadonlyArray<string> | null
  readonly projectIds: ReadonlyArray<string> | null
  readonly entityIds: ReadonlyArray<string> | null
}

/**
 * A verified credential with the access of its person. `epoch`: the value of the person's authorization counter at the
 * time when the pod read the access.
 */
export interface Principal {
  readonly credential: { readonly kind: "key" | "session"; readonly id: string }
  /** The user of the credential itself. This is the person, or the agent or service that holds the key. */
  readonly holder: {
    readonly id: string
    readonly kind: "person" | "agent" | "service"
    readonly capabilities: ReadonlyArray<string>
  }
  /**
   * The person whose data the call uses: the holder of the credential, or the person in whose name an agent or service
   * acts.
   */
  readonly personId: string
  readonly podRole: PodRole
  readonly epoch: number
  readonly memberships: ReadonlyArray<Membership>
  readonly scopes: ReadonlyArray<string>
  /**
   * The grant of a key. `null` for a session and for a key without a grant. These credentials allow everything that the
   * person is allowed to do.
   */
  readonly grant: GrantBounds | null
  /** The workspace of a key that was made for one workspace only. `null` for other credentials. */
  readonly workspaceId: string | null
  /** The tool profile of a key. `null` for a key with every tool and for other credentials. */
  readonly toolProfile: ToolProfile | null
  readonly expiresAt: Date | null
}

/**
 * The credential as the caller sent it, before it is verified. If a request has a bearer and a session token, the pod
 * uses only the bearer.
 */
export type PresentedCredential =
  | { readonly kind: "none" }
  | { readonly kind: "bearer"; readonly secret: string }
  | { readonly kind: "session"; readonly token: string }
  | LocalOperator

/**
 * The request came over the socket of the data directory. The sender of such a request can read the database and the
 * secrets anyway, so no credential is needed. Only the listener of this socket makes this value. No header can produce
 * it.
 */
export interface LocalOperator {
  readonly kind: "operator"
}

/** The credential id of the local operator. The events of the operator's writes have this id as their origin. */
export const localOperator = "local-operator"

/**
 * Returns true if the operator of the data directory makes the call. The operator acts in the name of the pod's owner.
 */
export const isLocalOperator = ({ credential }: Pick<Principal, "credential">): boolean =>
  credential.id === localOperator

/**
 * Returns the id of the key of a call. Returns null for a session. If a call leaves work for later, the pod stores the
 * work with this id. The pod later does the work with the rights that the key has then.
 */
export const keyIdOf = ({ credential }: Pick<Principal, "credential">): string | null =>
  credential.kind === "key" ? credential.id : null
