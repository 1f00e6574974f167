/** The statement that writes facts, their revisions and their vectors together. */
import type { SqlClient, Statement } from "@effect/sql"
import { isoOrNull } from "../../platform/RowTimes.ts"
import { bytesOfFloats, bytesOfPacked } from "../search/vectors/PackedVector.ts"
import { columnsOf } from "./FactColumns.ts"
import type { FactRow, FactWrite } from "./FactWrite.ts"

/** Converts the facts of a write to JSON, so that one parameter of the statement contains all of them. */
const factsJson = (facts: ReadonlyArray<FactRow>) =>
  JSON.stringify(
    facts.map((row) => ({
      id: row.id,
      is_new: row.isNew,
      is_ended: row.isEnded,
      ends_at: isoOrNull(row.endsAt),
      lineage: row.lineage,
      fact: row.fact,
      level: row.level,
      trust: row.trust,
      confidence: row.confidence,
      same_hash: row.sameHash,
      times: row.count,
      session_id: row.sessionId,
      turn_no: row.turn,
      role: row.role,
      said_at: isoOrNull(row.saidAt),
      target: row.target,
      source_entity_id: row.sourceEntityId,
      source_message_id: row.sourceMessageId,
      valid_from: isoOrNull(row.validFrom),
      superseded_by: row.supersededBy,
      end_reason: row.endReason
    }))
  )

const revisionsJson = (revisions: FactWrite["revisions"]) =>
  JSON.stringify(
    revisions.map((row, place) => ({
      place,
      lineage: row.lineage,
      fact_id: row.factId,
      what: row.what,
      fact: row.fact,
      trust: row.trust,
      reason: row.reason,
      written_as: row.writtenAs,
      superseded_by: row.supersededBy,
      source_entity_id: row.sourceEntityId,
      source_message_id: row.sourceMessageId
    }))
  )

/**
 * Returns the parts of the write statement that write the rows. An earlier part of the statement raises the number that
 * counts the writes of the person.
 */
export const partsOfFactWrite = (sql: SqlClient.SqlClient) => {
  const columns = sql.literal(columnsOf("record"))

  /** Returns the SQL for the end time of a fact that is valid from `start`. */
  const endOf = (start: string) =>
    sql.literal(`CASE WHEN asked.ends_at IS NULL THEN now() ELSE LEAST(now(), GREATEST(asked.ends_at, ${start})) END`)

  return (planned: FactWrite, personId: string, actorId: string): ReadonlyArray<Statement.Fragment> => {
    const { facts, revisions, vector } = planned
    const rowsPart = sql`
      asked AS (
        SELECT changed.space_id, changed.seq, row.*
        FROM changed, jsonb_to_recordset(${factsJson(facts)}::jsonb) AS row(id uuid, is_new boolean, is_ended boolean,
          ends_at timestamptz, lineage uuid, fact text, level text, trust text, confidence double precision, same_hash text, times integer,
          session_id text, turn_no integer, role text, said_at timestamptz, target text, source_entity_id text,
          source_message_id text, valid_from timestamptz, superseded_by uuid, end_reason text))`
    const added = sql`
      added AS (
        INSERT INTO memory_facts AS record (id, space_id, seq, lineage, user_id, actor_id, fact, level, trust, confidence,
          same_hash, times, session_id, turn_no, role, said_at, target, source_entity_id, source_message_id, valid_from,
          valid_to, superseded_by, end_reason)
        SELECT asked.id, changed.space_id, changed.seq, asked.lineage, ${personId}::uuid, ${actorId}::uuid, asked.fact,
          asked.level, asked.trust, asked.confidence, asked.same_hash, asked.times, asked.session_id, asked.turn_no,
          asked.role, asked.said_at, asked.target, asked.source_entity_id, asked.source_message_id,
          COALESCE(asked.valid_from, now()), CASE WHEN asked.is_ended THEN ${endOf("COALESCE(asked.valid_from, now())")} END,
          asked.superseded_by,
          asked.end_reason
        FROM changed, asked
        WHERE asked.is_new
        RETURNING ${columns})`
    const moved = sql`
      moved AS (
        UPDATE memory_facts record
        SET seq = changed.seq, lineage = asked.lineage, trust = asked.trust, times = asked.times, updated_at = now(),
          valid_to = CASE WHEN asked.is_ended THEN COALESCE(record.valid_to, ${endOf("record.valid_from")}) END,
          superseded_by = asked.superseded_by, end_reason = asked.end_reason
        FROM changed, asked
        WHERE NOT asked.is_new AND record.id = asked.id AND record.space_id = changed.space_id
        RETURNING ${columns})`
    const written = sql`written AS (SELECT * FROM added UNION ALL SELECT * FROM moved)`
    const revisionLog = sql`
      revised AS (
        INSERT INTO memory_revisions (space_id, seq, place, lineage, fact_id, what, fact, trust, actor_id, reason,
          written_as, superseded_by, source_entity_id, source_message_id, event_id, at)
        SELECT changed.space_id, changed.seq, row.place, row.lineage, row.fact_id, row.what, row.fact, row.trust,
          ${actorId}::uuid, row.reason, row.written_as, row.superseded_by, row.source_entity_id, row.source_message_id,
          logged.id, now()
        FROM changed, logged, jsonb_to_recordset(${revisionsJson(revisions)}::jsonb) AS row(place integer, lineage uuid,
          fact_id uuid, what text, fact text, trust text, reason text, written_as uuid, superseded_by uuid,
          source_entity_id text, source_message_id text))`
    if (vector === null) return [rowsPart, added, moved, written, revisionLog]
    const vectorRows = sql`
      vectors AS (
        INSERT INTO memory_vectors AS vector (space_id, fact_id, seq, floats, packed)
        SELECT changed.space_id, of.id, changed.seq, decode(${bytesOfFloats(vector.packed.floats).toString("base64")}, 'base64'),
          decode(${bytesOfPacked(vector.packed).toString("base64")}, 'base64')
        FROM changed, unnest(${[...vector.factIds]}::uuid[]) AS of(id)
        ON CONFLICT (space_id, fact_id) DO UPDATE
        SET seq = excluded.seq, floats = excluded.floats, packed = excluded.packed)`
    return [rowsPart, added, moved, written, revisionLog, vectorRows]
  }
}
