/** The SQL condition that a proposal is about the records of projects. */
import type { SqlClient } from "@effect/sql"
import type { ExcerptPlaces } from "./ProposalExcerpt.ts"
import { arrayLiteral } from "../../platform/ArrayLiteral.ts"

/**
 * Makes the condition on `proposals proposal` for the projects of a search. The condition is empty if the search names
 * no projects.
 */
export const projectConditions = (
  sql: SqlClient.SqlClient,
  { inProjects, notInProjects }: Pick<ExcerptPlaces, "inProjects" | "notInProjects">
) => {
  const namedId = (field: string) =>
    sql`coalesce(proposal.content ->> ${field}::text, proposal.base -> 'fields' ->> ${field}::text)`
  /** The same as `isAboutProjects` of the store in memory. */
  const about = (projects: ReadonlyArray<string>) => sql`(
    proposal.target_id = ANY (${arrayLiteral(projects)}::uuid[])
    OR (proposal.action = 'create' AND proposal.project_ids && ${arrayLiteral(projects)}::uuid[])
    OR coalesce(${namedId("projectId")} = ANY (${arrayLiteral(projects)}::text[]), false)
    OR EXISTS (
      SELECT 1 FROM entity_projects filed
      WHERE filed.space_id = proposal.space_id AND filed.project_id = ANY (${arrayLiteral(projects)}::uuid[])
        AND (filed.entity_id = proposal.target_id OR filed.entity_id = (
          CASE WHEN ${namedId("entityId")} ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN ${namedId("entityId")} END)::uuid)))`
  return sql`${inProjects === null ? sql.literal("") : sql`AND ${about(inProjects)}`}
    ${notInProjects.length === 0 ? sql.literal("") : sql`AND NOT ${about(notInProjects)}`}`
}
