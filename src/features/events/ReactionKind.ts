/** The kinds of reactions that the pulse shows (specification §6.2), and which of them an event is itself. */
import { Schema } from "effect"
import type { Event } from "./Event.ts"

export const reactionKinds = ["automation", "ai_feed", "ai_react", "notify", "webhook", "message_out"] as const
export const ReactionKind = Schema.Literal(...reactionKinds)
export type ReactionKind = typeof ReactionKind.Type

/** Internal reactions stay in the pod, external ones leave it. */
export const ReactionLens = Schema.Literal("all", "internal", "external")
export type ReactionLens = typeof ReactionLens.Type

const externalKinds: ReadonlySet<ReactionKind> = new Set(["webhook", "message_out"])

export const kindsOfLens = (lens: ReactionLens): ReadonlyArray<ReactionKind> =>
  reactionKinds.filter((kind) => lens === "all" || externalKinds.has(kind) === (lens === "external"))

/** How the conditions on an event look: the beginnings of types, whole types, and the sources. */
interface Marks {
  readonly prefixes?: ReadonlyArray<string>
  readonly types?: ReadonlyArray<string>
  readonly source?: Event["source"]
  /** True if the act of an agent counts, whatever its type. */
  readonly isByAgent?: true
}

/** The kinds that an event is by itself. The store in SQL makes its conditions from the same table. */
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
