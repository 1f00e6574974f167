/**
 * Computes the parts of a change of an entity: the decoded content, the further writes that belong to the change, the
 * event, and the properties after the change.
 */
import { Either } from "effect"
import { isDeepStrictEqual } from "node:util"
import { missingRecord } from "../../doors/MissingRecord.ts"
import { Conflict, type Invalid, invalid } from "../../doors/Failure.ts"
import { strictDecoder } from "../../doors/Faults.ts"
import { spaceOf } from "../../doors/OwnSpace.ts"
import type { RecordTitles } from "../gate/RecordTitles.ts"
import { filingWrite } from "../gate/References.ts"
import {
  type RequestedWrite,
  type GatedWrite,
  type JsonRecord,
  type Mention,
  objectIn,
  type Snapshot
} from "../gate/Write.ts"
import { type Entity, type EntityChange, EntityContent, type EntityHead } from "./Entity.ts"

export const defaultKind = "note"

export const snapshotOf = (entity: Entity): Snapshot => ({
  version: entity.version,
  fields: {
    title: entity.title,
    preview: entity.preview,
    description: entity.description,
    properties: entity.properties
  }
})

/**
 * Returns the properties after a change. First merges the new values key by key, then removes the deleted properties.
 */
export const changedProperties = (
  before: JsonRecord,
  { deleteProperties = [], properties = {} }: Pick<EntityChange, "deleteProperties" | "properties">
): JsonRecord =>
  Object.fromEntries(Object.entries({ ...before, ...properties }).filter(([name]) => !deleteProperties.includes(name)))

/**
 * Collects the properties of a request body from its fields `properties`, `metadata` (an older name for `properties`)
 * and `tags`.
 */
export const requestedProperties = ({
  metadata,
  properties,
  tags
}: Pick<EntityChange, "metadata" | "properties" | "tags">): Either.Either<JsonRecord | undefined, Invalid> => {
  const named = metadata === undefined ? properties : { ...metadata, ...properties }
  if (tags === undefined) return Either.right(named)
  if (named !== undefined && "tags" in named && !isDeepStrictEqual(named["tags"], tags)) {
    return Either.left(
      invalid(
        "tags",
        "The field `tags` and the property `tags` in `properties` have different values. Send the tags only once."
      )
    )
  }
  return Either.right({ ...named, tags })
}

export const contentOf = strictDecoder(EntityContent)

/** The fields that only a create is allowed to set. */
export const fixedFields = ["profileSlug", "projectId", "content", "facets", "forceCreate"] as const

/**
 * Returns the further writes that belong to a change of an entity. If the change adds the entity to a project, one
 * write updates the project and one write creates a link. If the entity has facets or a text, there is also a write for
 * the facets or for the document with the text. Facets and documents belong to no project. A revert of the create also
 * removes the document.
 */
export const additionalWrites = (
  personId: string,
  spaceId: string,
  action: RequestedWrite["action"],
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
          filingWrite(personId, spaceId, projectId),
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

/**
 * Returns the documents and facets whose content a proposal about an entity shows. Only a caller who may read all of
 * these records may read the proposal.
 */
export const mentionsOf = (additional: ReadonlyArray<GatedWrite>): ReadonlyArray<Mention> =>
  additional
    .filter(({ subject }) => subject === "document" || subject === "facet")
    .map(({ subject }) => ({ subject, kind: null, objectId: null }))

export const eventOf = (
  action: "create" | "update" | "delete" | "restore",
  id: string,
  kind: string | null,
  data: JsonRecord
) => ({
  type: `entity.${kind}.${action}`,
  subjectId: id,
  data: { profileSlug: kind, ...data }
})

/** Translates the errors of the store to errors of the API, both for direct writes and for approvals. */
export const storeFailures = {
  EntityNotFound: () => missingRecord("entity"),
  EntityChanged: ({ version }: { readonly version: number }) =>
    new Conflict({
      code: "VERSION_CONFLICT",
      why: `The entity has changed: it is now at version ${version}. Read it again before you change it.`
    }),
  ProfileUnknown: ({ slug }: { readonly slug: string }) =>
    invalid(
      "profileSlug",
      `There is no profile with the slug ${slug} in this space. Use the slug of an existing profile.`
    )
}

/** Returns true if the entity is created together with facets or a document. Such a create takes several statements. */
export const hasParts = ({ content, facets = [] }: EntityContent): boolean => content !== undefined || facets.length > 0

/** Returns the titles of the entities in this space, by their ids. Null as the space selects all entities. */
export const titlesIn =
  (spaceId: string | null) =>
  (found: ReadonlyArray<EntityHead>): RecordTitles =>
    new Map(
      found
        .filter((entity) => spaceId === null || spaceOf(entity) === spaceId)
        .map(({ id, title }) => [id, title === "" ? null : title])
    )
