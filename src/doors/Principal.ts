/** Who calls: the credential, the user who holds it, and the person whose access limits it. */

export type MembershipRole = "owner" | "admin" | "editor" | "viewer"

/** Where a person may be: their own space (as owner) and the workspaces they belong to. */
export interface Membership {
  readonly spaceId: string
  readonly role: MembershipRole
}

/** The axes that a grant narrows. `null` on an axis: not narrowed. An empty list: nothing is allowed. */
export interface GrantBounds {
  readonly permissions: ReadonlyArray<string>
  readonly workspaceIds: ReadonlyArray<string> | null
  readonly projectIds: ReadonlyArray<string> | null
  readonly entityIds: ReadonlyArray<string> | null
}

/** A verified credential. `epoch` is the person's authorisation epoch at which its access was read. */
export interface Principal {
  readonly credential: { readonly kind: "key" | "session"; readonly id: string }
  /** The credential's own user: the person, or the agent or service that holds the key. */
  readonly holder: {
    readonly id: string
    readonly kind: "person" | "agent" | "service"
    readonly capabilities: ReadonlyArray<string>
  }
  /** The person whose data the call uses: the holder, or the person for whom an agent or service acts. */
  readonly personId: string
  readonly isPodOwner: boolean
  readonly epoch: number
  readonly memberships: ReadonlyArray<Membership>
  readonly scopes: ReadonlyArray<string>
  /** `null` for a session and for a key without a grant: everything the person can see. */
  readonly grant: GrantBounds | null
  /** The workspace of a key that was made for one workspace only. */
  readonly workspaceId: string | null
  readonly expiresAt: Date | null
}

/** The credential as sent, not yet verified. If both are sent, only the bearer counts. */
export type PresentedCredential =
  | { readonly kind: "none" }
  | { readonly kind: "bearer"; readonly secret: string }
  | { readonly kind: "session"; readonly token: string }
