/** The tabs of the workspace screen, in their order. */
export const workspaceParts = ["Overview", "Members", "Policy", "Routing", "Sources", "Public", "Keys"] as const
export type WorkspacePart = (typeof workspaceParts)[number]

/** True if a member with this role may change the workspace. */
export const isManager = (role: string): boolean => role === "owner" || role === "admin"
