/**
 * Builds the SQL statement of every write. The statement changes the row, takes the next number in the log of the
 * space, and inserts the event.
 */
import type { SqlClient, Statement } from "@effect/sql"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { authorizedWriteWithoutEvent, type Within, type WriteParts } from "../../doors/Authority.ts"
import { type Bounds, credentialIdOf, type ReachShape } from "../../doors/Reach.ts"
import { afterCommit } from "../../platform/CommitHooks.ts"
import { isUuid, uuidv7 } from "../../platform/Ids.ts"
import { Passed } from "../gate/Passed.ts"
import type { EventDraft } from "./Event.ts"
import { operatorMetadata, probeKind } from "./EventMetadata.ts"
import { newsOf } from "./EventNews.ts"

/**
 * Returns the correlation id that all events of a request share. If the request id is a UUID, the correlation id is the
 * request id. Otherwise the pod derives a UUID from the request id (version 8 of RFC 9562).
 */
export const correlationOf = ({ origin }: ReachShape): string => {
  if (isUuid(origin.requestId)) return origin.requestId
  const digest = createHash("sha256").update(origin.requestId).digest("hex")
  return digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-8$3-8$4-$5")
}

/**
 * Makes two CTEs, `head` and `logged`, which follow the CTE `changed`. `changed` has at most one row, with a
 * `space_id`. If it has no row, there is no new number and no event. The head row of a space has the number of the last
 * event of the space. It stays locked until the transaction ends, so the numbers of a space have no gaps. The statement
 * locks the head row last, so that it holds this lock only for a short time. The first event of a space inserts the
 * head row.
 */
const appendParts = (
  sql: SqlClient.SqlClient,
  reach: ReachShape,
  passed: Passed,
  draft: EventDraft,
  { eventData, eventSubject }: { readonly [Part in "eventData" | "eventSubject"]: Statement.Fragment | undefined }
): Statement.Fragment => {
  const { decision, id } = eventIdentity(passed, draft)
  const { causationId, metadata, runDepth, source } = eventOrigin(reach, passed, draft)
  return sql`
  head AS (
    INSERT INTO stream_heads (space_id, seq)
    SELECT changed.space_id, 1 FROM changed
    ON CONFLICT (space_id) DO UPDATE SET seq = stream_heads.seq + 1
    RETURNING space_id, seq),
  logged AS (
    INSERT INTO events (space_id, seq, id, type, subject_id, data, metadata, user_id, actor_id, credential_id, source,
      correlation_id, causation_id, request_id, decision, run_depth, session_id)
    SELECT head.space_id, head.seq, ${id}::uuid, ${draft.type}, ${eventSubject ?? sql`${draft.subjectId ?? null}::uuid`},
      ${JSON.stringify(draft.data)}::jsonb${eventData === undefined ? sql.literal("") : sql` || ${eventData}`}, ${metadata === undefined ? null : JSON.stringify(metadata)}::jsonb,
      ${reach.principal.personId}::uuid, ${actorOf(reach)}::uuid, ${credentialIdOf(reach.authority)}, ${source},
      ${correlationOf(reach)}::uuid, ${causationId}::uuid,
      ${reach.origin.requestId}, ${decision === undefined ? null : JSON.stringify(decision)}::jsonb, ${runDepth}::smallint,
      ${passed.sessionId}::uuid
    FROM head
    RETURNING id, seq, at, decision, causation_id)`
}

/** The parts from which `authorizedWrite` builds the statement of a write. The parts of `after` can read `logged`. */
export interface EventWriteParts extends WriteParts {
  /**
   * Locks the row that the write changes. With this part, the statement returns the id and the version of the row even
   * if the write changes nothing (`WriteOutcome`).
   */
  readonly found?: Statement.Fragment
  /** Changes at most one row and returns this row with its `space_id`. If no row changes, there is no event. */
  readonly changed: Statement.Fragment
  /**
   * A SQL expression that returns a JSON object. The object has further data of the event that only the statement can
   * read, such as a former value. The expression can read the CTEs of `before`.
   */
  readonly eventData?: Statement.Fragment
  /**
   * A SQL expression that returns the id of the record that the event is about, if only the statement knows the record.
   * It takes the place of the `subjectId` of the event. The expression can read the CTEs of `before`.
   */
  readonly eventSubject?: Statement.Fragment
}

/** The further columns that a write returns if it has the part `found`. */
export interface WriteOutcome {
  readonly found_version: number
  readonly is_changed: boolean
}

/** A write that the gate allowed, and its event. */
export interface EventWrite {
  /** What the caller may do with the rows of the statement. */
  readonly bounds: Bounds
  readonly passed: Passed
  readonly event: EventDraft
}

