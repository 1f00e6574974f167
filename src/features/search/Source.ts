/** What search reads of an object: a title, a text and what can be filtered by. */
import { createHash } from "node:crypto"
import { analyse } from "./text/Analyser.ts"
import type { Language } from "./text/Language.ts"
import { passagesOf } from "./text/Passages.ts"
import type { IndexedObject, SearchedType } from "./postings/PostingIndex.ts"

export interface Source {
  readonly id: string
  readonly spaceId: string
  readonly type: SearchedType
  /** The profile slug of an entity; null for everything else. */
  readonly kind: string | null
  readonly title: string
  readonly text: string
  /** The roles that an entity plays, by slug. */
  readonly roles: ReadonlyArray<string>
  /** The entity that a document belongs to. */
  readonly ownerId: string | null
  /** The person or agent who made it. */
  readonly makerId: string
  /** The person to whom it belongs, or who created it. */
  readonly writerId: string
  /** Milliseconds since 1970. */
  readonly updatedAt: number
}

const depthMost = 20 // of a JSON value; text below is not searched

/** The texts and numbers in a JSON value, in its order. */
const leavesOf = (value: unknown, depth = 0): ReadonlyArray<string> => {
  if (typeof value === "string") return [value]
  if (typeof value === "number") return [String(value)]
  if (typeof value !== "object" || value === null || depth >= depthMost) return []
  return Object.values(value).flatMap((each) => leavesOf(each, depth + 1))
}

/**
 * The text of an entity: its description and the texts in its properties, a line each. A preview is the beginning of a
 * description, so it is read only where there is none.
 */
export const textOfEntity = (entity: {
  readonly description: string | null
  readonly preview: string | null
  readonly properties: unknown
}): string =>
  [entity.description ?? entity.preview ?? "", ...leavesOf(entity.properties)].filter((line) => line !== "").join("\n")

/** The text of a knowledge entry, which is titled by its key: its slug, and the texts of its value. */
export const textOfEntry = ({
  key,
  slug,
  value
}: {
  readonly key: string
  readonly slug: string | null
  readonly value: unknown
}): string => [...(slug === null || slug === key ? [] : [slug]), ...leavesOf(value)].join("\n")

/** A passage with its title, as an embedding model reads it. */
const titledText = (title: string, text: string): string => `${title}\n${text}`

/** 48 bits that tell whether a text has changed. */
export const fingerprintOf = (title: string, text: string): number =>
  createHash("sha256").update(titledText(title, text)).digest().readUIntBE(0, 6)

/** The passages of a source with the texts that an embedding model reads. Passages without a word are left out. */
export const passagesToEmbed = ({ id, text: whole, title }: Source) =>
  passagesOf(whole).flatMap(({ start, text }) =>
    titledText(title, text).trim() === ""
      ? []
      : [{ objectId: id, start, fingerprint: fingerprintOf(title, text), text: titledText(title, text) }]
  )

/** Addresses of roles are split like identifiers: `key-account` is found by `account`. */
export const indexed = (source: Source, language: Language): IndexedObject => ({
  id: source.id,
  type: source.type,
  kind: source.kind,
  ownerId: source.ownerId,
  makerId: source.makerId,
  writerId: source.writerId,
  updatedAt: source.updatedAt,
  roles: source.roles,
  titleTerms: analyse(source.title, language),
  roleTerms: source.roles.flatMap((role) => analyse(role.replaceAll(/[-_]/g, " "), language)),
  passages: passagesOf(source.text).map(({ length, start, text }) => ({
    start,
    length,
    fingerprint: fingerprintOf(source.title, text),
    terms: analyse(text, language)
  }))
})
