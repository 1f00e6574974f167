/**
 * The SQL store of memory facts. Each method is one statement with the authority prefix.
 * The store is one noun: one statement writes facts, their revisions and their vectors together.
 */
import { SqlClient, type Statement } from "@effect/sql"
import { DateTime, Effect, Layer, Option } from "effect"
import { governedRead } from "../../doors/Authority.ts"
import { Reach } from "../../doors/Reach.ts"
import { actorOf, governedWrite } from "../events/AppendEvent.ts"
import { memoryBounds } from "./FactTable.ts"
import type { FactRevision, KeptFact, Level, Trust } from "./MemoryFact.ts"
import {
  type FactRow,
  type FactWrite,
  indexBounds,
  MemoryStore,
  pageOfFacts,
  pageOfRevisions,
  placeId,
  placeOf
} from "./MemoryStore.ts"
import { bytesOfFloats, bytesOfPacked, floatsOf, packedOf } from "../search/vectors/PackedVector.ts"

interface Row {
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

interface RevisionColumns {
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

const timeOf = (date: Date | null) => (date === null ? null : DateTime.unsafeFromDate(date))

const fromRow = (row: Row): KeptFact => ({
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
  saidAt: timeOf(row.said_at),
  target: row.target,
  sourceEntityId: row.source_entity_id,
  sourceMessageId: row.source_message_id,
  validFrom: DateTime.unsafeFromDate(row.valid_from),
  validTo: timeOf(row.valid_to),
  supersededBy: row.superseded_by,
  endReason: row.end_reason,
  createdAt: DateTime.unsafeFromDate(row.created_at),
  updatedAt: DateTime.unsafeFromDate(row.updated_at)
})

const revisionOf = (row: RevisionColumns) => ({
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
const columnsOf = (alias: string) => columnNames.map((name) => `${alias}.${name}`).join(", ")

const isoOf = (time: DateTime.Utc | null) => (time === null ? null : DateTime.formatIso(time))

/** The rows of a write as JSON, so that one parameter of the statement contains all of them. */
const factsJson = (facts: ReadonlyArray<FactRow>) =>
  JSON.stringify(
    facts.map((row) => ({
      id: row.id,
      is_new: row.isNew,
      is_ended: row.isEnded,
      ends_at: isoOf(row.endsAt),
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
      said_at: isoOf(row.saidAt),
      target: row.target,
      source_entity_id: row.sourceEntityId,
      source_message_id: row.sourceMessageId,
      valid_from: isoOf(row.validFrom),
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

export const layer = Layer.effect(
  MemoryStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(columnsOf("record"))
    const writtenColumns = sql.literal(columnsOf("written"))
    const nothing: Statement.Fragment = sql.literal("")

    /** The SQL for the time at which a fact ends that is valid from `start`. */
    const endOf = (start: string) =>
      sql.literal(`CASE WHEN asked.ends_at IS NULL THEN now() ELSE LEAST(now(), GREATEST(asked.ends_at, ${start})) END`)

    /** The parts of the statement of a write after the part that increases the person's write number. */
    const partsOf = (planned: FactWrite, personId: string, actorId: string): ReadonlyArray<Statement.Fragment> => {
      const { facts, revisions, vector } = planned
      const asked = sql`
        asked AS (
          SELECT changed.space_id, changed.seq, row.*
          FROM changed, jsonb_to_recordset(${factsJson(facts)}::jsonb) AS row(id uuid, is_new boolean, is_ended boolean,
            ends_at timestamptz, lineage uuid, fact text, level text, trust text, confidence double precision, same_hash text, times integer,
            session_id text, turn_no integer, role text, said_at timestamptz, target text, source_entity_id uuid,
            source_message_id uuid, valid_from timestamptz, superseded_by uuid, end_reason text))`
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
      const told = sql`
        told AS (
          INSERT INTO memory_revisions (space_id, seq, place, lineage, fact_id, what, fact, trust, actor_id, reason,
            written_as, superseded_by, source_entity_id, source_message_id, event_id, at)
          SELECT changed.space_id, changed.seq, row.place, row.lineage, row.fact_id, row.what, row.fact, row.trust,
            ${actorId}::uuid, row.reason, row.written_as, row.superseded_by, row.source_entity_id, row.source_message_id,
            logged.id, now()
          FROM changed, logged, jsonb_to_recordset(${revisionsJson(revisions)}::jsonb) AS row(place integer, lineage uuid,
            fact_id uuid, what text, fact text, trust text, reason text, written_as uuid, superseded_by uuid,
            source_entity_id uuid, source_message_id uuid))`
      if (vector === null) return [asked, added, moved, written, told]
      const meant = sql`
        meant AS (
          INSERT INTO memory_vectors AS vector (space_id, fact_id, seq, floats, packed)
          SELECT changed.space_id, of.id, changed.seq, decode(${bytesOfFloats(vector.packed.floats).toString("base64")}, 'base64'),
            decode(${bytesOfPacked(vector.packed).toString("base64")}, 'base64')
          FROM changed, unnest(${[...vector.factIds]}::uuid[]) AS of(id)
          ON CONFLICT (space_id, fact_id) DO UPDATE
          SET seq = excluded.seq, floats = excluded.floats, packed = excluded.packed)`
      return [asked, added, moved, written, told, meant]
    }

    return {
      list: ({ asOf, cursor, level, limit, offset = 0, sessionId, trust }) =>
        Effect.gen(function* () {
          const reach = yield* Reach
          const time = asOf === undefined ? null : DateTime.formatIso(asOf)
          const holds =
            time === null
              ? sql`record.valid_to IS NULL AND (record.valid_from <= record.created_at OR record.valid_from <= now())`
              : sql`record.valid_from <= ${time}::timestamptz
                  AND (record.valid_to IS NULL OR record.valid_to > ${time}::timestamptz)`
          const further = [
            ...(level === undefined ? [] : [sql`AND record.level = ${level}`]),
            ...(trust === undefined ? [] : [sql`AND record.trust = ${trust}`]),
            ...(sessionId === undefined ? [] : [sql`AND record.session_id = ${sessionId}`]),
            ...(cursor === undefined
              ? []
              : [sql`AND (record.created_at, record.id) < (${cursor.at}::timestamptz, ${cursor.id}::uuid)`])
          ].reduce((all, condition) => sql`${all} ${condition}`, nothing)
          const rows = yield* governedRead<Row>(
            sql,
            reach,
            memoryBounds(reach, "read"),
            ({ within }) => sql`
              SELECT ${columns}
              FROM memory_facts record
              WHERE record.space_id = ${reach.principal.personId}::uuid
                AND ${within("record")}
                AND ${holds}
                ${further}
              ORDER BY record.created_at DESC, record.id DESC
              LIMIT ${limit + 1} OFFSET ${offset}`
          )
          return pageOfFacts(rows.map(fromRow), limit)
        }),

      byIds: (ids, action) =>
        Effect.gen(function* () {
          const reach = yield* Reach
          const rows = yield* governedRead<Row>(
            sql,
            reach,
            memoryBounds(reach, action),
            ({ within }) => sql`
              SELECT ${columns}
              FROM memory_facts record
              WHERE record.space_id = ${reach.principal.personId}::uuid
                AND record.id = ANY (${[...ids]}::uuid[])
                AND ${within("record")}`
          )
          return rows.map(fromRow)
        }),

      since: (place, limit) =>
        Effect.gen(function* () {
          const reach = yield* Reach
          const rows = yield* governedRead<Row>(
            sql,
            reach,
            indexBounds(reach),
            ({ within }) => sql`
              SELECT ${columns}
              FROM memory_facts record
              WHERE record.space_id = ${reach.principal.personId}::uuid
                AND ${within("record")}
                AND (record.seq, record.id) > (${place.seq}::bigint, ${place.id}::uuid)
              ORDER BY record.seq, record.id
              LIMIT ${limit}`
          )
          return rows.map(fromRow)
        }),

      withoutVectors: (model, most) =>
        Effect.orDie(
          Effect.map(
            sql<{ readonly id: string }>`SELECT id FROM persons_without_fact_vectors(${model}, ${most})`,
            (rows) => rows.map(({ id }) => id)
          )
        ),

      vectorsSince: (place, limit) =>
        Effect.gen(function* () {
          const reach = yield* Reach
          // The vector is sent as base64 text, because the embedded engine returns text ten times as fast as bytes.
          const rows = yield* governedRead<{ readonly id: string; readonly seq: string; readonly packed: string }>(
            sql,
            reach,
            indexBounds(reach),
            ({ within }) => sql`
              SELECT record.fact_id AS id, record.seq, encode(record.packed, 'base64') AS packed
              FROM memory_vectors record
              WHERE record.space_id = ${reach.principal.personId}::uuid
                AND ${within("record")}
                AND (record.seq, record.fact_id) > (${place.seq}::bigint, ${place.id}::uuid)
              ORDER BY record.seq, record.fact_id
              LIMIT ${limit}`
          )
          return rows.map(({ id, seq, packed }) => ({
            id,
            seq: Number(seq),
            ...packedOf(Buffer.from(packed, "base64"))
          }))
        }),

      vectors: (ids) =>
        Effect.gen(function* () {
          const reach = yield* Reach
          const rows = yield* governedRead<{ readonly id: string; readonly floats: string }>(
            sql,
            reach,
            memoryBounds(reach, "read"),
            ({ within }) => sql`
              SELECT record.fact_id AS id, encode(record.floats, 'base64') AS floats
              FROM memory_vectors record
              WHERE record.space_id = ${reach.principal.personId}::uuid
                AND record.fact_id = ANY (${[...ids]}::uuid[])
                AND ${within("record")}`
          )
          return rows.map(({ id, floats }) => ({ id, floats: floatsOf(Buffer.from(floats, "base64")) }))
        }),

      history: (id, { cursor, limit, offset = 0 }) =>
        Effect.gen(function* () {
          const reach = yield* Reach
          const past = cursor === undefined ? undefined : placeOf(cursor.id)
          const rows = yield* governedRead<RevisionColumns>(
            sql,
            reach,
            memoryBounds(reach, "read"),
            ({ within }) => sql`
              SELECT revision.fact_id AS id, revision.seq, revision.place, revision.fact_id, revision.what, revision.fact,
                revision.trust, revision.actor_id, revision.reason, revision.superseded_by, revision.source_entity_id,
                revision.source_message_id, revision.event_id, revision.at
              FROM memory_facts record
              JOIN memory_revisions revision
                ON revision.space_id = record.space_id AND revision.lineage = record.lineage
              WHERE record.space_id = ${reach.principal.personId}::uuid
                AND record.id = ${id}::uuid
                AND ${within("record")}
                ${past === undefined ? nothing : sql`AND (revision.seq, revision.place) < (${past.seq}::bigint, ${past.place}::integer)`}
              ORDER BY revision.seq DESC, revision.place DESC
              LIMIT ${limit + 1} OFFSET ${offset}`
          )
          return pageOfRevisions(rows.map(revisionOf), limit)
        }),

      foldedInto: (writtenAs) =>
        Effect.gen(function* () {
          const reach = yield* Reach
          const rows = yield* governedRead<{ readonly id: string; readonly written_as: string }>(
            sql,
            reach,
            indexBounds(reach),
            ({ within }) => sql`
              SELECT record.fact_id AS id, record.written_as
              FROM memory_revisions record
              WHERE record.space_id = ${reach.principal.personId}::uuid
                AND record.written_as = ANY (${[...writtenAs]}::uuid[])
                AND record.what = 'fold'
                AND ${within("record")}`
          )
          return rows.map(({ id, written_as }) => ({ id, writtenAs: written_as }))
        }),

      write: (action, planned, event, passed) =>
        Effect.gen(function* () {
          const reach = yield* Reach
          const { personId } = reach.principal
          // The statement first locks the head, so that writes of one person wait there before they lock rows of facts.
          const rows = yield* governedWrite<Row>(sql, reach, memoryBounds(reach, action), passed, event, () => ({
            changed: sql`
              INSERT INTO memory_heads AS record (space_id, seq)
              SELECT ${personId}::uuid, 1
              FROM authority
              WHERE ${personId}::uuid = ANY (authority.spaces)
              ON CONFLICT (space_id) DO UPDATE SET seq = record.seq + 1 WHERE record.seq = ${planned.known}::bigint
              RETURNING record.space_id, record.seq`,
            after: partsOf(planned, personId, actorOf(reach)),
            columns: writtenColumns,
            joins: sql.literal("LEFT JOIN written ON true")
          }))
          return rows.length === 0 ? Option.none() : Option.some(rows.map(fromRow))
        })
    }
  })
)
