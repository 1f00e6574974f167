/** A row of the table of versions of knowledge entries, as statements return it. */
import { DateTime } from "effect"
import type { KnowledgeVersion } from "./KnowledgeEntry.ts"
import type { KnowledgeRow } from "./KnowledgeRow.ts"

export interface VersionRow extends Pick<
  KnowledgeRow,
  "id" | "version" | "value" | "namespace" | "slug" | "status" | "author" | "actor_id"
> {
  readonly event_id: string | null
  readonly at: Date
}

export const versionOf = (row: VersionRow): KnowledgeVersion => ({
  version: row.version,
  value: row.value,
  namespace: row.namespace,
  slug: row.slug,
  status: row.status,
  author: row.author,
  actorId: row.actor_id,
  eventId: row.event_id,
  at: DateTime.unsafeFromDate(row.at)
})
