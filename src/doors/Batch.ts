/** The answer of a streamed operation: a batch of items, and how the pod learns that the next batch is worth asking for. */
import { Schema } from "effect"

/**
 * Registers a function that is called once when the stream may have further items. Returns the function that removes the
 * registration. What happened after the batch was read counts too, so nothing is missed between the two.
 */
export type News = (changed: () => void) => () => void

export interface Batch<A> {
  /** The position at which the batch began. */
  readonly from: string
  /** The items in order, each with the position from which a reader goes on after it. */
  readonly items: ReadonlyArray<{ readonly position: string; readonly value: A }>
  /** The position after the whole batch. The next batch begins there. */
  readonly position: string
  /** Whether there are further items already. */
  readonly isMore: boolean
  readonly news: News
}

const AnyNews = Schema.declare((value): value is News => typeof value === "function")

/** The success of a streamed operation. The handler answers one batch. Surfaces send the items and ask for the next batch. */
export const batchOf = <A, I>(item: Schema.Schema<A, I>) =>
  Schema.Struct({
    from: Schema.String,
    items: Schema.Array(Schema.Struct({ position: Schema.String, value: item })),
    position: Schema.String,
    isMore: Schema.Boolean,
    news: AnyNews
    // A batch never leaves the process as it is: a surface writes its items as text.
  }).annotations({ jsonSchema: { type: "string" } })
