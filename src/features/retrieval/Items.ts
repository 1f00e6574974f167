/** Converts the results of each substrate into the items of an answer. */
import { DateTime } from "effect"
import { workspaceIdOf } from "../../doors/OwnSpace.ts"
import type { Entity } from "../entities/Entity.ts"
import type { RecallHit } from "../memory/RecallHit.ts"
import type { SearchHit } from "../search/Search.ts"
import { textOfEntity } from "../search/Source.ts"
import { analyse } from "../search/text/Analyser.ts"
import { type Snippet, snippetOf } from "../search/text/Snippet.ts"
import type { RetrievedItem } from "./RetrievalResult.ts"
import { shortenText } from "../../platform/StoredText.ts"

const marksOf = ({ marks }: Snippet) => marks.map(([from, to]) => ({ from, to }))

const listFormat = new Intl.ListFormat("en", { type: "conjunction" })

const reasonOf = (matched: ReadonlyArray<string>, isNear: boolean, isByDocument: boolean): string => {
  const quoted = matched.slice(0, 8).map((word) => `“${word}”`)
  // The ranking has a second round, which adds words from the best passages to the question. So a hit can contain words
  // of the second round only, and no word of the question itself.
  const topic = isNear
    ? "The item means something similar to the question"
    : "The item is about the same topic as the best matches"
  const why = quoted.length === 0 ? topic : `Contains ${listFormat.format(quoted)}`
  return isByDocument ? `${why}, in its document.` : `${why}.`
}

/**
 * Makes the item for a search hit. The `workspaceId` of the item is null if the hit is in the personal space of the
 * person `personId`.
 */
export const itemOfFound = (
  { documentId, id, isNear, kind, matched, score, snippet, spaceId, title, type, updatedAt }: SearchHit,
  personId: string
): RetrievedItem => ({
  id,
  title,
  snippet: snippet.text,
  marks: marksOf(snippet),
  score,
  substrate: type === "knowledge" ? "procedural" : "semantic",
  why: reasonOf(matched, isNear, documentId !== null),
  type,
  ...(kind === null ? {} : { profileSlug: kind }),
  workspaceId: workspaceIdOf(spaceId, personId),
  ...(documentId === null ? {} : { documentId }),
  ...(type === "knowledge" ? { key: title } : {}),
  updatedAt: DateTime.unsafeMake(updatedAt)
})

/**
 * Makes the item for an entity from a list. The score of the item depends only on the position of the entity in the
 * list.
 */
export const itemOfListed = (entity: Entity, at: number, status: string | undefined): RetrievedItem => {
  const snippet = snippetOf(textOfEntity(entity), new Set(), "simple")
  return {
    id: entity.id,
    title: entity.title,
    snippet: snippet.text,
    marks: [],
    score: 1 / (at + 1),
    substrate: "structured",
    why: `The entity has the kind ${entity.profileSlug}${status === undefined ? "" : ` and the status ${status}`}; the newest entities come first.`,
    type: "entity",
    profileSlug: entity.profileSlug,
    workspaceId: entity.workspaceId,
    ...(entity.documentId === null ? {} : { documentId: entity.documentId }),
    updatedAt: entity.updatedAt
  }
}

// the maximum number of characters of a fact in the title of an item
const titleMax = 80

const writers: Readonly<Record<RecallHit["trust"], string>> = {
  person: "yourself",
  agent: "an agent",
  import: "an import"
}

/** Makes the item for a fact that the person's memory recalled. */
export const itemOfFact = (
  { createdAt, fact, id, level, saidAt, score, sessionId, trust }: RecallHit,
  question: string
): RetrievedItem => {
  const snippet = snippetOf(fact, new Set(analyse(question)), "english")
  return {
    id,
    title: fact.length <= titleMax ? fact : `${shortenText(fact, titleMax).trimEnd()} …`,
    snippet: snippet.text,
    marks: marksOf(snippet),
    score,
    substrate: "episodic",
    why: `This is a ${level} in your memory, written by ${writers[trust]}.`,
    type: "memory",
    sessionId,
    updatedAt: saidAt ?? createdAt
  }
}
