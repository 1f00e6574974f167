/**
 * An entity: a person, a company, a task or any other thing that the pod stores. The kind of an entity is a profile.
 */
import { Data, Effect, Schema } from "effect"
import type { NotFound } from "../../doors/Failure.ts"
import {
  example,
  WorkspaceId,
  ProjectId,
  CallerId,
  FocusSessionId,
  SourceMessageId,
  described,
  flagQuery,
  JsonObject,
  JsonObjectInput,
  optionalOrNull,
  Reasoning,
  Timestamp
} from "../../doors/Fields.ts"
import { missingRecord } from "../../doors/MissingRecord.ts"
import { type Cursor, cursorField } from "../../doors/Cursor.ts"
import { limitInput, pageQuery } from "../../doors/PageFields.ts"

import { Id } from "../../doors/Id.ts"
import type { SignalChange } from "../identity/ResolveIdentity.ts"
import { ProfileSlug } from "../profiles/ProfileSlug.ts"
import { shortenText } from "../../platform/StoredText.ts"

export const Entity = Schema.Struct({
  id: Id,
  profileSlug: described("Entity kind (profile slug).", Schema.String),
  type: described("Same value as `profileSlug`, for older clients.", Schema.String),
  title: Schema.String,
  preview: described("Short form of the text.", Schema.NullOr(Schema.String)),
  description: Schema.NullOr(Schema.String),
  properties: described("Properties of the entity by slug.", JsonObject),
  systemData: described("Data that the pod stores in addition to the properties.", JsonObject),
  userId: described("Id of the person who owns the entity.", Id),
  workspaceId: Schema.NullOr(WorkspaceId),
  documentId: described("Id of the document that has the text of the entity.", Schema.NullOr(Id)),
  version: described("Version, from 1. Each write adds one.", Schema.Number),
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotations({ identifier: "Entity" })
export type Entity = typeof Entity.Type
/** What names an entity and its place, without its content. */
export type EntityHead = Pick<Entity, "id" | "profileSlug" | "title" | "userId" | "workspaceId" | "updatedAt">

export const headOf = ({ id, profileSlug, title, updatedAt, userId, workspaceId }: Entity): EntityHead => ({
  id,
  profileSlug,
  title,
  userId,
  workspaceId,
  updatedAt
})

export interface EntityCount {
  readonly spaceId: string
  readonly kind: string
  readonly count: number
}

const Title = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(500))
const Text = Schema.String.pipe(Schema.maxLength(1_000_000))

const tagsMax = 64
/** The property `tags`, which clients can also send outside of `properties`. */
const Tags = Schema.Array(Schema.String.pipe(Schema.minLength(1), Schema.maxLength(100))).pipe(Schema.maxItems(tagsMax))

/** The origin of a new entity, as the client states it. Only the event of the create stores the origin. */
const provenance = {
  source: described(
    "Type of the client: `cli`, `extension`, `n8n` …",
    Schema.optional(Schema.String.pipe(Schema.maxLength(64)))
  ),
  sourceMessageId: SourceMessageId
}

const facetsMax = 16 // the maximum number of facets in one request that creates an entity
/** A facet of a new entity, with its properties. */
const FacetContent = Schema.Struct({
  slug: ProfileSlug,
  properties: described("Properties of the entity by slug.", JsonObjectInput)
})
export type FacetContent = typeof FacetContent.Type

export const EntityDraft = example(
  Schema.Struct({
    userId: Schema.optional(CallerId),
    workspaceId: optionalOrNull(WorkspaceId),
    projectId: Schema.optional(ProjectId),
    profileSlug: described("Entity kind (profile slug).", Schema.optional(ProfileSlug)),
    type: Schema.optional(ProfileSlug),
    profileId: described(
      "Id of the profile. The pod uses this field only if the request has no `profileSlug`.",
      Schema.optional(Id)
    ),
    title: Title,
    description: optionalOrNull(Text),
    content: described("Text of a new document for the entity.", optionalOrNull(Text)),
    preview: described("Short form of the text.", optionalOrNull(Schema.String.pipe(Schema.maxLength(2000)))),
    properties: described("Properties of the entity by slug.", Schema.optional(JsonObjectInput)),
    tags: described("Words by which people find the entity.", Schema.optional(Tags)),
    ...provenance,
    facets: described(
      "Facets of the entity: its roles in addition to its kind. `profileSlug` is another name for `slug`.",
      Schema.optional(
        Schema.Array(
          Schema.Struct({
            slug: Schema.optional(ProfileSlug),
            profileSlug: described("Entity kind (profile slug).", Schema.optional(ProfileSlug)),
            properties: described("Properties of the entity by slug.", Schema.optional(JsonObjectInput))
          })
        ).pipe(Schema.maxItems(facetsMax))
      )
    ),
    forceCreate: described(
      "`true`: create the entity even if another has the same name or address. `false`: look for duplicates of every kind. Default: `false` for an upsert; a create looks only for duplicates of people and companies.",
      Schema.optional(Schema.Boolean)
    ),
    reasoning: optionalOrNull(Reasoning),
    sessionId: optionalOrNull(FocusSessionId)
  }).annotations({ identifier: "EntityDraft" }),
  { profileSlug: "note", title: "First note", properties: { mood: "curious" } }
)
export type EntityDraft = typeof EntityDraft.Type

/**
 * The content of a change of an entity. A create has all fields, and any other change has only the changed fields. The
 * field `properties` is an exception: it has all properties as they are after the change.
 */
export const EntityContent = Schema.Struct({
  profileSlug: described("Entity kind (profile slug).", Schema.optional(ProfileSlug)),
  title: Schema.optional(Title),
  preview: described("Short form of the text.", optionalOrNull(Schema.String.pipe(Schema.maxLength(2000)))),
  description: optionalOrNull(Text),
  properties: described("Properties of the entity by slug.", Schema.optional(JsonObjectInput)),
  projectId: Schema.optional(ProjectId),
  ...provenance,
  content: described("Text of the document that the pod creates with the entity.", Schema.optional(Text)),
  facets: described(
    "Facets of the entity: its roles in addition to its kind.",
    Schema.optional(Schema.Array(FacetContent).pipe(Schema.maxItems(facetsMax)))
  ),
  forceCreate: described(
    "Whether to create the entity even if the same entity seems to exist.",
    Schema.optional(Schema.Boolean)
  )
})
export type EntityContent = typeof EntityContent.Type

const versionMax = 2_147_483_647 // the largest version number that the database column can hold

export const EntityChange = example(
  Schema.Struct({
    userId: Schema.optional(CallerId),
    workspaceId: described(
      "Workspace that the entity must be in; null means the personal space. The change does not move the entity.",
      optionalOrNull(Id)
    ),
    title: Schema.optional(Title),
    description: optionalOrNull(Text),
    preview: described("Short form of the text.", optionalOrNull(Schema.String.pipe(Schema.maxLength(2000)))),
    properties: described(
      "New values of properties; the pod merges them into the existing properties.",
      Schema.optional(JsonObjectInput)
    ),
    metadata: described(
      "Older name of `properties`. If both contain the same property, the pod uses the value in `properties`.",
      Schema.optional(JsonObjectInput)
    ),
    tags: described("Words by which people find the entity.", Schema.optional(Tags)),
    reasoning: optionalOrNull(Reasoning),
    sessionId: optionalOrNull(FocusSessionId),
    deleteProperties: described(
      "Names of the properties to remove.",
      Schema.optional(Schema.Array(Schema.String).pipe(Schema.maxItems(256)))
    ),
    version: described(
      "Version that you read; if the entity has another version now, the answer is 409.",
      Schema.optional(Schema.Int.pipe(Schema.between(1, versionMax)))
    )
  }).annotations({ identifier: "EntityChange" }),
  { title: "A better title", properties: { mood: "content" } }
)
export type EntityChange = typeof EntityChange.Type

/** The part of a change that the store writes. */
export type EntityEdit = Pick<
  EntityChange,
  "title" | "description" | "preview" | "properties" | "deleteProperties" | "version"
> & {
  /** The change of the identity signals of the entity. Absent if the signals do not change. */
  readonly signals?: SignalChange
}

export const pageMax = 1000 // the maximum number of rows of one page; existing clients rely on this number
const pageDefault = 20

const filterFields = {
  profileSlug: described("Entity kind (profile slug).", Schema.optional(ProfileSlug)),
  type: Schema.optional(ProfileSlug),
  workspaceId: Schema.optional(WorkspaceId),
  projectId: described(
    "Id of a project: list only entities that are in this project, if the caller may read the project.",
    Schema.optional(ProjectId)
  ),
  facetSlug: described(
    "Slug of a facet: list only entities that have this facet, if the caller may read the facet.",
    Schema.optional(ProfileSlug)
  )
}

export const EntityQuery = Schema.Struct({
  ...filterFields,
  q: described(
    "Words to search for.",
    Schema.optional(Schema.String.pipe(Schema.minLength(1), Schema.maxLength(1000)))
  ),
  scope: described(
    "Where to search: the personal space, workspaces, or both.",
    Schema.optionalWith(Schema.Literal("pod", "workspace", "all"), { default: () => "all" as const })
  ),
  includePodWide: described("Whether to search the personal space too.", flagQuery(true)),
  sort: described(
    "Order of the list; only one order exists.",
    Schema.optionalWith(Schema.Literal("updatedAt:desc"), { default: () => "updatedAt:desc" as const })
  ),
  ...pageQuery("entities", pageDefault, pageMax)
})

/** The input of the procedure and the MCP tool that list entities. It has the filters of the REST endpoint, as JSON. */
export const EntityInput = Schema.Struct({
  ...filterFields,
  limit: described("Largest number of entities to return.", limitInput(50, pageMax)),
  cursor: cursorField("entities")
})

/** The filter with which the service reads a list of entities from the store. */
export interface EntityFilter {
  readonly kind: string | undefined
  readonly projectId: string | undefined
  /** Selects only entities that have this facet. */
  readonly facet?: string | undefined
  readonly search: string | undefined
  readonly limit: number
  readonly offset: number
  /** The position after which the page begins. A search ignores the cursor, because its results are sorted by rank. */
  readonly cursor?: Cursor | undefined
}

/**
 * The failure if the caller finds no entity with this id. The failure is the same for a missing, a deleted and an
 * unreachable entity.
 */
export class EntityNotFound extends Data.TaggedError("EntityNotFound")<{ readonly id: string }> {}
/** The failure if the entity has a newer version than the version on which the change is based. */
export class EntityChanged extends Data.TaggedError("EntityChanged")<{ readonly version: number }> {}
export class ProfileUnknown extends Data.TaggedError("ProfileUnknown")<{ readonly slug: string }> {}

const previewLength = 280 // the maximum number of characters of a preview that the pod makes from a description

/**
 * Returns the preview of an entity for lists. If the caller gives no preview, the pod makes it from the description.
 */
export const previewOf = (draft: Pick<EntityDraft, "preview" | "description">): string | null =>
  draft.preview ?? (draft.description == null ? null : shortenText(draft.description, previewLength))

/** Replaces the failure EntityNotFound of the store by the NotFound that the API returns. */
export const entityOrMissing = <A, R>(found: Effect.Effect<A, EntityNotFound, R>): Effect.Effect<A, NotFound, R> =>
  Effect.catchTag(found, "EntityNotFound", () => Effect.fail(missingRecord("entity")))