/** A change of one row by a statement with the part `found`. */
export interface RowChange extends EventWrite {
  /** The version that the row must have. Null means any version. */
  readonly expectedVersion?: number | null
  /** The state of the row before the change. */
  readonly from?: "present" | "archived"
  /** The part of the statement after `SET`. */
  readonly assignments: Statement.Fragment
  readonly after?: ReadonlyArray<Statement.Fragment>
}

/**
 * Makes the statement of a write that the gate allowed: the part `changed`, the event of the change, and further parts.
 * If a policy has changed since the decision of the gate, the statement writes nothing.
 */
export const authorizedWrite = <Row extends { readonly id: unknown }>(
  sql: SqlClient.SqlClient,
  reach: ReachShape,
  { bounds, event, passed }: EventWrite,
  write: (governed: { readonly within: Within }) => EventWriteParts
): Effect.Effect<ReadonlyArray<Row>> =>
  Effect.zipLeft(
    authorizedWriteWithoutEvent<Row>(
      sql,
      reach,
      bounds,
      (governed) => {
        const { after = [], before = [], eventData, eventSubject, found, ...parts } = write(governed)
        const { columns = sql.literal("changed.*"), joins = sql.literal("LEFT JOIN changed ON true") } = parts
        const append = appendParts(sql, reach, passed, event, { eventData, eventSubject })
        return found === undefined
          ? { ...parts, before, after: [append, ...after], joins: sql`${joins} LEFT JOIN logged ON true` }
          : {
              ...parts,
              before: [sql`found AS (${found})`, ...before],
              after: [append, ...after],
              columns: sql`${columns}, found.id AS id, found.version AS found_version,
                changed.id IS NOT NULL AS is_changed`,
              joins: sql`LEFT JOIN found ON true ${joins} LEFT JOIN logged ON true`
            }
      },
      passed.policies
    ),
    // Tells the streams of this process that there might be new events. The pod also does this after a write that
    // changed nothing.
    afterCommit(Effect.sync(() => newsOf(sql).wrote(reach.principal.personId)))
  )

/**
 * Returns the id of a new event, and the decision that the event stores. If an event has a decision, the id of the
 * event is the id of the decision.
 */
export const eventIdentity = (passed: Passed, draft: Pick<EventDraft, "id">) => {
  if (!Passed.isPassed(passed)) throw new Error("a write needs a decision of the gate")
  const { decision } = passed
  if (decision === null) return { id: draft.id ?? uuidv7(), decision: undefined }
  const { id, ...fields } = decision
  return { id, decision: fields }
}

/**
 * Returns true if an agent made the write that an event reports. Returns false for the pod's own work for an agent, and
 * for an event whose source the caller or the feature states.
 */
const isByAgent = ({ principal }: ReachShape, passed: Passed, draft: EventDraft): boolean =>
  principal.holder.kind === "agent" && passed.origin === "gate" && draft.source === undefined

/**
 * Returns the metadata of an agent's write (specification §6.1): the agent, and the message from which the record
 * comes, if the write names a message. The metadata has no confidence, because the pod does not know how sure the agent
 * is.
 */
const metadataOfAgent = ({ principal }: ReachShape, { data }: EventDraft) => ({
  kind: "ai",
  agent: principal.holder.id,
  ...(typeof data["sourceMessageId"] === "string"
    ? { extraction: { extractedFrom: { messageId: data["sourceMessageId"] } } }
    : {})
})

/**
 * Returns the origin of an event. If a run of an automation writes the event, the metadata names the run. The cause is
 * then the event that started the run, unless the write states another cause.
 */
export const eventOrigin = (reach: ReachShape, passed: Passed, draft: EventDraft) => {
  const { run } = reach.origin
  const isAgents = run === undefined && isByAgent(reach, passed, draft)
  return {
    source: draft.source ?? writerSource(run !== undefined, isAgents),
    metadata: metadataOf(reach, draft, isAgents),
    causationId: draft.causationId ?? passed.causationId ?? run?.eventId ?? null,
    runDepth: run?.depth ?? null
  }
}

const writerSource = (isRun: boolean, isAgents: boolean) => {
  if (isRun) return "automation"
  return isAgents ? "intelligence" : "api"
}

const metadataOf = (reach: ReachShape, draft: EventDraft, isAgents: boolean): EventDraft["metadata"] => {
  const { isOperator, isProbe, run } = reach.origin
  if (isProbe === true) return { kind: probeKind }
  if (isOperator === true) return { ...draft.metadata, ...operatorMetadata }
  if (draft.metadata !== undefined) return draft.metadata
  if (run !== undefined) return { kind: "automation", ruleId: run.ruleId, runId: run.runId, depth: run.depth }
  return isAgents ? metadataOfAgent(reach, draft) : undefined
}

/**
 * Returns the id of the user who acts. This is the holder of the credential, such as an agent, or the person if the pod
 * itself does the work.
 */
export const actorOf = ({ authority, principal }: ReachShape): string =>
  authority.kind === "system" ? principal.personId : principal.holder.id
