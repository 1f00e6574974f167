/** The SQL condition for the proposals that a caller may read. `VisibleProposals.ts` has the same rules in memory. */
import type { SqlClient, Statement } from "@effect/sql"
import { notPrivateToOther, type Within } from "../../doors/Authority.ts"
import type { ReachShape } from "../../doors/Reach.ts"
import { privacyTypes, readableTargets } from "./VisibleProposals.ts"
import { arrayLiteral } from "../../platform/ArrayLiteral.ts"

/** Makes the condition for the rows of `proposals` that the call may read. */
export const visibleProposals =
  (sql: SqlClient.SqlClient) =>
  (within: Within, reach: ReachShape, spaceColumn?: string): Statement.Fragment => {
    const { kinds, subjects } = readableTargets(reach)
    const { objects, projects } = reach.bounds("proposal", "read")
    const isTargetOpen = ({ name, privacy, table }: (typeof privacyTypes)[number]) => sql`(
      proposal.target_type <> ${name} OR EXISTS (
        SELECT 1 FROM ${sql.literal(table)} target
        WHERE target.id = proposal.target_id AND target.space_id = proposal.space_id
          AND ${notPrivateToOther(sql, reach.principal.personId, "target", privacy)}))`
    return sql`${within("proposal", spaceColumn)}
    AND (NOT proposal.is_private OR proposal.user_id = ${reach.principal.personId}::uuid)
    AND proposal.subject = ANY (${[...subjects]}::text[])
    AND (proposal.subject <> 'entity' OR ${kinds === null}::boolean OR proposal.kind = ANY (${[...(kinds ?? [])]}::text[]))
    AND NOT EXISTS (
      SELECT 1
      FROM jsonb_to_recordset(proposal.mentions) AS mention(subject text, kind text, "objectId" uuid)
      WHERE mention.subject <> ALL (${[...subjects]}::text[])
        OR (mention.subject = 'entity' AND (
          NOT (${kinds === null}::boolean OR coalesce(mention.kind, '') = ANY (${[...(kinds ?? [])]}::text[]))
          OR NOT (${objects === null}::boolean OR coalesce(mention."objectId" = ANY (${arrayLiteral(objects ?? [])}::uuid[]), false))
          OR NOT (${projects === null}::boolean OR EXISTS (
            SELECT 1 FROM entity_projects filed
            WHERE filed.entity_id = mention."objectId" AND filed.space_id = proposal.space_id
              AND filed.project_id = ANY (${arrayLiteral(projects ?? [])}::uuid[]))))))
    AND (proposal.user_id = ${reach.principal.personId}::uuid
      OR (proposal.action = 'create' AND proposal.status NOT IN ('approved', 'reverted'))
      OR ${sql.and(privacyTypes.map(isTargetOpen))})`
  }
