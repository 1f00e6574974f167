/** The tail of every write statement: the next number of the space's log, and the event under it. */
import type { SqlClient, SqlError, Statement } from "@effect/sql"
import type { Effect } from "effect"
import { createHash } from "node:crypto"
import { governed } from "../../doors/Authority.ts"
import type { Bounds, ReachShape } from "../../doors/Reach.ts"
import { isUuid, uuidv7 } from "../../platform/Ids.ts"
import { Passed } from "../gate/Passed.ts"
import type { EventDraft } from "./Event.ts"

/**
 * Runs one governed statement that writes, under the gate's word: it finds no authority where a policy that the word rests
 * on moved on since.
 */
export const writing = <Row extends { readonly id: unknown }>(
  sql: SqlClient.SqlClient,
  reach: ReachShape,
  bounds: Bounds,
  passed: Passed,
  statement: (authority: Statement.Fragment) => Statement.Statement<Row>
): Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError> => governed(sql, reach, bounds, statement, passed.policies)

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
export const appended = (
  sql: SqlClient.SqlClient,
  reach: ReachShape,
  passed: Passed,
  draft: EventDraft
): Statement.Fragment => {
  const { decision, id } = eventIdentity(passed, draft)
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
      ${correlationOf(reach)}::uuid, ${draft.causationId ?? passed.causationId}::uuid,
      ${reach.origin.requestId}, ${decision === undefined ? null : JSON.stringify(decision)}::jsonb
    FROM head
    RETURNING id, seq, at, decision, causation_id)`
}

/** The id of an event under a word, and the decision it carries: an event that carries one has its id. */
export const eventIdentity = (passed: Passed, draft: Pick<EventDraft, "id">) => {
  if (!Passed.isWord(passed)) throw new Error("a write came without the gate's word")
  const { decision } = passed
  if (decision === null) return { id: draft.id ?? uuidv7(), decision: undefined }
  const { id, ...said } = decision
  return { id, decision: said }
}

/** Who acts: the holder of the credential, which for an agent's key is the agent and never its person. */
export const actorOf = ({ authority, principal }: ReachShape): string =>
  authority.kind === "system" ? principal.personId : principal.holder.id

const credentialOf = ({ authority }: ReachShape): string | null =>
  authority.kind === "system" ? null : authority.credentialId
