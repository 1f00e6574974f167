/**
 * The answer of a streamed operation: a batch of items, and a function that tells when the stream might have further
 * items.
 */
import { Schema } from "effect"

/**
 * Registers a function that is called once when the stream might have further items. The registered function is also
 * called for items that arrived after the batch was read and before the registration, so no item is missed. Returns
 * another function, which cancels the registration.
 */
export type News = (changed: () => void) => () => void

/** Makes one `News` of several. It calls the registered function once, when the first of them has something new. */
export const anyNews =
  (...all: ReadonlyArray<News>): News =>
  (changed) => {
    const stops = all.map((news) =>
      news(() => {
        stop()
        changed()
      })
    )
    const stop = () => stops.forEach((each) => each())
    return stop
  }

export interface Batch<A> {
  /** The position in the stream at which the batch begins. */
  readonly from: string
  /** The items in order. `position`: the position in the stream after this item. */
  readonly items: ReadonlyArray<{ readonly position: string; readonly value: A }>
  /** The position after the whole batch. The next batch begins there. */
  readonly position: string
  /** True if the stream already has items after this batch. */
  readonly isMore: boolean
  readonly news: News
}

const AnyNews = Schema.declare((value): value is News => typeof value === "function")

/**
 * Makes the success schema of a streamed operation. The handler returns one batch. The surface of the call (such as
 * REST) sends the items of the batch and then asks for the next batch.
 */
export const batchOf = <A, I>(item: Schema.Schema<A, I>) =>
  Schema.Struct({
    from: Schema.String,
    items: Schema.Array(Schema.Struct({ position: Schema.String, value: item })),
    position: Schema.String,
    isMore: Schema.Boolean,
    news: AnyNews
    // The pod sends the items of a batch one by one as text, so the API description shows the answer as a text.
  }).annotations({ jsonSchema: { type: "string" } })
