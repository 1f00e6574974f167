/** Scopes: the coarse gate, saying which surfaces a credential may call at all (specification §5.3). */

/** Every scope a new key may carry. Retired names stay on old keys, open nothing and cannot be minted. */
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

/** Other scopes that pass where the first is needed: admin is write, `data.*` is honoured on `/mcp` only. */
const openedBy: Partial<Record<Scope, ReadonlyArray<Scope>>> = {
  "hub-protocol.write": ["hub-protocol.admin"],
  "mcp.read": ["data.read"],
  "mcp.write": ["data.write"]
}

/** What a sign-in session may call: Hub REST, reading and writing. */
export const sessionScopes: ReadonlyArray<Scope> = ["hub-protocol.read", "hub-protocol.write"]

/** Whether the held scopes pass a door that needs one. An empty or unrelated list opens nothing. */
export const opensScope = (held: ReadonlyArray<string>, needed: Scope): boolean =>
  held.includes(needed) || (openedBy[needed] ?? []).some((other) => held.includes(other))
