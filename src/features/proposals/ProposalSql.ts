/** The SQL store of proposals. */
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { authorizedRead, type Within } from "../../doors/Authority.ts"
import { countedMax } from "../../doors/Page.ts"
import { type Bounds, emptyBounds, Reach, type ReachShape } from "../../doors/Reach.ts"
import { highestId, idRange } from "../../platform/Ids.ts"
import { authorizedWrite } from "../events/AppendEvent.ts"
import { HandleAmbiguous, ProposalNotFound } from "./Proposal.ts"
import { type ProposalFilter, ProposalStore } from "./ProposalStore.ts"
import type { ProposalExcerpt } from "./ProposalExcerpt.ts"
import { projectConditions } from "./ProposalProjectsSql.ts"
import { type ProposalRow, asColumns, fromRow } from "./ProposalRow.ts"
import { visibleProposals } from "./VisibleProposalsSql.ts"
import { arrayLiteral } from "../../platform/ArrayLiteral.ts"
import { textLiteral } from "../../platform/TextLiteral.ts"

const boundsIn = (spaceId: string): Bounds => ({ ...emptyBounds, spaces: [spaceId] })

export const layer = Layer.effect(
  ProposalStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const visible = visibleProposals(sql)
    const status = sql.literal(
      "CASE WHEN proposal.status = 'pending' AND proposal.expires_at <= now() THEN 'expired' ELSE proposal.status END"
    )
    const settled = [
      "status",
      "status_reason",
      "reason_code",
      "decided_by",
      "applied",
      "content",
      "content_hash",
      "revision",
      "edited_by",
      "base",
      "summary",
      "kind",
      "project_ids",
      "is_private",
      "mentions"
    ]
    const settledColumns = sql.literal(settled.join(", "))
    const settledValues = sql.literal(settled.map((column) => `made.${column}`).join(", "))

    const ofStatus = (status: ProposalFilter["status"]) => {
      switch (status) {
        case "all":
          return sql.literal("")
        case "pending":
          return sql.literal("AND proposal.status = 'pending' AND proposal.expires_at > now()")
        case "settled":
          return sql.literal("AND NOT (proposal.status = 'pending' AND proposal.expires_at > now())")
        case "expired":
          return sql.literal(
            "AND (proposal.status = 'expired' OR (proposal.status = 'pending' AND proposal.expires_at <= now()))"
          )
        default:
          // As below, the value is part of the SQL text, so that the planner knows how many proposals have it.
          return sql.literal(`AND proposal.status = ${textLiteral(status)}`)
      }
    }
    // The record type is part of the SQL text and not a parameter. With a parameter, the database would make one query
    // plan for all types, and that plan would also read the proposals for other types.
    const ofCreated = (type: string | undefined) =>
      sql.literal(
        type === undefined ? "" : `AND proposal.target_type = ${textLiteral(type)} AND proposal.action = 'create'`
      )
    const conditions = (
      { principal: { personId } }: ReachShape,
      { actorId, creates, exceptIds = [], ids, isOwn, proposalType, sessionId, spaceId, status }: ProposalFilter
    ) => sql`${ofStatus(status)}
      ${ofCreated(creates)}
      ${ids === undefined ? sql.literal("") : sql`AND proposal.id = ANY (${arrayLiteral(ids)}::uuid[])`}
      ${exceptIds.length === 0 ? sql.literal("") : sql`AND proposal.id <> ALL (${arrayLiteral(exceptIds)}::uuid[])`}
      ${actorId === undefined ? sql.literal("") : sql`AND proposal.actor_id = ${actorId}::uuid`}
      ${proposalType === undefined ? sql.literal("") : sql`AND proposal.proposal_type = ${proposalType}`}
      ${isOwn === true ? sql`AND proposal.user_id = ${personId}::uuid` : sql.literal("")}
      ${sessionId === undefined ? sql.literal("") : sql`AND proposal.session_id = ${sessionId}::uuid`}
      AND (${spaceId ?? null}::uuid IS NULL OR proposal.space_id = ${spaceId ?? null}::uuid)`

    /**
     * Makes the SQL for a page of proposals. The statement reads only the newest proposals of each space, and no more
     * than the page can need.
     */
    const pageOf = (within: Within, reach: ReachShape, filter: ProposalFilter) => sql`(
      SELECT proposal.*, ${status} AS status_now
      FROM unnest(authority.spaces) AS within(space_id)
      CROSS JOIN LATERAL (
        SELECT proposal.*
        FROM proposals proposal
        WHERE proposal.space_id = within.space_id
          AND ${visible(within, reach, "within.space_id")} ${conditions(reach, filter)}
          AND proposal.id < ${filter.before ?? highestId}::uuid
        ORDER BY proposal.id DESC
        LIMIT ${filter.limit + filter.offset}) proposal
      ORDER BY proposal.id DESC
      LIMIT ${filter.limit} OFFSET ${filter.offset}) page`

    return {
      add: Effect.fnUntraced(function* (proposal, event, passed) {
        const reach = yield* Reach
        const bounds = boundsIn(proposal.spaceId)
        const [row] = yield* authorizedWrite<ProposalRow>(sql, reach, { bounds, passed, event }, () => ({
          changed: sql`SELECT ${proposal.spaceId}::uuid AS space_id FROM authority`,
          after: [
            sql`
                filed AS (
                  INSERT INTO proposals (id, space_id, user_id, actor_id, subject, kind, action, target_type, target_id,
                    project_ids, mentions, proposal_type, class, content, content_hash, base, authority, is_private, summary, reasoning, session_id,
                    correlation_id, filed_event_id, expires_at)
                  SELECT made.id, made.space_id, made.user_id, made.actor_id, made.subject, made.kind, made.action,
                    made.target_type, made.target_id, made.project_ids, made.mentions, made.proposal_type, made.class, made.content,
                    made.content_hash, made.base, made.authority, made.is_private, made.summary, made.reasoning, made.session_id,
                    made.correlation_id, logged.id, made.expires_at
                  FROM authority, logged, jsonb_populate_record(NULL::proposals, ${asColumns(proposal)}::jsonb) made
                  WHERE made.space_id = ANY (authority.spaces)
                  RETURNING *)`
          ],
          columns: sql.literal("filed.*"),
          joins: sql.literal("LEFT JOIN filed ON true")
        }))
        return row === undefined ? yield* Effect.dieMessage("the proposal was not stored") : fromRow(row)
      }),

      list: Effect.fnUntraced(function* (filter) {
        const reach = yield* Reach
        const rows = yield* authorizedRead<ProposalRow & { readonly total: number }>(
          sql,
          reach,
          reach.bounds("proposal", "read"),
          ({ within }) => sql`
              SELECT page.*, page.status_now AS status, counted.total, coalesce(page.id::text, 'none') AS id
              FROM (
                SELECT count(*)::integer AS total
                FROM (
                  SELECT 1
                  FROM unnest(authority.spaces) AS within(space_id)
                  CROSS JOIN LATERAL (
                    SELECT proposal.id
                    FROM proposals proposal
                    WHERE proposal.space_id = within.space_id
                      AND ${visible(within, reach, "within.space_id")} ${conditions(reach, filter)}
                    ORDER BY proposal.id DESC
                    LIMIT ${countedMax}) found
                  LIMIT ${countedMax}) one) counted
              LEFT JOIN ${pageOf(within, reach, filter)} ON true
              ORDER BY page.id DESC`
        )
        return {
          proposals: rows.filter(({ id }) => id !== "none").map(fromRow),
          total: rows[0]?.total ?? 0
        }
      }),

      page: Effect.fnUntraced(function* (filter) {
        const reach = yield* Reach
        const rows = yield* authorizedRead<ProposalRow>(
          sql,
          reach,
          reach.bounds("proposal", "read"),
          ({ within }) => sql`SELECT page.*, page.status_now AS status FROM ${pageOf(within, reach, filter)}`
        )
        return rows.map(fromRow)
      }),

      excerpts: Effect.fnUntraced(function* (places, limit) {
        const reach = yield* Reach
        return yield* authorizedRead<ProposalExcerpt>(
          sql,
          reach,
          reach.bounds("proposal", "read"),
          ({ within }) => sql`
              SELECT proposal.id, proposal.proposal_type AS "proposalType", proposal.summary,
                COALESCE(NULLIF(proposal.excerpt_title, ''), proposal.excerpt_base_title) AS title,
                COALESCE(NULLIF(proposal.excerpt_kind, ''), left(proposal.kind, 100), '') AS "profileSlug",
                proposal.excerpt_text AS text
              FROM unnest(authority.spaces) AS within(space_id)
              -- With a limit for each space, the statement reads the waiting proposals through the index.
              CROSS JOIN LATERAL (
                SELECT proposal.*
                FROM proposals proposal
                WHERE proposal.space_id = within.space_id
                  AND ${visible(within, reach, "within.space_id")} ${ofStatus("pending")}
                  ${projectConditions(sql, places)}
                ORDER BY proposal.id DESC
                LIMIT ${limit}) proposal
              WHERE (${places.in === null}::boolean OR within.space_id = ANY (${arrayLiteral(places.in ?? [])}::uuid[]))
                AND within.space_id <> ALL (${arrayLiteral(places.notIn)}::uuid[])
              ORDER BY proposal.id DESC
              LIMIT ${limit}`
        )
      }),

      get: Effect.fnUntraced(function* (handle) {
        const reach = yield* Reach
        const { first, last } = idRange(handle)
        // For a whole id, the condition uses `=`, so that the query planner of the database knows that there is at most
        // one row.
        const isNamed =
          first === last
            ? sql`proposal.id = ${first}::uuid`
            : sql`proposal.id >= ${first}::uuid AND proposal.id <= ${last}::uuid`
        const rows = yield* authorizedRead<ProposalRow>(
          sql,
          reach,
          reach.bounds("proposal", "read"),
          ({ within }) => sql`
              SELECT proposal.*, ${status} AS status
              FROM proposals proposal
              WHERE ${visible(within, reach)} AND ${isNamed}
              ORDER BY proposal.id
              LIMIT 2`
        )
        if (rows.length > 1) return yield* new HandleAmbiguous({ handle })
        return rows.length === 0 ? yield* new ProposalNotFound({ handle }) : fromRow(rows[0])
      }),

      lock: Effect.fnUntraced(function* (id) {
        const reach = yield* Reach
        const [row] = yield* authorizedRead<ProposalRow>(
          sql,
          reach,
          reach.bounds("proposal", "read"),
          ({ within }) => sql`
              SELECT proposal.*, ${status} AS status
              FROM proposals proposal
              WHERE ${visible(within, reach)} AND proposal.id = ${id}::uuid
              FOR UPDATE OF proposal`
        )
        return row === undefined ? yield* new ProposalNotFound({ handle: id }) : fromRow(row)
      }),

      changeLocked: Effect.fnUntraced(function* (proposal, by, event, passed) {
        const reach = yield* Reach
        const [row] = yield* authorizedWrite<ProposalRow>(
          sql,
          reach,
          { bounds: boundsIn(proposal.spaceId), passed, event },
          () => ({
            changed: sql`
              SELECT proposal.id, proposal.space_id
              FROM proposals proposal, authority
              WHERE proposal.id = ${proposal.id}::uuid AND proposal.space_id = ANY (authority.spaces)`,
            after: [
              sql`
                settled AS (
                  UPDATE proposals proposal
                  SET (${settledColumns}) = (
                      SELECT ${settledValues} FROM jsonb_populate_record(proposal, ${asColumns(by)}::jsonb) made),
                    settled_event_id = logged.id,
                    decided_at = CASE WHEN ${by.decidedBy !== undefined}::boolean THEN now() ELSE proposal.decided_at END,
                    updated_at = now()
                  FROM changed, logged
                  WHERE proposal.id = changed.id AND proposal.space_id = changed.space_id
                  RETURNING proposal.*)`
            ],
            columns: sql.literal("settled.*"),
            joins: sql.literal("LEFT JOIN settled ON true")
          })
        )
        return row === undefined
          ? yield* Effect.dieMessage("cannot settle a proposal that does not exist")
          : fromRow(row)
      }),

      pendingAlike: Effect.fnUntraced(function* ({ actorId, content, credentialId, proposalType, spaceId }, passed) {
        const reach = yield* Reach
        const [row] = yield* authorizedRead<ProposalRow>(
          sql,
          reach,
          boundsIn(spaceId),
          () => sql`
              SELECT proposal.*
              FROM proposals proposal
              WHERE proposal.space_id = ANY (authority.spaces) AND proposal.actor_id = ${actorId}::uuid
                AND proposal.proposal_type = ${proposalType}
                AND proposal.authority ->> 'credentialId' = ${credentialId}
                AND proposal.status = 'pending' AND proposal.expires_at > now()
                AND (${content === null}::boolean OR proposal.content = ${JSON.stringify(content)}::jsonb)
              ORDER BY proposal.id
              LIMIT 1`,
          passed.policies
        )
        return row === undefined ? undefined : fromRow(row)
      })
    }
  })
)
