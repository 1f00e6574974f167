/** Implements `MessagingStore` in SQL: pages of channels and threads, each with its count of unread messages. */
import { SqlClient, type Statement } from "@effect/sql"
import { Effect, Layer } from "effect"
import { behindSql } from "../../doors/PageSql.ts"
import { workspaceIdOf } from "../../doors/OwnSpace.ts"
import { authorizedRead, type Within } from "../../doors/Authority.ts"
import { cutPage, mapPage } from "../../doors/Page.ts"
import { Reach } from "../../doors/Reach.ts"
import { utcOrNull } from "../../platform/RowTimes.ts"
import { authorizedWrite } from "../events/AppendEvent.ts"
import { conversationBounds, linkedMax, threadsMax, unreadMax } from "./Conversation.ts"
import { ConversationNotFound, MessagingStore } from "./MessagingStore.ts"

interface Row {
  readonly id: string
  readonly space_id: string
  readonly user_id: string
  readonly title: string | null
  readonly type: string
  readonly family: string | null
  readonly context_object_type: string | null
  readonly context_object_id: string
  readonly updated_at: Date
  readonly unread: number
  readonly last_at: Date | null
}

// an id that is lower than the id of every message
const noMessage = "00000000-0000-0000-0000-000000000000"

export const layer = Layer.effect(
  MessagingStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = (alias: string, type: string, family: string, isChannel: boolean) =>
      sql.literal(
        `${alias}.id, ${alias}.space_id, ${alias}.user_id, ${alias}.title, ${type} AS type, ${family} AS family,
        ${alias}.context_object_type, ${alias}.context_object_id, ${alias}.updated_at, ${isChannel} AS is_channel`
      )
    const ofChannel = columns("record", "record.type", "record.family", true)
    const ofThread = columns("record", "'thread'", "NULL::text", false)

    /**
     * Returns the SQL for the channels and threads that the call may read in each space. They have the alias `item`.
     */
    const items = (within: Within, further: Statement.Fragment) => {
      const rows = sql`record.space_id = within.space_id
              AND ${within("record", "within.space_id")}
              AND record.archived_at IS NULL
              ${further}`
      return sql`unnest(authority.spaces) AS within(space_id)
          CROSS JOIN LATERAL (
            (SELECT ${ofChannel} FROM channels record WHERE ${rows})
            UNION ALL
            (SELECT ${ofThread} FROM threads record WHERE ${rows})) item`
    }

    /**
     * Makes the SQL query for the threads whose messages belong to a conversation. A thread has only its own
     * messages. A channel has the messages of its threads.
     */
    const countedThreads = (item: string) => {
      const named = sql.literal(item)
      // Each part reads its own index. A channel can have most threads of a pod, so the second part has a limit.
      return sql`(
                SELECT thread.id, thread.space_id, thread.parent_channel_id
                FROM threads thread
                WHERE thread.id = ${named}.id AND thread.space_id = ${named}.space_id
                  AND thread.archived_at IS NULL
                UNION ALL
                (SELECT thread.id, thread.space_id, thread.parent_channel_id
                FROM threads thread
                WHERE ${named}.is_channel AND thread.parent_channel_id = ${named}.id AND thread.space_id = ${named}.space_id
                  -- If a space has few channels, the planner expects that most threads meet the equality, and reads the threads
                  -- of the whole space. With the range, it expects few, and reads the index of the channel.
                  AND thread.parent_channel_id BETWEEN ${named}.id AND ${named}.id
                  AND thread.archived_at IS NULL
                ORDER BY thread.updated_at DESC, thread.id DESC
                LIMIT ${sql.literal(String(threadsMax))}))`
    }

    /**
     * Makes the SQL that counts the unread messages of other authors as `counted.unread`. A message is unread if it is
     * later than both read markers of the person: the marker of the thread and the marker of the channel. In each
     * thread, an index first finds the authors. For each author, the statement then finds only the messages after the
     * markers. So the statement reads neither the person's own messages nor the messages that the person has already
     * read.
     */
    const unreadOf = (within: Within, personId: string, item: string) => {
      const threadMessages = sql`record.space_id = held.space_id AND record.thread_id = held.id
                  AND ${within("record", "held.space_id")} AND record.archived_at IS NULL`
      const read = sql`coalesce(greatest(own.message_id, above.message_id), ${noMessage}::uuid)`
      return sql`LEFT JOIN LATERAL (
            SELECT count(*)::integer AS unread
            FROM (
              SELECT 1
              FROM ${countedThreads(item)} held
              LEFT JOIN read_markers own ON own.user_id = ${personId}::uuid
                AND own.channel_id = held.id AND own.space_id = held.space_id
              LEFT JOIN read_markers above ON above.user_id = ${personId}::uuid AND above.is_channel
                AND above.channel_id = held.parent_channel_id AND above.space_id = held.space_id
              CROSS JOIN LATERAL (
                WITH RECURSIVE step AS (
                  SELECT (
                    SELECT record.author_id FROM messages record
                    WHERE ${threadMessages}
                    ORDER BY record.author_id LIMIT 1) AS author_id
                  WHERE (
                    SELECT record.id FROM messages record WHERE ${threadMessages} ORDER BY record.id DESC LIMIT 1) > ${read}
                  UNION ALL
                  SELECT (
                    SELECT record.author_id FROM messages record
                    WHERE ${threadMessages} AND record.author_id > step.author_id
                    ORDER BY record.author_id LIMIT 1)
                  FROM step
                  WHERE step.author_id IS NOT NULL)
                SELECT by_author.id
                FROM step
                CROSS JOIN LATERAL (
                  SELECT record.id FROM messages record
                  WHERE ${threadMessages} AND record.author_id = step.author_id AND record.id > ${read}
                  ORDER BY record.id
                  LIMIT ${unreadMax}) by_author
                WHERE step.author_id <> ${personId}::uuid) unread
              LIMIT ${unreadMax}) message) counted ON true`
    }

    /**
     * Returns the SQL for the latest message of each thread of the conversation. The messages have the alias `last`.
     */
    const lastOf = (within: Within, item: string) => sql`${countedThreads(item)} held
            CROSS JOIN LATERAL (
              SELECT record.id, record.created_at
              FROM messages record
              WHERE record.space_id = held.space_id AND record.thread_id = held.id
                AND ${within("record")}
                AND record.archived_at IS NULL
              ORDER BY record.id DESC
              LIMIT 1) last`

    return {
      list: Effect.fnUntraced(function* ({ cursor, limit, offset, spaces }) {
        const reach = yield* Reach
        const past = behindSql(sql, { time: "record.updated_at", id: "record.id" }, cursor)
        const rowsLimit = limit + offset + 1
        const rows = yield* authorizedRead<Row>(
          sql,
          reach,
          conversationBounds(reach, spaces),
          ({ within }) => sql`
              WITH page AS (
                SELECT item.*
                FROM authority, ${items(within, sql`${past} ORDER BY record.updated_at DESC, record.id DESC LIMIT ${rowsLimit}`)}
                ORDER BY item.updated_at DESC, item.id DESC
                LIMIT ${limit + 1} OFFSET ${offset})
              SELECT page.*, counted.unread, latest.last_at
              FROM page
              ${unreadOf(within, reach.principal.personId, "page")}
              LEFT JOIN LATERAL (SELECT max(last.created_at) AS last_at FROM ${lastOf(within, "page")}) latest ON true
              ORDER BY page.updated_at DESC, page.id DESC`
        )
        const page = cutPage(rows, limit, ({ id, updated_at }) => ({ at: updated_at.toISOString(), id }))
        return mapPage(page, (row) => ({
          id: row.id,
          title: row.title,
          type: row.type,
          family: row.family,
          unread: row.unread,
          lastMessageAt: utcOrNull(row.last_at),
          workspaceId: workspaceIdOf(row.space_id, row.user_id)
        }))
      }),

      linked: Effect.fnUntraced(function* ({ limit, spaces }) {
        const reach = yield* Reach
        const latest = sql`AND record.context_object_id IS NOT NULL
              ORDER BY record.updated_at DESC, record.id DESC LIMIT ${linkedMax}`
        const rows = yield* authorizedRead<Row & { readonly total: number }>(
          sql,
          reach,
          conversationBounds(reach, spaces),
          ({ within }) => sql`
              SELECT item.*, counted.unread, (sum(counted.unread) OVER ())::integer AS total
              FROM ${items(within, latest)}
              ${unreadOf(within, reach.principal.personId, "item")}
              WHERE counted.unread > 0
              ORDER BY item.updated_at DESC, item.id DESC
              LIMIT ${limit}`
        )
        return {
          linked: rows.map((row) => ({
            channelId: row.id,
            title: row.title,
            contextObjectType: row.context_object_type,
            contextObjectId: row.context_object_id,
            unread: row.unread
          })),
          total: rows[0]?.total ?? 0
        }
      }),

      locate: Effect.fnUntraced(function* (id) {
        const reach = yield* Reach
        const [row] = yield* authorizedRead<Pick<Row, "id" | "space_id">>(
          sql,
          reach,
          conversationBounds(reach, null),
          ({ within }) => sql`
              SELECT item.id, item.space_id
              FROM ${items(within, sql`AND record.id = ${id}::uuid`)}`
        )
        return row === undefined ? yield* new ConversationNotFound({ id }) : row.space_id
      }),

      mark: Effect.fnUntraced(function* (id, messageId, event, passed) {
        const reach = yield* Reach
        const { personId } = reach.principal
        const [row] = yield* authorizedWrite<{
          readonly id: string
          readonly message_id: string | null
          readonly is_there: boolean
        }>(sql, reach, { bounds: conversationBounds(reach, null), passed, event }, ({ within }) => ({
          before: [
            sql`
                place AS (
                  SELECT item.id, item.space_id, item.is_channel
                  FROM authority, ${items(within, sql`AND record.id = ${id}::uuid`)})`,
            sql`
                latest AS (
                  SELECT message.id
                  FROM authority, place CROSS JOIN LATERAL (
                    SELECT record.id
                    FROM messages record
                    JOIN threads held ON held.id = record.thread_id AND held.space_id = record.space_id
                    WHERE record.id = ${messageId}::uuid AND record.space_id = place.space_id
                      AND (held.id = place.id OR (place.is_channel AND held.parent_channel_id = place.id))
                      AND held.archived_at IS NULL
                      AND ${within("record")}
                      AND record.archived_at IS NULL
                    UNION ALL
                    SELECT last.id
                    FROM ${lastOf(within, "place")}
                    WHERE ${messageId}::uuid IS NULL) message
                  ORDER BY message.id DESC
                  LIMIT 1)`
          ],
          changed: sql`
              INSERT INTO read_markers (space_id, user_id, channel_id, is_channel, message_id)
              SELECT place.space_id, ${personId}::uuid, place.id, place.is_channel, latest.id
              FROM authority, place, latest
              WHERE place.space_id = ANY (authority.spaces)
              ON CONFLICT (user_id, channel_id, space_id) DO UPDATE
                SET message_id = excluded.message_id, read_at = now()
                WHERE read_markers.message_id < excluded.message_id
              RETURNING space_id, message_id`,
          columns: sql`place.id, latest.id IS NOT NULL OR ${messageId}::uuid IS NULL AS is_there,
              coalesce(changed.message_id, earlier.message_id) AS message_id`,
          joins: sql`
              LEFT JOIN place ON true
              LEFT JOIN latest ON true
              LEFT JOIN changed ON true
              LEFT JOIN read_markers earlier ON earlier.user_id = ${personId}::uuid
                AND earlier.channel_id = place.id AND earlier.space_id = place.space_id`
        }))
        return row === undefined || !row.is_there ? yield* new ConversationNotFound({ id }) : row.message_id
      })
    }
  })
)
