/** The limits of the SQL stores of deliveries: the spaces in which the caller may read webhooks. */
import { Effect } from "effect"
import { Reach } from "../../doors/Reach.ts"

export const webhookBounds = Effect.map(Reach, (reach) => ({ reach, bounds: reach.bounds("webhook", "read") }))
