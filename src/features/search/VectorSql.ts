/** The SQL store of the vectors of passages. */
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { authorizedRead, authorizedWriteWithoutEvent } from "../../doors/Authority.ts"
import { inSpaces, Reach, type ReachShape } from "../../doors/Reach.ts"
import { bytesOfPacked, packedVectorFrom } from "./vectors/PackedVector.ts"
import { factModel, Vectors } from "./Vectors.ts"
import { dieOnSqlError } from "../../platform/SqlDefect.ts"

interface HeadRow {
  readonly id: string
  readonly seq: string
  readonly revision: string
  readonly is_complete: boolean
}

interface PlaceRow {
  readonly id: string
  readonly start: number
  readonly fingerprint: string
}

interface VectorRow extends PlaceRow {
  readonly revision: string
  readonly packed: string
}

const boundsIn = (reach: ReachShape, spaces: ReadonlyArray<string>) => inSpaces(reach.bounds("entity", "read"), spaces)

const placeOf = ({ fingerprint, id, start }: PlaceRow) => ({ objectId: id, start, fingerprint: Number(fingerprint) })

export const layer = Layer.effect(
  Vectors,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    heads: Effect.fnUntraced(function* (model, spaces) {
      const reach = yield* Reach
      const rows = yield* authorizedRead<HeadRow>(
        sql,
        reach,
        boundsIn(reach, spaces),
        () => sql`
            SELECT head.space_id AS id, head.seq::text AS seq, head.revision::text AS revision, head.is_complete
            FROM search_vector_heads head
            WHERE head.space_id = ANY (authority.spaces) AND head.model = ${model}`
      )
      return rows.map(({ id, is_complete, revision, seq }) => ({
        spaceId: id,
        seq: Number(seq),
        revision: Number(revision),
        isComplete: is_complete
      }))
    }),

    placesOf: Effect.fnUntraced(function* (model, spaceId, objectIds) {
      const reach = yield* Reach
      const rows = yield* authorizedRead<PlaceRow>(
        sql,
        reach,
        boundsIn(reach, [spaceId]),
        () => sql`
            SELECT vector.object_id AS id, vector.start, vector.fingerprint::text AS fingerprint
            FROM search_vectors vector
            WHERE vector.space_id = ANY (authority.spaces) AND vector.model = ${model}
              AND vector.object_id = ANY (${`{${objectIds.join(",")}}`}::uuid[])`
      )
      return rows.map(placeOf)
    }),

    since: Effect.fnUntraced(function* (model, spaceId, { objectId, revision, start }, limit) {
      const reach = yield* Reach
      const rows = yield* authorizedRead<VectorRow>(
        sql,
        reach,
        boundsIn(reach, [spaceId]),
        () => sql`
            SELECT vector.object_id AS id, vector.start, vector.fingerprint::text AS fingerprint,
              vector.revision::text AS revision, encode(vector.packed, 'base64') AS packed
            FROM search_vectors vector
            WHERE vector.space_id = ANY (authority.spaces) AND vector.model = ${model}
              AND (vector.revision, vector.object_id, vector.start) > (${revision}::bigint, ${objectId}::uuid, ${start}::integer)
            ORDER BY vector.revision, vector.object_id, vector.start
            LIMIT ${limit}`
      )
      return rows.map((row) => ({
        ...placeOf(row),
        revision: Number(row.revision),
        vector: packedVectorFrom(Buffer.from(row.packed, "base64"))
      }))
    }),

    keep: Effect.fnUntraced(function* ({ isComplete, model, objectIds, places, seq, spaceId, vectors }) {
      const reach = yield* Reach
      const seen = JSON.stringify(places.map(({ objectId, start }) => ({ id: objectId, start })))
      const vectorsJson = JSON.stringify(
        vectors.map(({ fingerprint, objectId, start, vector }) => ({
          id: objectId,
          start,
          fingerprint,
          packed: bytesOfPacked(vector).toString("base64")
        }))
      )
      yield* authorizedWriteWithoutEvent(sql, reach, boundsIn(reach, [spaceId]), () => ({
        changed: sql`
          INSERT INTO search_vector_heads (space_id, model, seq, revision, is_complete)
          SELECT ${spaceId}::uuid, ${model}, ${seq}::bigint, 1, ${isComplete}
          FROM authority WHERE ${spaceId}::uuid = ANY (authority.spaces)
          ON CONFLICT (space_id, model) DO UPDATE SET
            seq = GREATEST(search_vector_heads.seq, excluded.seq),
            revision = search_vector_heads.revision + 1,
            is_complete = search_vector_heads.is_complete OR excluded.is_complete,
            updated_at = now()
          RETURNING space_id AS id, space_id, model, revision`,
        after: [
          sql`
            gone AS (
              DELETE FROM search_vectors vector USING changed
              WHERE vector.space_id = changed.space_id AND vector.model = changed.model
                AND vector.object_id = ANY (${`{${objectIds.join(",")}}`}::uuid[])
                AND NOT EXISTS (
                  SELECT 1 FROM jsonb_to_recordset(${seen}::jsonb) AS seen(id uuid, start integer)
                  WHERE seen.id = vector.object_id AND seen.start = vector.start))`,
          sql`
            kept AS (
              INSERT INTO search_vectors (space_id, model, object_id, start, fingerprint, revision, packed)
              SELECT changed.space_id, changed.model, made.id, made.start, made.fingerprint, changed.revision,
                decode(made.packed, 'base64')
              FROM changed, jsonb_to_recordset(${vectorsJson}::jsonb)
                AS made(id uuid, start integer, fingerprint bigint, packed text)
              ON CONFLICT (space_id, model, object_id, start) DO UPDATE SET
                fingerprint = excluded.fingerprint, revision = excluded.revision, packed = excluded.packed)`
        ]
      }))
    }),

    spacesWithUnread: (model, limit) =>
      dieOnSqlError(
        Effect.map(sql<{ readonly id: string }>`SELECT id FROM spaces_without_vectors(${model}, ${limit})`, (rows) =>
          rows.map(({ id }) => id)
        )
      ),

    progress: (model) =>
      dieOnSqlError(
        Effect.map(sql<{ readonly share: number }>`SELECT vector_progress(${model}) AS share`, ([{ share }]) => share)
      ),

    forgetReplaced: (model) =>
      dieOnSqlError(
        Effect.asVoid(sql`SELECT forget_replaced_vectors(ARRAY[${model}::text, ${factModel(model)}::text])`)
      )
  }))
)
