/** The tail of every write statement: the next number of the space's log, and the event under it. */
import type { SqlClient, Statement } from "@effect/sql"
import { createHash } from "node:crypto"
import type { Decision, ReachShape } from "../../doors/Reach.ts"
import { isUuid, uuidv7 } from "../../platform/Ids.ts"
import type { EventDraft } from "./Event.ts"

/**
 * The correlation of everything one request did: its id where that is a UUID, else a UUID made of it (version 8 of
 * RFC 9562), so that all events of the request share it whoever asks and however often.
 */
export const correlationOf = ({ origin }: ReachShape): string => {
  if (isUuid(origin.requestId)) return origin.requestId
  const digest = createHash("sha256").update(origin.requestId).digest("hex")
  return digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-8$3-8$4-$5")
}

/**
 * Two CTEs, `head` and `logged`, to stand after a CTE named `changed` that yields at most one row with a `space_id`.
 * No row changed: no number taken and no event. The head row is locked until the transaction ends, which is what
 * keeps the numbers of a space free of gaps; that is why it comes last. The first event of a space makes its head.
 */
export const appended = (sql: SqlClient.SqlClient, reach: ReachShape, draft: EventDraft): Statement.Fragment => {
  const { decision, id } = identityFor(reach)
  return sql`
  head AS (
    INSERT INTO stream_heads (space_id, seq)
    SELECT changed.space_id, 1 FROM changed
    ON CONFLICT (space_id) DO UPDATE SET seq = stream_heads.seq + 1
    RETURNING space_id, seq),
  logged AS (
    INSERT INTO events (space_id, seq, id, type, subject_id, data, metadata, user_id, actor_id, credential_id, source,
      correlation_id, causation_id, request_id, decision)
    SELECT head.space_id, head.seq, ${id}::uuid, ${draft.type}, ${draft.subjectId ?? null}::uuid,
      ${JSON.stringify(draft.data)}::jsonb, ${draft.metadata === undefined ? null : JSON.stringify(draft.metadata)}::jsonb,
      ${reach.principal.personId}::uuid, ${actorOf(reach)}::uuid, ${credentialOf(reach)}, ${draft.source ?? "api"},
      ${correlationOf(reach)}::uuid, ${draft.causationId ?? reach.notes.cause ?? null}::uuid,
      ${reach.origin.requestId}, ${decision === undefined ? null : JSON.stringify(decision)}::jsonb
    FROM head
    RETURNING id, seq, at, decision, causation_id)`
}

/** The id of the next event of a call, and the decision it carries: the first after a decision has its id. */
export const identityFor = ({
  notes
}: ReachShape): { readonly id: string; readonly decision: Omit<Decision, "id"> | undefined } => {
  if (notes.decision === undefined) return { id: uuidv7(), decision: undefined }
  const { id, ...decision } = notes.decision
  notes.decision = undefined
  return { id, decision }
}

/** Who acts: the holder of the credential, which for an agent's key is the agent and never its person. */
export const actorOf = ({ authority, principal }: ReachShape): string =>
  authority.kind === "system" ? principal.personId : principal.holder.id

const credentialOf = ({ authority }: ReachShape): string | null =>
  authority.kind === "system" ? null : authority.credentialId
