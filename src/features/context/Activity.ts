/** What somebody did last, newest first. */
import { DateTime, Order, Schema } from "effect"
import { JsonObject, Timestamp } from "../../doors/Fields.ts"

export const Activity = Schema.Struct({
  type: Schema.Literal("entity_created", "thread_updated"),
  timestamp: Timestamp,
  data: JsonObject
}).annotations({ identifier: "Activity" })
export type Activity = typeof Activity.Type

const activitiesMost = 10

/** The latest of them all. */
export const latest = (activities: ReadonlyArray<Activity>): ReadonlyArray<Activity> =>
  activities
    .toSorted(Order.reverse(Order.mapInput(DateTime.Order, ({ timestamp }: Activity) => timestamp)))
    .slice(0, activitiesMost)
