/** The reactions to an event. Also declares how features report their reactions (specification §6.2). */
import { type Effect, Schema } from "effect"
import type { Reach } from "../../doors/Reach.ts"
import { described } from "../../doors/Fields.ts"
import { ReactionKind } from "./ReactionKind.ts"

export const Reaction = Schema.Struct({
  kind: ReactionKind,
  label: described("Name of what reacted to the event, such as the name of a webhook.", Schema.String),
  status: Schema.optional(Schema.Literal("success", "pending", "failed")),
  responseStatus: described("HTTP status in the answer of a webhook's receiver.", Schema.optional(Schema.String)),
  detail: described("Why the reaction failed, or its result.", Schema.optional(Schema.String))
}).annotations({ identifier: "Reaction" })
export type Reaction = typeof Reaction.Type

/** Selects the events whose reactions a feature returns. */
export interface Recent {
  /** Only events before the event with this id. */
  readonly before: string | undefined
  readonly limit: number
}

/** How one feature reports its reactions to events. It returns only what the caller is allowed to see. */
export interface ReactionSource {
  readonly kind: ReactionKind
  /** Returns the ids of the events that have reactions, newest first. */
  readonly recent: (query: Recent) => Effect.Effect<ReadonlyArray<string>, never, Reach>
  /** Returns the reactions to these events, oldest first. Each reaction has the id of its event. */
  readonly of: (
    eventIds: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<{ readonly eventId: string; readonly reaction: Reaction }>, never, Reach>
}
