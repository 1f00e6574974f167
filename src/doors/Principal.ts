/** Who calls: the credential presented, who holds it, and the person whose access bounds it. */

export type MembershipRole = "owner" | "admin" | "editor" | "viewer"

/** Where a person may be: their own space (as owner) and the workspaces they belong to. */
export interface Membership {
  readonly spaceId: string
  readonly role: MembershipRole
}

/** The axes a grant narrows. `null` on an axis: not narrowed; an empty list: nothing. */
export interface GrantBounds {
  readonly permissions: ReadonlyArray<string>
  readonly workspaceIds: ReadonlyArray<string> | null
  readonly projectIds: ReadonlyArray<string> | null
  readonly entityIds: ReadonlyArray<string> | null
}

/** A credential as it was verified. `epoch` is the person's authorisation epoch its access was read under. */
export interface Principal {
  readonly credential: { readonly kind: "key" | "session"; readonly id: string }
  /** The credential's own user: the person, or the agent or service that holds the key. */
  readonly holder: {
    readonly id: string
    readonly kind: "person" | "agent" | "service"
    readonly capabilities: ReadonlyArray<string>
  }
  /** Whose data it is. Equal to the holder for a person; the person acted for otherwise. */
  readonly personId: string
  readonly isPodOwner: boolean
  readonly epoch: number
  readonly memberships: ReadonlyArray<Membership>
  readonly scopes: ReadonlyArray<string>
  /** `null`: a session or a key from before grants; everything the person can see. */
  readonly grant: GrantBounds | null
  /** The one workspace a key was made for, when it was made for one. */
  readonly workspaceId: string | null
  readonly expiresAt: Date | null
}

/** What a caller presented, before anybody looked at it. The bearer wins; never a mix of the two. */
export type Presented =
  | { readonly kind: "none" }
  | { readonly kind: "bearer"; readonly secret: string }
  | { readonly kind: "session"; readonly token: string }
