/** An object in the form that the search uses: the title, the text, and the properties that filters compare. */
import { createHash } from "node:crypto"
import { analyse } from "./text/Analyser.ts"
import type { Language } from "./text/Language.ts"
import { passagesOf } from "./text/Passages.ts"
import type { IndexedObject, SearchedType } from "./postings/IndexedObject.ts"

export interface Source {
  readonly id: string
  readonly spaceId: string
  readonly type: SearchedType
  /** The profile slug of an entity. Null for a document and for a knowledge entry. */
  readonly kind: string | null
  readonly title: string
  readonly text: string
  /** The slugs of the facets of an entity (the roles that it plays). */
  readonly facets: ReadonlyArray<string>
  /** The id of the entity to which a document belongs. Null if the object belongs to no entity. */
  readonly ownerId: string | null
  /** The id of the person or agent that made the object. */
  readonly makerId: string
  /** The person who owns the object. For a knowledge entry, this is the person who wrote the entry last. */
  readonly writerId: string
  /** Milliseconds since 1970. */
  readonly updatedAt: number
}

// the pod collects texts in a JSON value down to this level
const depthMax = 20

/** Collects the texts and numbers in a JSON value, in the order in which they occur. */
const leavesOf = (value: unknown, depth = 0): ReadonlyArray<string> => {
  if (typeof value === "string") return [value]
  if (typeof value === "number") return [String(value)]
  if (typeof value !== "object" || value === null || depth >= depthMax) return []
  return Object.values(value).flatMap((each) => leavesOf(each, depth + 1))
}

/**
 * Returns the text of an entity: the description and the texts in the properties, each on its own line. If the entity
 * has no description, the preview takes the place of the description. The preview repeats the beginning of the
 * description, so the text never has both.
 */
export const textOfEntity = (entity: {
  readonly description: string | null
  readonly preview: string | null
  readonly properties: unknown
}): string =>
  [entity.description ?? entity.preview ?? "", ...leavesOf(entity.properties)].filter((line) => line !== "").join("\n")

/**
 * Makes the text of a knowledge entry: the slug and the texts in the value. The key of the entry is the title, so the
 * text does not repeat the key.
 */
export const textOfEntry = ({
  key,
  slug,
  value
}: {
  readonly key: string
  readonly slug: string | null
  readonly value: unknown
}): string => [...(slug === null || slug === key ? [] : [slug]), ...leavesOf(value)].join("\n")

/** Makes the input of the embedding model for a passage: the title, followed by the passage. */
const titledText = (title: string, text: string): string => `${title}\n${text}`

/** Returns a 48-bit hash of the title and the text. If two hashes differ, the title or the text has changed. */
export const fingerprintOf = (title: string, text: string): number =>
  createHash("sha256").update(titledText(title, text)).digest().readUIntBE(0, 6)

/**
 * Returns the passages of an object, with the texts for the embedding model. Leaves out a passage if its title and its
 * text are both blank.
 */
export const passagesToEmbed = ({ id, text: whole, title }: Source) =>
  passagesOf(whole).flatMap(({ start, text }) =>
    titledText(title, text).trim() === ""
      ? []
      : [{ objectId: id, start, fingerprint: fingerprintOf(title, text), text: titledText(title, text) }]
  )

/**
 * Returns what the index stores for an object. Slugs of facets are split into words, so that search finds `key-account`
 * by `account`.
 */
export const toIndexedObject = (source: Source, language: Language): IndexedObject => ({
  id: source.id,
  type: source.type,
  kind: source.kind,
  ownerId: source.ownerId,
  makerId: source.makerId,
  writerId: source.writerId,
  updatedAt: source.updatedAt,
  facets: source.facets,
  titleTerms: analyse(source.title, language),
  facetTerms: source.facets.flatMap((facet) => analyse(facet.replaceAll(/[-_]/g, " "), language)),
  passages: passagesOf(source.text).map(({ length, start, text }) => ({
    start,
    length,
    fingerprint: fingerprintOf(source.title, text),
    terms: analyse(text, language)
  }))
})
