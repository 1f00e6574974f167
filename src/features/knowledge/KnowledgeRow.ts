/** A row of the table of knowledge entries, as statements return it. */
export interface KnowledgeRow {
  readonly id: string
  readonly space_id: string
  readonly key: string
  readonly value: unknown
  readonly namespace: string | null
  readonly slug: string | null
  readonly status: string
  readonly user_id: string
  readonly actor_id: string
  readonly author: string | null
  readonly version: number
  readonly created_at: Date
  readonly updated_at: Date
}
