/** An activity in the recent history of a person. A list of activities begins with the newest one. */
import { DateTime, Order, Schema } from "effect"
import { described, JsonObject, Timestamp } from "../../doors/Fields.ts"

export const Activity = Schema.Struct({
  type: Schema.Literal("entity_created", "thread_updated"),
  timestamp: Timestamp,
  data: described("Content of the activity; its fields depend on the type.", JsonObject)
}).annotations({ identifier: "Activity" })
export type Activity = typeof Activity.Type

const activitiesMax = 10

/** Sorts activities from several sources, newest first, and returns only the first few. */
export const latestActivities = (activities: ReadonlyArray<Activity>): ReadonlyArray<Activity> =>
  activities
    .toSorted(Order.reverse(Order.mapInput(DateTime.Order, ({ timestamp }: Activity) => timestamp)))
    .slice(0, activitiesMax)
