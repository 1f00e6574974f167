/** What a change of an entity says: its content decoded, what it writes besides, its event, and what it leaves of the properties. */
import { Either } from "effect"
import { isDeepStrictEqual } from "node:util"
import { noSuch } from "../../doors/NoSuch.ts"
import { Conflict, type Invalid, invalid } from "../../doors/Failure.ts"
import { strictly } from "../../doors/Faults.ts"
import { filingIn } from "../gate/References.ts"
import { type Asked, type GatedWrite, type Json, type Mention, objectIn, type Snapshot } from "../gate/Write.ts"
import { type Entity, type EntityChange, EntityContent } from "./Entity.ts"

export const kindFallback = "note"

export const snapshotOf = (entity: Entity): Snapshot => ({
  version: entity.version,
  fields: {
    title: entity.title,
    preview: entity.preview,
    description: entity.description,
    properties: entity.properties
  }
})

/** The properties a change leaves: merged key by key, then without those it deletes. */
export const propertiesAfter = (
  before: Json,
  { deleteProperties = [], properties = {} }: Pick<EntityChange, "deleteProperties" | "properties">
): Json =>
  Object.fromEntries(Object.entries({ ...before, ...properties }).filter(([name]) => !deleteProperties.includes(name)))

/** The properties that a body names, in `properties`, in the older `metadata`, or as `tags`. */
export const propertiesIn = ({
  metadata,
  properties,
  tags
}: Pick<EntityChange, "metadata" | "properties" | "tags">): Either.Either<Json | undefined, Invalid> => {
  const named = metadata === undefined ? properties : { ...metadata, ...properties }
  if (tags === undefined) return Either.right(named)
  if (named !== undefined && "tags" in named && !isDeepStrictEqual(named["tags"], tags)) {
    return Either.left(invalid("tags", "It is the property tags, which says something else here."))
  }
  return Either.right({ ...named, tags })
}

export const contentOf = strictly(EntityContent)

/** What is said only where an entity is made. */
export const fixedFields = ["profileSlug", "projectId", "content", "facets", "forceCreate"] as const

/**
 * What is written besides an entity. Filing it changes the project and makes a link; roles make facets and a text makes a
 * document, which are in no project. Taking the create back takes the document back too.
 */
export const writesBesides = (
  personId: string,
  spaceId: string,
  action: Asked["action"],
  { content, facets = [], projectId }: EntityContent
): ReadonlyArray<GatedWrite> => {
  const unfiled = objectIn(personId, spaceId, null)
  const document: ReadonlyArray<GatedWrite> =
    content === undefined ? [] : [{ subject: "document", kind: null, action, object: unfiled }]
  if (action !== "create") return document
  return [
    ...(projectId === undefined
      ? []
      : [
          filingIn(personId, spaceId, projectId),
          {
            subject: "relation" as const,
            kind: null,
            action,
            object: objectIn(personId, spaceId, null, [projectId]),
            isFiling: true
          }
        ]),
    ...(facets.length === 0 ? [] : [{ subject: "facet" as const, kind: null, action, object: unfiled }]),
    ...document
  ]
}

/** What a proposal of an entity tells of: whoever may not read a document or a role does not read it there. */
export const mentionsOf = (besides: ReadonlyArray<GatedWrite>): ReadonlyArray<Mention> =>
  besides
    .filter(({ subject }) => subject === "document" || subject === "facet")
    .map(({ subject }) => ({ subject, kind: null, objectId: null }))

export const eventOf = (
  action: "create" | "update" | "delete" | "restore",
  id: string,
  kind: string | null,
  data: Json
) => ({
  type: `entity.${kind}.${action}`,
  subjectId: id,
  data: { profileSlug: kind, ...data }
})

/** The refusals of the store as they are said on the wire and to whoever decides on a change. */
export const storeRefusals = {
  EntityNotFound: () => noSuch("entity"),
  EntityChanged: ({ version }: { readonly version: number }) =>
    new Conflict({ code: "VERSION_CONFLICT", why: `The entity is at version ${version} by now.` }),
  ProfileUnknown: ({ slug }: { readonly slug: string }) => invalid("profileSlug", `There is no profile ${slug}.`)
}
