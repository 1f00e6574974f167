/** A row of the table of entities, and its conversion to an entity. */
import { DateTime } from "effect"
import { workspaceIdOf } from "../../doors/OwnSpace.ts"
import type { Entity, EntityHead } from "./Entity.ts"

export interface EntityRow {
  readonly id: string
  readonly space_id: string
  readonly profile_slug: string
  readonly title: string
  readonly preview: string | null
  readonly description: string | null
  readonly properties: Record<string, unknown>
  readonly system_data: Record<string, unknown>
  readonly user_id: string
  readonly document_id: string | null
  readonly version: number
  readonly created_at: Date
  readonly updated_at: Date
}

const columnNames: ReadonlyArray<keyof EntityRow> = [
  "id",
  "space_id",
  "profile_slug",
  "title",
  "preview",
  "description",
  "properties",
  "system_data",
  "user_id",
  "document_id",
  "version",
  "created_at",
  "updated_at"
]

/** Returns the columns of an entity as a SQL list. `alias` is the alias of the table in the statement. */
export const columnsOf = (alias: string): string => columnNames.map((name) => `${alias}.${name}`).join(", ")

export const fromRow = (row: EntityRow): Entity => ({
  id: row.id,
  profileSlug: row.profile_slug,
  type: row.profile_slug,
  title: row.title,
  preview: row.preview,
  description: row.description,
  properties: row.properties,
  systemData: row.system_data,
  userId: row.user_id,
  workspaceId: workspaceIdOf(row.space_id, row.user_id),
  documentId: row.document_id,
  version: row.version,
  createdAt: DateTime.unsafeFromDate(row.created_at),
  updatedAt: DateTime.unsafeFromDate(row.updated_at)
})

export type EntityHeadRow = Pick<EntityRow, "id" | "space_id" | "profile_slug" | "title" | "user_id" | "updated_at">

/** The columns that name an entity, as a SQL list. The alias of the table is `entity`. */
export const headColumns =
  "entity.id, entity.space_id, entity.profile_slug, entity.title, entity.user_id, entity.updated_at"

export const headFromRow = (row: EntityHeadRow): EntityHead => ({
  id: row.id,
  profileSlug: row.profile_slug,
  title: row.title,
  userId: row.user_id,
  workspaceId: workspaceIdOf(row.space_id, row.user_id),
  updatedAt: DateTime.unsafeFromDate(row.updated_at)
})
