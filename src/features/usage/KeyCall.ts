/** The records of the use of keys: one call with a key, and the number of calls with a key on one day. */
import { DateTime, Schema } from "effect"
import { described, Timestamp } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"

/** The maximum number of calls that the pod keeps for each key. It keeps the latest calls. */
export const callsKept = 50
/** The number of days for which the pod keeps the counts of a key's calls. */
export const daysKept = 90

export const KeyCall = Schema.Struct({
  id: described("Id of the call.", Id),
  at: described("When the call was answered.", Timestamp),
  surface: described("Surface: REST, procedures or MCP.", Schema.Literal("rest", "procedure", "mcp")),
  operation: described(
    "What was called: method and path, or the names of procedures or tools. Null for MCP messages without a tool, such as the first message of a connection.",
    Schema.NullOr(Schema.String)
  ),
  status: described(
    "HTTP status of the answer. For a procedure in a batch, and for a failed call of an MCP tool: the status that REST would use.",
    Schema.Number
  ),
  code: described("Code of the refusal or failure; null if the call succeeded.", Schema.NullOr(Schema.String)),
  reason: described(
    "Why the call was refused, for people; null if the call was not refused.",
    Schema.NullOr(Schema.String)
  ),
  proposalId: described(
    "Id of the proposal that the call became; null for every other call. In a batch: the first proposal.",
    Schema.NullOr(Id)
  ),
  address: described("Network address of the client.", Schema.NullOr(Schema.String)),
  userAgent: described("Name of the client, from the header `User-Agent`.", Schema.NullOr(Schema.String)),
  clientName: described(
    "Name and version that an MCP client states about itself, such as `claude-code/2.1.0`; null if the call states none.",
    Schema.NullOr(Schema.String)
  )
}).annotations({ identifier: "KeyCall" })
export type KeyCall = typeof KeyCall.Type

/** A call, with the id of the key that made it. */
export interface NotedCall extends KeyCall {
  readonly keyId: string
}

export interface LastCall {
  readonly keyId: string
  readonly call: KeyCall
}

export const KeyDay = Schema.Struct({
  day: described("Day in UTC, such as 2026-01-31.", Schema.String),
  calls: described("Number of requests with the key.", Schema.Number),
  refusals: described("Number of refused calls: status 401, 403 or 429.", Schema.Number)
}).annotations({ identifier: "KeyDay" })
export type KeyDay = typeof KeyDay.Type

/** The counts of one day, with the id of the key whose calls are counted. */
export interface CountedDay extends KeyDay {
  readonly keyId: string
}

const refusedStatuses: ReadonlySet<number> = new Set([401, 403, 429])

export const isRefusal = ({ status }: Pick<KeyCall, "status">): boolean => refusedStatuses.has(status)

export const dayOf = (at: DateTime.Utc): string => DateTime.formatIsoDateUtc(at)

/** Returns the calls that the pod keeps of all these calls of one key: the last 50, newest first. */
export const lastCallsOf = <Call extends Pick<KeyCall, "id" | "at">>(calls: ReadonlyArray<Call>): ReadonlyArray<Call> =>
  calls
    .toSorted((one, other) => other.at.epochMillis - one.at.epochMillis || (one.id < other.id ? 1 : -1))
    .slice(0, callsKept)
