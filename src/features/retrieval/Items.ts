/** Turns what a substrate found into items of an answer. */
import { DateTime } from "effect"
import { workspaceIdOf } from "../../doors/OwnSpace.ts"
import type { Entity } from "../entities/Entity.ts"
import type { RecallHit } from "../memory/Memory.ts"
import type { Found } from "../search/Search.ts"
import { textOfEntity } from "../search/Source.ts"
import { analyse } from "../search/text/Analyser.ts"
import { type Snippet, snippetOf } from "../search/text/Snippet.ts"
import type { RetrievedItem } from "./RetrievalResult.ts"

const marksOf = ({ marks }: Snippet) => marks.map(([from, to]) => ({ from, to }))

const joined = new Intl.ListFormat("en", { type: "conjunction" })

const reasonOf = (matched: ReadonlyArray<string>, isNear: boolean, isByDocument: boolean): string => {
  const quoted = matched.slice(0, 8).map((word) => `“${word}”`)
  // A hit of the feedback step can hold none of the words: it is like the passages that hold them.
  const topic = isNear
    ? "The item means something similar to the question"
    : "The item is about the same topic as the best matches"
  const why = quoted.length === 0 ? topic : `Holds ${joined.format(quoted)}`
  return isByDocument ? `${why}, in its document.` : `${why}.`
}

/** `personId`: whose own space is `workspaceId: null`. */
export const itemOfFound = (
  { documentId, id, isNear, kind, matched, score, snippet, spaceId, title, type, updatedAt }: Found,
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

/** An item of a listing: the position stands for the score. */
export const itemOfListed = (entity: Entity, at: number, status: string | undefined): RetrievedItem => {
  const snippet = snippetOf(textOfEntity(entity), new Set(), "simple")
  return {
    id: entity.id,
    title: entity.title,
    snippet: snippet.text,
    marks: [],
    score: 1 / (at + 1),
    substrate: "structured",
    why: `Is a ${entity.profileSlug}${status === undefined ? "" : ` with status ${status}`}; the newest come first.`,
    type: "entity",
    profileSlug: entity.profileSlug,
    workspaceId: entity.workspaceId,
    ...(entity.documentId === null ? {} : { documentId: entity.documentId }),
    updatedAt: entity.updatedAt
  }
}

const titleMax = 80 // characters of a fact that stand for its title

const writers: Readonly<Record<RecallHit["trust"], string>> = {
  person: "yourself",
  agent: "an agent",
  import: "an import"
}

/** A fact of the person's memory. */
export const itemOfFact = (
  { createdAt, fact, id, level, saidAt, score, sessionId, trust }: RecallHit,
  asked: string
): RetrievedItem => {
  const snippet = snippetOf(fact, new Set(analyse(asked)), "english")
  return {
    id,
    title: fact.length <= titleMax ? fact : `${fact.slice(0, titleMax).trimEnd()} …`,
    snippet: snippet.text,
    marks: marksOf(snippet),
    score,
    substrate: "episodic",
    why: `Is a ${level} in your memory, written by ${writers[trust]}.`,
    type: "memory",
    sessionId,
    updatedAt: saidAt ?? createdAt
  }
}
