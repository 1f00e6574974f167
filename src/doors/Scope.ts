/** The scopes. A scope decides which surfaces a credential can call (specification §5.3). */

/**
 * Every scope that a new key can have. Old keys can still have retired scopes, which allow nothing and cannot be given
 * to new keys.
 */
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

/**
 * For each scope that an operation can need, the other scopes that are enough too. For example, `hub-protocol.admin` is
 * enough for a write, and `hub-protocol.read` is enough for the event stream. Operations of `/mcp` need `mcp.read` or
 * `mcp.write`, and accept `data.read` or `data.write` instead.
 */
const openedBy: Partial<Record<Scope, ReadonlyArray<Scope>>> = {
  "hub-protocol.write": ["hub-protocol.admin"],
  "realtime:observe": ["hub-protocol.read"],
  "mcp.read": ["data.read"],
  "mcp.write": ["data.write"]
}

/**
 * The scopes of a sign-in session: everything that a person can do over REST. The scopes for MCP, setup and probes are
 * left out, because programs use keys for these.
 */
export const sessionScopes: ReadonlyArray<Scope> = [
  "hub-protocol.read",
  "hub-protocol.write",
  "chat.stream",
  "skills.invoke",
  "read:entities",
  "write:entities",
  "ai:analyze",
  "providers.write"
]

/** Returns true if one of the scopes in `granted` is enough for the scope `needed`. */
export const opensScope = (granted: ReadonlyArray<string>, needed: Scope): boolean =>
  granted.includes(needed) || (openedBy[needed] ?? []).some((other) => granted.includes(other))

/** For each scope of writes whose answers show records, the scope of the reads on the same surface. */
const readingScopes = [
  ["hub-protocol.write", "hub-protocol.read"],
  ["hub-protocol.admin", "hub-protocol.read"],
  ["mcp.write", "mcp.read"],
  ["data.write", "mcp.read"]
] as const

/** Returns true if a credential with these scopes may read on every surface on which it may write records. */
export const readsWhereItWrites = (granted: ReadonlyArray<string>): boolean =>
  readingScopes.every(([write, read]) => !granted.includes(write) || opensScope(granted, read))
