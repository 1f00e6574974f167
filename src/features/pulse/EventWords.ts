/** Describes an event in words for the pulse. */
import type { Event } from "../events/Event.ts"
import type { ReactionEvent } from "./ReactionEvent.ts"

/** The names of subjects and actors that the caller may read, by id. */
export interface KnownNames {
  readonly subjects: ReadonlyMap<string, string>
  readonly actors: ReadonlyMap<string, string>
  /** The ids of proposals that wait for a decision. */
  readonly waiting: ReadonlySet<string>
}

const pastOf: Readonly<Record<string, string>> = {
  create: "created",
  update: "updated",
  delete: "deleted",
  restore: "restored",
  move: "moved",
  approve: "approved",
  reject: "rejected",
  revert: "reverted",
  suspend: "suspended",
  resume: "resumed"
}

/**
 * Returns the words for an event type. For example, `entity.task.create` becomes “Task created”. If the last word of
 * the type is not in `pastOf`, returns all words of the type.
 */
export const wordsOf = (type: string): string => {
  const words = type.split(".")
  const deed = words.at(-1) ?? ""
  const past = Object.hasOwn(pastOf, deed) ? pastOf[deed] : undefined
  const shownWords = past === undefined || words.length < 2 ? words : [words[words.length - 2], past]
  const text = shownWords
    .join(" ")
    .replaceAll(/[-_*]+/g, " ")
    .trim()
  return text === "" ? type : text[0].toUpperCase() + text.slice(1)
}

const isInbound = (type: string): boolean =>
  type.startsWith("cron.") || type.startsWith("feed.item.") || type === "webhook.received"

/** Describes an event in the form that the pulse shows, without the reactions to the event. */
export const describeEvent = (
  { actorId, correlationId, id, source, subjectId, subjectType, timestamp, type, userId }: Event,
  { actors, subjects, waiting }: KnownNames
): Omit<ReactionEvent, "reactions"> => {
  const name = subjectId === undefined ? undefined : subjects.get(subjectId)
  const isProposal = subjectId !== undefined && subjectType === "proposal"
  return {
    id,
    type,
    timestamp,
    subject: name === undefined ? wordsOf(type) : `${wordsOf(type)}: ${name}`,
    ...(subjectId === undefined ? {} : { subjectId }),
    ...(subjectType === undefined ? {} : { subjectType }),
    ...(name === undefined ? {} : { subjectName: name }),
    actor: actors.get(actorId) ?? "Unknown",
    actorAI: actorId !== userId || source === "automation" || source === "intelligence",
    correlationId,
    ...(type.endsWith(".failed") ? { failed: true } : {}),
    ...(isInbound(type) ? { inbound: true } : {}),
    ...(isProposal ? { proposalId: subjectId, ...(waiting.has(subjectId) ? { pending: true } : {}) } : {})
  }
}
