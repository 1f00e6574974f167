/** Scopes: the coarse check of which surfaces a credential may call at all (specification §5.3). */

/** Every scope that a new key may have. Retired scopes stay on old keys, but allow nothing and cannot be minted. */
export const mintableScopes = [
  "hub-protocol.read",
  "hub-protocol.write",
  "hub-protocol.admin",
  "mcp.read",
  "mcp.write",
  "data.read",
  "data.write",
  "skills.invoke",
  "chat.stream",
  "read:entities",
  "write:entities",
  "ai:analyze",
  "realtime:observe",
  "providers.write",
  "setup.agent",
  "probe"
] as const

export type Scope = (typeof mintableScopes)[number]

/** Scopes that also satisfy a needed scope: admin includes write; `data.*` counts as `mcp.*`, so only on `/mcp`. */
const openedBy: Partial<Record<Scope, ReadonlyArray<Scope>>> = {
  "hub-protocol.write": ["hub-protocol.admin"],
  "mcp.read": ["data.read"],
  "mcp.write": ["data.write"]
}

/** What a sign-in session may call: Hub REST, reading and writing. */
export const sessionScopes: ReadonlyArray<Scope> = ["hub-protocol.read", "hub-protocol.write"]

/** Whether the held scopes satisfy the needed one. */
export const opensScope = (held: ReadonlyArray<string>, needed: Scope): boolean =>
  held.includes(needed) || (openedBy[needed] ?? []).some((other) => held.includes(other))
