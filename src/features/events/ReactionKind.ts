/**
 * The kinds of reactions in the pulse (specification §6.2). Some events are reactions themselves. This file also says
 * which events these are, and which kind each of them has.
 */
import { Schema } from "effect"
import type { Event } from "./Event.ts"

export const reactionKinds = ["automation", "ai_feed", "ai_react", "notify", "webhook", "message_out"] as const
export const ReactionKind = Schema.Literal(...reactionKinds)
export type ReactionKind = typeof ReactionKind.Type

/** `internal`: reactions that stay in the pod. `external`: reactions that leave the pod. */
export const ReactionLens = Schema.Literal("all", "internal", "external")
export type ReactionLens = typeof ReactionLens.Type

const externalKinds: ReadonlySet<ReactionKind> = new Set(["webhook", "message_out"])

export const kindsOfLens = (lens: ReactionLens): ReadonlyArray<ReactionKind> =>
  reactionKinds.filter((kind) => lens === "all" || externalKinds.has(kind) === (lens === "external"))

/**
 * The marks by which the pod recognizes an event as a reaction of one kind: the beginning of the event type, the whole
 * event type, or the source. One matching mark is enough.
 */
interface Marks {
  readonly prefixes?: ReadonlyArray<string>
  readonly types?: ReadonlyArray<string>
  readonly source?: Event["source"]
  /** True if every event by an agent is a reaction of this kind, whatever the type of the event. */
  readonly isByAgent?: true
}

/**
 * The marks of each kind of reaction. An event with one of these marks is itself a reaction of this kind. The SQL store
 * makes its conditions from this table.
 */
export const kindMarks: Readonly<Record<ReactionKind, Marks>> = {
  automation: { prefixes: ["automation.", "cron."], source: "automation" },
  ai_feed: { prefixes: ["ai.", "feed.item."] },
  ai_react: { source: "intelligence", isByAgent: true },
  notify: {},
  webhook: { types: ["webhook.received", "webhook.disabled"] },
  message_out: { types: ["ai.nudge.posted"] }
}

export const isOfKind = (event: Event, kind: ReactionKind): boolean => {
  const { isByAgent, prefixes = [], source, types = [] } = kindMarks[kind]
  return (
    prefixes.some((prefix) => event.type.startsWith(prefix)) ||
    types.includes(event.type) ||
    event.source === source ||
    (isByAgent === true && event.actorId !== event.userId)
  )
}
