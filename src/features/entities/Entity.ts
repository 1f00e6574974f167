/** An entity: anything the pod knows of, of some kind (its profile). */
import { Data, Schema } from "effect"
import {
  example,
  WorkspaceId,
  ProjectId,
  CallerId,
  SessionId,
  described,
  cursorField,
  flagQuery,
  JsonObject,
  JsonObjectInput,
  limitInput,
  optionalOrNull,
  pageQuery,
  Timestamp,
  type Cursor
} from "../../doors/Fields.ts"

import type { Signal } from "./identity/ResolveIdentity.ts"

/** A kind of entity: the slug of its profile, and the kind of its permissions. */
export const ProfileSlug = Schema.String.pipe(
  Schema.pattern(/^[a-z0-9][a-z0-9_-]*$/),
  Schema.maxLength(64)
).annotations({ identifier: "ProfileSlug", description: "A kind: the slug of a profile." })

export const Entity = Schema.Struct({
  id: Schema.UUID,
  profileSlug: described("Its kind: the slug of a profile.", Schema.String),
  type: described("The same as profileSlug, for clients that still read it.", Schema.String),
  title: Schema.String,
  preview: described("A short form of its text.", Schema.NullOr(Schema.String)),
  description: Schema.NullOr(Schema.String),
  properties: described("Its fields by slug, as its profile has them.", JsonObject),
  systemData: described("What the pod keeps beside its properties.", JsonObject),
  userId: described("The person whose it is.", Schema.UUID),
  workspaceId: described("`null`: in the person's own space.", Schema.NullOr(Schema.UUID)),
  documentId: described("The document it belongs to.", Schema.NullOr(Schema.UUID)),
  version: described("Counts its writes, from 1.", Schema.Number),
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotations({ identifier: "Entity" })
export type Entity = typeof Entity.Type

const Title = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(500))
const Text = Schema.String.pipe(Schema.maxLength(1_000_000))

const Reasoning = Schema.String.pipe(Schema.maxLength(10_000))

const tagsMost = 64
/** The property `tags`, which clients also give beside the properties. */
const Tags = Schema.Array(Schema.String.pipe(Schema.minLength(1), Schema.maxLength(100))).pipe(
  Schema.maxItems(tagsMost)
)

/** What a client says of where a new entity comes from. Kept with the event of its making. */
const provenance = {
  source: described(
    "The sort of client: `cli`, `extension`, `n8n` …",
    Schema.optional(Schema.String.pipe(Schema.maxLength(64)))
  ),
  sourceMessageId: described("The message it comes from.", Schema.optional(Schema.String.pipe(Schema.maxLength(200))))
}

const rolesMost = 16 // of one entity at its making
/** A role that a new entity plays, with the properties of the role. */
const FacetContent = Schema.Struct({
  slug: ProfileSlug,
  properties: described("Its fields by slug, as its profile has them.", JsonObjectInput)
})
export type FacetContent = typeof FacetContent.Type

export const EntityDraft = example(
  Schema.Struct({
    userId: Schema.optional(CallerId),
    workspaceId: optionalOrNull(WorkspaceId),
    projectId: Schema.optional(ProjectId),
    profileSlug: described("Its kind: the slug of a profile.", Schema.optional(ProfileSlug)),
    type: Schema.optional(ProfileSlug),
    profileId: described("The profile by its id, where no slug is said.", Schema.optional(Schema.UUID)),
    title: Title,
    description: optionalOrNull(Text),
    content: described("The text of a new document that belongs to it.", optionalOrNull(Text)),
    preview: described("A short form of its text.", optionalOrNull(Schema.String.pipe(Schema.maxLength(2000)))),
    properties: described("Its fields by slug, as its profile has them.", Schema.optional(JsonObjectInput)),
    tags: described("Words it is found by.", Schema.optional(Tags)),
    ...provenance,
    facets: described(
      "Roles it plays besides. `profileSlug` is another word for `slug`.",
      Schema.optional(
        Schema.Array(
          Schema.Struct({
            slug: Schema.optional(ProfileSlug),
            profileSlug: described("Its kind: the slug of a profile.", Schema.optional(ProfileSlug)),
            properties: described("Its fields by slug, as its profile has them.", Schema.optional(JsonObjectInput))
          })
        ).pipe(Schema.maxItems(rolesMost))
      )
    ),
    forceCreate: described(
      "Whether it is made although another is told to be the same, by its name or by an address. Left out, people and companies are compared and other kinds are not; `false` compares any kind, `true` none.",
      Schema.optional(Schema.Boolean)
    ),
    reasoning: described("For the person who decides on it, where a person has to.", optionalOrNull(Reasoning)),
    sessionId: described("The focus session it belongs to.", optionalOrNull(Schema.UUID))
  }).annotations({ identifier: "EntityDraft" }),
  { profileSlug: "note", title: "First note", properties: { mood: "curious" } }
)
export type EntityDraft = typeof EntityDraft.Type

/** What a change of an entity names: all of it for a new one, what changes otherwise. `properties` as they will be. */
export const EntityContent = Schema.Struct({
  profileSlug: described("Its kind: the slug of a profile.", Schema.optional(ProfileSlug)),
  title: Schema.optional(Title),
  preview: described("A short form of its text.", optionalOrNull(Schema.String.pipe(Schema.maxLength(2000)))),
  description: optionalOrNull(Text),
  properties: described("Its fields by slug, as its profile has them.", Schema.optional(JsonObjectInput)),
  projectId: Schema.optional(ProjectId),
  ...provenance,
  content: described("Of the document that is made with it.", Schema.optional(Text)),
  facets: described(
    "The roles it plays besides.",
    Schema.optional(Schema.Array(FacetContent).pipe(Schema.maxItems(rolesMost)))
  ),
  forceCreate: described("Make it although another looks the same.", Schema.optional(Schema.Boolean))
})
export type EntityContent = typeof EntityContent.Type

const versionMost = 2_147_483_647 // what the column holds

export const EntityChange = example(
  Schema.Struct({
    userId: Schema.optional(CallerId),
    title: Schema.optional(Title),
    description: optionalOrNull(Text),
    preview: described("A short form of its text.", optionalOrNull(Schema.String.pipe(Schema.maxLength(2000)))),
    properties: described("Merged into what is there, key by key.", Schema.optional(JsonObjectInput)),
    metadata: described(
      "The same, for older clients; where both name a key, `properties` speaks.",
      Schema.optional(JsonObjectInput)
    ),
    tags: described("Words it is found by.", Schema.optional(Tags)),
    reasoning: described("Why, for the person who decides on it.", optionalOrNull(Reasoning)),
    sessionId: optionalOrNull(SessionId),
    deleteProperties: described(
      "Properties to take away.",
      Schema.optional(Schema.Array(Schema.String).pipe(Schema.maxItems(256)))
    ),
    version: described(
      "The version that the change was made from; another one there means 409.",
      Schema.optional(Schema.Int.pipe(Schema.between(1, versionMost)))
    )
  }).annotations({ identifier: "EntityChange" }),
  { title: "A better title", properties: { mood: "content" } }
)
export type EntityChange = typeof EntityChange.Type

/** What the store writes of a change. */
export type EntityEdit = Pick<
  EntityChange,
  "title" | "description" | "preview" | "properties" | "deleteProperties" | "version"
> & {
  /** By what it is told to be the same as another from now on; left out where that stays. */
  readonly signals?: ReadonlyArray<Signal>
}

export const pageMost = 1000 // rows: the bound existing clients know
const pageDefault = 20

const filterFields = {
  profileSlug: described("Its kind: the slug of a profile.", Schema.optional(ProfileSlug)),
  type: Schema.optional(ProfileSlug),
  workspaceId: Schema.optional(WorkspaceId),
  projectId: Schema.optional(ProjectId),
  facetSlug: described(
    "Only those that play this role, as far as the caller reads what they play.",
    Schema.optional(ProfileSlug)
  )
}

export const EntityQuery = Schema.Struct({
  ...filterFields,
  q: described("Words to look for.", Schema.optional(Schema.String.pipe(Schema.minLength(1), Schema.maxLength(1000)))),
  scope: described(
    "Where to look: the caller's own space, workspaces, or both.",
    Schema.optionalWith(Schema.Literal("pod", "workspace", "all"), { default: () => "all" as const })
  ),
  includePodWide: described("Also search the caller's own space.", flagQuery(true)),
  sort: described(
    "The order; there is one.",
    Schema.optionalWith(Schema.Literal("updatedAt:desc"), { default: () => "updatedAt:desc" as const })
  ),
  ...pageQuery(pageDefault, pageMost)
})

/** The listing of the bridge and of MCP: the same filters, as JSON. */
export const EntityInput = Schema.Struct({
  ...filterFields,
  limit: described("At most this many.", limitInput(50, pageMost)),
  cursor: cursorField
})

/** A listing as the store understands it. */
export interface EntityFilter {
  readonly kind: string | undefined
  readonly projectId: string | undefined
  /** The role that they play. */
  readonly facet?: string | undefined
  readonly search: string | undefined
  readonly limit: number
  readonly offset: number
  /** Not for a search, which is ordered by how well it fits. */
  readonly cursor?: Cursor | undefined
}

/** There is no such entity for this caller: missing, deleted and out of reach are one answer. */
export class EntityNotFound extends Data.TaggedError("EntityNotFound")<{ readonly id: string }> {}
/** Somebody changed it since the version the change was made from. */
export class EntityChanged extends Data.TaggedError("EntityChanged")<{ readonly version: number }> {}
export class ProfileUnknown extends Data.TaggedError("ProfileUnknown")<{ readonly slug: string }> {}

const previewLength = 280 // characters, as listings show them

/** What listings show of an entity when nothing else was given. */
export const previewOf = (draft: Pick<EntityDraft, "preview" | "description">): string | null =>
  draft.preview ?? draft.description?.slice(0, previewLength).toWellFormed() ?? null
