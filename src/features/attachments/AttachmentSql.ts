/**
 * The SQL store of attachments. Every statement joins the entity of the attachment, and finds only entities that the
 * call may read or change.
 */
import { SqlClient } from "@effect/sql"
import { DateTime, Effect, Layer } from "effect"
import { authorizedRead } from "../../doors/Authority.ts"
import { Reach } from "../../doors/Reach.ts"
import { actorOf, authorizedWrite } from "../events/AppendEvent.ts"
import type { Attachment } from "./Attachment.ts"
import { attachmentsMax, AttachmentStore } from "./AttachmentStore.ts"
import { EntityNotFound } from "../entities/Entity.ts"

interface Row {
  readonly id: string
  readonly entity_id: string
  readonly user_id: string
  readonly file_name: string | null
  readonly mime_type: string | null
  readonly size_bytes: number | null
  readonly sha256: string | null
  readonly file_entity_id: string | null
  readonly created_at: Date
}

const fromRow = (row: Row): Attachment => ({
  id: row.id,
  entityId: row.entity_id,
  userId: row.user_id,
  fileName: row.file_name,
  mimeType: row.mime_type,
  sizeBytes: row.size_bytes,
  sha256: row.sha256,
  fileEntityId: row.file_entity_id,
  createdAt: DateTime.unsafeFromDate(row.created_at)
})

export const layer = Layer.effect(
  AttachmentStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const named = ["id", "entity_id", "user_id", "file_name", "mime_type", "size_bytes", "sha256", "file_entity_id"]
    const columnsOf = (alias: string) =>
      sql.literal([...named, "created_at"].map((name) => `${alias}.${name}`).join(", "))
    const columns = columnsOf("attachment")
    const changedColumns = columnsOf("changed")

    return {
      list: Effect.fnUntraced(function* (entityId) {
        const reach = yield* Reach
        const bounds = reach.bounds("entity", "read")
        const rows = yield* authorizedRead<Row>(
          sql,
          reach,
          bounds,
          ({ within }) => sql`
              SELECT ${columns}
              FROM entities entity
              JOIN attachments attachment
                ON attachment.entity_id = entity.id AND attachment.space_id = entity.space_id
              WHERE entity.id = ${entityId}::uuid
                AND ${within("entity")}
                AND entity.archived_at IS NULL
                AND attachment.archived_at IS NULL
              ORDER BY attachment.id DESC
              LIMIT ${attachmentsMax}`
        )
        return rows.map(fromRow)
      }),

      get: Effect.fnUntraced(function* (entityId, id) {
        const reach = yield* Reach
        const bounds = reach.bounds("entity", "read")
        const [row] = yield* authorizedRead<Row & { readonly bytes: Uint8Array | null }>(
          sql,
          reach,
          bounds,
          ({ within }) => sql`
              SELECT ${columns}, attachment.bytes
              FROM entities entity
              JOIN attachments attachment
                ON attachment.entity_id = entity.id AND attachment.space_id = entity.space_id
              WHERE entity.id = ${entityId}::uuid
                AND ${within("entity")}
                AND entity.archived_at IS NULL
                AND attachment.id = ${id}::uuid
                AND attachment.archived_at IS NULL`
        )
        return row === undefined
          ? undefined
          : { attachment: fromRow(row), bytes: row.bytes === null ? null : Buffer.from(row.bytes) }
      }),

      add: Effect.fnUntraced(function* (attachment, event, passed) {
        const reach = yield* Reach
        const bounds = reach.bounds("entity", "update")
        const [row] = yield* authorizedWrite<Row>(sql, reach, { bounds, passed, event }, ({ within }) => ({
          changed: sql`
              INSERT INTO attachments (id, space_id, user_id, actor_id, entity_id, file_name, file_entity_id, mime_type,
                size_bytes, sha256, bytes)
              SELECT ${attachment.id}::uuid, entity.space_id, ${reach.principal.personId}::uuid, ${actorOf(reach)}::uuid,
                entity.id, ${attachment.fileName}, ${attachment.fileEntityId}::uuid, ${attachment.mimeType}, ${attachment.sizeBytes}::integer,
                ${attachment.sha256}, ${attachment.bytes}::bytea
              FROM authority, entities entity
              WHERE entity.id = ${attachment.entityId}::uuid
                AND ${within("entity")}
                AND entity.archived_at IS NULL
              RETURNING *`,
          columns: changedColumns
        }))
        return row === undefined ? yield* new EntityNotFound({ id: attachment.entityId }) : fromRow(row)
      })
    }
  })
)
