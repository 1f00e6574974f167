/** Reads, in SQL, the deliveries to webhooks for the pulse. */
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { authorizedRead, ownRows } from "../../doors/Authority.ts"
import { arrayLiteral } from "../../platform/ArrayLiteral.ts"
import { webhookBounds } from "./DeliveryBounds.ts"
import { SentEvents } from "./SentEvents.ts"

interface SentRow {
  readonly id: string
  readonly webhook_id: string
  readonly event_id: string
  readonly status: "pending" | "success" | "failed"
  readonly response_status: number | null
  readonly error: string | null
}

export const layer = Layer.effect(
  SentEvents,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const own = ownRows(sql)
    const sentTo = (webhookIds: ReadonlyArray<string> | null) =>
      webhookIds === null ? sql.literal("") : sql`AND delivery.webhook_id = ANY (${arrayLiteral(webhookIds)}::uuid[])`
    return {
      recent: Effect.fnUntraced(function* ({ before, limit }, webhookIds) {
        const { bounds, reach } = yield* webhookBounds
        const earlier = before === undefined ? sql.literal("") : sql`AND delivery.event_id < ${before}::uuid`
        const rows = yield* authorizedRead<{ readonly id: string }>(
          sql,
          reach,
          bounds,
          () => sql`
              SELECT DISTINCT delivery.event_id AS id
              FROM webhook_deliveries delivery
              WHERE ${own("delivery")}
                AND NOT delivery.is_test ${earlier} ${sentTo(webhookIds)}
              ORDER BY id DESC
              LIMIT ${limit}`
        )
        return rows.map(({ id }) => id)
      }),

      of: Effect.fnUntraced(function* (eventIds, webhookIds) {
        const { bounds, reach } = yield* webhookBounds
        const rows = yield* authorizedRead<SentRow>(
          sql,
          reach,
          bounds,
          () => sql`
              SELECT delivery.id, delivery.webhook_id, delivery.event_id, delivery.status, delivery.response_status,
                delivery.error
              FROM webhook_deliveries delivery
              WHERE ${own("delivery")}
                AND NOT delivery.is_test AND delivery.event_id = ANY (${arrayLiteral(eventIds)}::uuid[])
                ${sentTo(webhookIds)}
              ORDER BY delivery.id`
        )
        return rows.map((row) => ({
          eventId: row.event_id,
          webhookId: row.webhook_id,
          status: row.status,
          responseStatus: row.response_status === null ? null : String(row.response_status),
          error: row.error
        }))
      })
    }
  })
)
