/**
 * Makes the rows of the list of connections: each key with the person or agent who holds it, and with its daily use.
 * Also applies the filters of the page.
 */
import type { ProcedureOutput } from "../../api/procedures.ts"
import { clientName, surfaceName } from "../connect/firstCall.ts"
import type { Key } from "../keys/keyDraft.ts"
import { isRetired } from "../keys/scopeWords.ts"

type Connection = ProcedureOutput<"connections.list">[number]
type Day = ProcedureOutput<"apiKeys.usageByDay">[number]
type LastCall = ProcedureOutput<"apiKeys.lastCalls">[number]

export interface ConnectionRow {
  readonly key: Key
  readonly heldBy: Connection["heldBy"]
  readonly holder: string
  readonly days: ReadonlyArray<Day>
  /** The last call with the key. Undefined if the key was never used. */
  readonly last: LastCall["call"] | undefined
}

const holders: Readonly<Record<Connection["heldBy"], string>> = { person: "you", agent: "an agent", app: "an app" }

export const connectionRows = (
  keys: ReadonlyArray<Key>,
  connections: ReadonlyArray<Connection>,
  days: ReadonlyArray<Day>,
  calls: ReadonlyArray<LastCall>
): ReadonlyArray<ConnectionRow> => {
  const known = new Map(connections.map((connection) => [connection.keyId, connection]))
  const lastCalls = new Map(calls.map(({ call, keyId }) => [keyId, call]))
  return keys.map((key) => {
    const heldBy = known.get(key.id)?.heldBy ?? (key.heldByAgent ? "agent" : key.hubId === null ? "person" : "app")
    return {
      key,
      heldBy,
      holder: known.get(key.id)?.holderName ?? holders[heldBy],
      days: days.filter(({ keyId }) => keyId === key.id),
      last: lastCalls.get(key.id)
    }
  })
}

/**
 * Says over which surface, from which client and from which address a call came. A call without an address came from
 * the pod itself, for example when the pod made its sample data.
 */
export const lastCallText = ({ address, clientName: reportedName, surface, userAgent }: LastCall["call"]): string =>
  [surfaceName(surface), clientName(reportedName ?? userAgent), address]
    .filter((part) => part !== null && part !== "")
    .join(", ")

/** The number of calls of the key in the days of the row. */
export const callsIn = ({ days }: ConnectionRow): number => days.reduce((sum, { calls }) => sum + calls, 0)

export const filters = {
  unused: "Unused for 30 days",
  forever: "Never ends",
  full: "Full access (*)",
  legacy: "Made before grants",
  retired: "Has retired scopes",
  refused: "Refused lately"
} as const
export type Filter = keyof typeof filters

export interface ConnectionsSearch {
  readonly holder?: ConnectionRow["heldBy"]
  readonly status?: "active" | "ended"
  readonly only?: Filter
  readonly q?: string
  /** The column by which the list is sorted, with `-` in front for the reverse order. */
  readonly sort?: string
  /** The number of the page, from 1. The address of the first page has no number. */
  readonly page?: number
  /** The id of the key whose details are open. */
  readonly key?: string
  /** The name of the shown tab of the details. Undefined for the first tab. */
  readonly tab?: string
  /** True if the details list only the calls that were refused or failed. */
  readonly refused?: true
}

const dayMs = 86_400_000
export const soonDays = 14

/** True if the key expires within two weeks. */
export const endsSoon = ({ expiresAt, isActive }: Key, nowMs: number): boolean =>
  isActive && expiresAt !== null && Date.parse(expiresAt) - nowMs < soonDays * dayMs

export const hasFullAccess = ({ grant }: Key): boolean =>
  grant === null || grant.permissions.some((permission) => permission.trim() === "*")

const tests: Readonly<Record<Filter, (row: ConnectionRow, nowMs: number) => boolean>> = {
  unused: ({ key }, nowMs) => nowMs - Date.parse(key.lastUsedAt ?? key.createdAt) > 30 * dayMs,
  forever: ({ key }) => key.expiresAt === null,
  full: ({ key }) => hasFullAccess(key),
  legacy: ({ key }) => key.grant === null,
  retired: ({ key }) => key.scope.some(isRetired),
  refused: ({ days }) => days.some(({ refusals }) => refusals > 0)
}

export const filterRows = (
  rows: ReadonlyArray<ConnectionRow>,
  { holder, only, q = "", status }: ConnectionsSearch,
  nowMs: number
): ReadonlyArray<ConnectionRow> => {
  const query = q.trim().toLowerCase()
  return rows.filter(
    (row) =>
      (holder === undefined || row.heldBy === holder) &&
      (status === undefined || row.key.isActive === (status === "active")) &&
      (only === undefined || tests[only](row, nowMs)) &&
      (query === "" || `${row.key.keyName} ${row.holder} ${row.key.lastFour}`.toLowerCase().includes(query))
  )
}

/** The state of a key in one word (`active`, `expired` or `revoked`), and the colour for it. */
export const statusOf = (
  { expiresAt, isActive, revokedAt }: Key,
  nowMs: number
): { readonly word: string; readonly tone: "good" | "plain" | "bad" } =>
  revokedAt !== null
    ? { word: "revoked", tone: "bad" }
    : !isActive || (expiresAt !== null && Date.parse(expiresAt) <= nowMs)
      ? { word: "expired", tone: "plain" }
      : { word: "active", tone: "good" }

/** The last days as UTC dates, oldest first, and today last. The pod counts calls by UTC dates too. */
export const lastDays = (count: number, nowMs: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, at) => new Date(nowMs - (count - 1 - at) * dayMs).toISOString().slice(0, 10))
