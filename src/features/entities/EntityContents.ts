/** What a change of an entity says: its content decoded, its summary, its event, and what it leaves of the properties. */
import { Either } from "effect"
import { isDeepStrictEqual } from "node:util"
import { Conflict, type Invalid, invalid, NotFound } from "../../doors/Failure.ts"
import { strictly } from "../../doors/Faults.ts"
import type { Change, GatedWrite, Json, Snapshot } from "../governance/Write.ts"
import { type Entity, type EntityChange, EntityContent } from "./Entity.ts"
import type { PlacedEntity } from "./EntityStore.ts"

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
  entity: Pick<Entity, "properties">,
  { deleteProperties = [], properties = {} }: Pick<EntityChange, "deleteProperties" | "properties">
): Json =>
  Object.fromEntries(
    Object.entries({ ...entity.properties, ...properties }).filter(([name]) => !deleteProperties.includes(name))
  )

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

/**
 * What a create makes besides. Filing makes a link, unless the grant is for that very project and nothing could be made
 * otherwise; roles make facets and a text makes a document, which are in no project. Taking the create back takes the
 * document back too.
 */
export const besides = (
  principalProjects: ReadonlyArray<string>,
  { action, content, object }: Pick<Change, "action" | "content" | "object">
): ReadonlyArray<GatedWrite> => {
  const { content: text, facets, projectId } = content
  const unfiled = { ...object, objectId: null, projectIds: [] }
  const document =
    typeof text === "string" ? [{ subject: "document", kind: null, action, object: unfiled } as const] : []
  if (action !== "create") return document
  const made = (subject: "relation" | "facet", of: Change["object"]): GatedWrite => ({
    subject,
    kind: null,
    action,
    object: of
  })
  return [
    ...(typeof projectId === "string" && !principalProjects.includes(projectId) ? [made("relation", object)] : []),
    ...(Array.isArray(facets) && facets.length > 0 ? [made("facet", unfiled)] : []),
    ...document
  ]
}

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

/** What the gate has to know of a change of an entity that is there. */
export const described = (
  { entity, projectIds, spaceId }: PlacedEntity,
  action: "update" | "delete",
  personId: string
): Pick<Change, "subject" | "kind" | "object" | "summary"> => ({
  subject: "entity",
  kind: entity.profileSlug,
  object: { spaceId, isPersonal: spaceId === personId, objectId: entity.id, projectIds },
  summary: `${action === "update" ? "Change" : "Delete"} ${entity.profileSlug} “${entity.title}”`
})

/** The refusals of the store as they are said to whoever decides on a change. */
export const storeRefusals = {
  EntityNotFound: () => new NotFound({ why: "There is no such entity." }),
  EntityChanged: ({ version }: { readonly version: number }) =>
    new Conflict({ code: "VERSION_CONFLICT", why: `The entity is at version ${version} by now.` }),
  ProfileUnknown: ({ slug }: { readonly slug: string }) => invalid("profileSlug", `There is no profile ${slug}.`)
}
