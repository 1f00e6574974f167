/** The SQL columns of facts and of their revisions. Also converts rows to the values that the store returns. */
import { DateTime } from "effect"
import { utcOrNull } from "../../platform/RowTimes.ts"
import type { FactRevision, KeptFact, Level, Trust } from "./MemoryFact.ts"
import { placeId } from "./MemoryStore.ts"

export interface FactColumns {
  readonly id: string
  readonly space_id: string
  readonly seq: string
  readonly lineage: string
  readonly actor_id: string
  readonly fact: string
  readonly level: Level
  readonly trust: Trust
  readonly confidence: number
  readonly same_hash: string
  readonly times: number
  readonly session_id: string | null
  readonly turn_no: number | null
  readonly role: string | null
  readonly said_at: Date | null
  readonly target: string | null
  readonly source_entity_id: string | null
  readonly source_message_id: string | null
  readonly valid_from: Date
  readonly valid_to: Date | null
  readonly superseded_by: string | null
  readonly end_reason: string | null
  readonly created_at: Date
  readonly updated_at: Date
}

export interface RevisionColumns {
  readonly id: string
  readonly seq: string
  readonly place: number
  readonly fact_id: string
  readonly what: FactRevision["what"]
  readonly fact: string
  readonly trust: Trust
  readonly actor_id: string
  readonly reason: string | null
  readonly superseded_by: string | null
  readonly source_entity_id: string | null
  readonly source_message_id: string | null
  readonly event_id: string
  readonly at: Date
}

export const factOf = (row: FactColumns): KeptFact => ({
  id: row.id,
  userId: row.space_id,
  seq: Number(row.seq),
  lineage: row.lineage,
  actorId: row.actor_id,
  fact: row.fact,
  level: row.level,
  trust: row.trust,
  confidence: row.confidence,
  sameHash: row.same_hash,
  count: row.times,
  sessionId: row.session_id,
  turn: row.turn_no,
  role: row.role,
  saidAt: utcOrNull(row.said_at),
  target: row.target,
  sourceEntityId: row.source_entity_id,
  sourceMessageId: row.source_message_id,
  validFrom: DateTime.unsafeFromDate(row.valid_from),
  validTo: utcOrNull(row.valid_to),
  supersededBy: row.superseded_by,
  endReason: row.end_reason,
  createdAt: DateTime.unsafeFromDate(row.created_at),
  updatedAt: DateTime.unsafeFromDate(row.updated_at)
})

export const revisionOf = (row: RevisionColumns) => ({
  place: placeId(Number(row.seq), row.place),
  revision: {
    factId: row.fact_id,
    what: row.what,
    fact: row.fact,
    trust: row.trust,
    actorId: row.actor_id,
    reason: row.reason,
    supersededBy: row.superseded_by,
    sourceEntityId: row.source_entity_id,
    sourceMessageId: row.source_message_id,
    eventId: row.event_id,
    at: DateTime.unsafeFromDate(row.at)
  }
})

const columnNames = [
  "id",
  "space_id",
  "seq",
  "lineage",
  "actor_id",
  "fact",
  "level",
  "trust",
  "confidence",
  "same_hash",
  "times",
  "session_id",
  "turn_no",
  "role",
  "said_at",
  "target",
  "source_entity_id",
  "source_message_id",
  "valid_from",
  "valid_to",
  "superseded_by",
  "end_reason",
  "created_at",
  "updated_at"
]
export const columnsOf = (alias: string) => columnNames.map((name) => `${alias}.${name}`).join(", ")
