/** Makes a change from each request that writes an entity. `EntityChanger` then validates and writes the change. */
import { Context, Effect, Either, Layer } from "effect"
import { Conflict, type WriteRefusal, invalid } from "../../doors/Failure.ts"
import { Proposed } from "../../doors/Proposed.ts"
import { Reach } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { Transaction } from "../../platform/Transaction.ts"
import type { Deleted } from "../gate/Changers.ts"
import type { JsonRecord } from "../gate/Write.ts"
import { Profiles } from "../profiles/Profiles.ts"
import { requestedSpace } from "../workspaces/WorkspaceAccess.ts"
import { type Entity, type EntityChange, type EntityContent, type EntityDraft, previewOf } from "./Entity.ts"
import { EntityChanger } from "./EntityChanger.ts"
import { defaultKind, changedProperties, requestedProperties, storeFailures } from "./EntityContents.ts"
import { propertiesIn } from "./EntityPatch.ts"
import { createBounds } from "./EntityBounds.ts"
import { EntityStore } from "./EntityStore.ts"
import { Facets } from "../facets/Facets.ts"
import { IdentityResolver } from "../identity/IdentityResolver.ts"
import type { MatchedCandidate } from "../identity/ResolveIdentity.ts"

/** The result of a create: the new entity, or the changed duplicate. */
export interface EntityWriteResult {
  readonly entity: Entity
  readonly status: "created" | "updated"
  /** The duplicate with the same address or handle. Null if the pod found no duplicate. */
  readonly existing: MatchedCandidate | null
}

export class EntityWrites extends Context.Tag("pod/EntityWrites")<
  EntityWrites,
  {
    /**
     * Creates an entity, or changes its duplicate. Fails with Conflict in the cases that
     * `IdentityResolver.findDuplicate` describes.
     */
    readonly create: (draft: EntityDraft) => Effect.Effect<EntityWriteResult, WriteRefusal | Proposed, Reach>
    readonly update: (id: string, change: EntityChange) => Effect.Effect<Entity, WriteRefusal | Proposed, Reach>
    readonly remove: (id: string) => Effect.Effect<Deleted, WriteRefusal | Proposed, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* EntityStore
      const { write } = yield* EntityChanger
      const facets = yield* Facets
      const identity = yield* IdentityResolver
      const profiles = yield* Profiles
      const { atomically } = yield* Transaction

      /**
       * Fails if the entity is not in the workspace that the caller names. The failure is the same as for a missing
       * entity.
       */
      const checkPlace = Effect.fnUntraced(function* (id: string, workspaceId: string | null) {
        yield* requestedSpace(workspaceId)
        const { workspaceId: actual } = yield* Effect.mapError(store.get(id), storeFailures.EntityNotFound)
        if (actual !== workspaceId) return yield* storeFailures.EntityNotFound()
      })

      const update = Effect.fnUntraced(function* (id: string, requestedChange: EntityChange) {
        if (requestedChange.workspaceId !== undefined) yield* checkPlace(id, requestedChange.workspaceId)
        const {
          userId: _caller,
          workspaceId: _place,
          version,
          reasoning,
          sessionId,
          deleteProperties,
          ...named
        } = requestedChange
        const properties = yield* requestedProperties(requestedChange)
        const { metadata: _older, properties: _asked, tags: _tags, ...fields } = named
        const hasProperties = properties !== undefined || deleteProperties !== undefined
        const content = (before: JsonRecord): JsonRecord => ({
          ...fields,
          ...(hasProperties
            ? { properties: changedProperties(propertiesIn(before), { properties, deleteProperties }) }
            : {})
        })
        const { principal } = yield* Reach
        return yield* write(
          { action: "update", targetId: id, spaceId: principal.personId, content },
          { reasoning, sessionId, expectedVersion: version }
        )
      })

      /**
       * Adds the properties and facets of the draft to the duplicate. If the duplicate already has a description, keeps
       * that description.
       */
      const mergeInto = Effect.fnUntraced(function* (
        existing: MatchedCandidate,
        draft: EntityDraft,
        { content, facets: facetsToPut = [] }: EntityContent
      ) {
        // The duplicate might already have a document. The pod cannot know whether the text of this document or the new
        // text is right. So it refuses the create.
        if (content !== undefined) {
          return yield* new Conflict({
            code: "SAME_NAME",
            why: "The entity already exists. Change the entity without `content`, and write its document with `POST /documents`.",
            details: { candidates: [existing] }
          })
        }
        const { description, preview, properties, reasoning, sessionId } = draft
        const before = yield* Effect.mapError(store.get(existing.entityId), storeFailures.EntityNotFound)
        const needsDescription = before.description === null && description !== undefined
        const words = needsDescription
          ? { description, preview: before.preview ?? previewOf({ description, preview }) }
          : {}
        const merged = Effect.gen(function* () {
          const entity = yield* update(before.id, { properties, reasoning, sessionId, ...words })
          for (const facet of facetsToPut) yield* facets.put(before.id, facet, { reasoning, sessionId })
          return entity
        })
        // If the gate refuses a facet, the transaction rolls the properties back. If the gate makes a proposal, the
        // transaction must commit, because it also stores the proposal.
        const done = yield* atomically(Effect.catchTag(merged, "Proposed", (proposed) => Effect.succeed(proposed)))
        return done instanceof Proposed ? yield* done : done
      })

      const slugOfProfile = Effect.fnUntraced(function* (profileId: string, spaceId: string) {
        const slug = yield* profiles.slugOf(profileId, spaceId)
        const reach = yield* Reach
        // Returns true if the caller may learn that this kind exists. The caller must be allowed to create entities of
        // the kind, or to read profiles. The refusal of a write then names the kind. Any other caller gets the error
        // that there is no such profile.
        const mayKnow = (kind: string) =>
          [createBounds(reach, kind), reach.bounds("profile", "read")].some(({ spaces }) => spaces.includes(spaceId))
        if (slug === null || !mayKnow(slug))
          return yield* invalid("profileId", "There is no profile with this id in this space.")
        return slug
      })

      /** Returns the kind that a draft names, by the slug or the id of its profile. */
      const kindOf = ({ profileId, profileSlug, type }: EntityDraft, spaceId: string) => {
        const named = profileSlug ?? type
        return named === undefined && profileId !== undefined
          ? slugOfProfile(profileId, spaceId)
          : Effect.succeed(named ?? defaultKind)
      }

      const contentOf = (draft: EntityDraft, kind: string) =>
        Either.map(requestedProperties(draft), (requested = {}): EntityContent => {
          const { content: text, facets: drafts, forceCreate, projectId, source, sourceMessageId, title } = draft
          return {
            profileSlug: kind,
            title,
            preview: previewOf(draft),
            description: draft.description ?? null,
            properties: requested,
            ...(source === undefined ? {} : { source }),
            ...(sourceMessageId === undefined ? {} : { sourceMessageId }),
            ...(projectId === undefined ? {} : { projectId }),
            ...(typeof text === "string" && text !== "" ? { content: text } : {}),
            ...(drafts === undefined
              ? {}
              : {
                  facets: drafts.map(({ profileSlug, properties = {}, slug = profileSlug ?? "" }) => ({
                    slug,
                    properties
                  }))
                }),
            ...(forceCreate === undefined ? {} : { forceCreate })
          }
        })

      return {
        create: Effect.fnUntraced(function* (draft) {
          const { forceCreate, reasoning, sessionId, title } = draft
          const spaceId = draft.workspaceId ?? (yield* Reach).principal.personId
          const kind = yield* kindOf(draft, spaceId)
          const content = yield* contentOf(draft, kind)
          let existing: MatchedCandidate | null = null
          const entity = yield* write(
            { action: "create", targetId: uuidv7(), spaceId, content: { ...content } },
            { reasoning, sessionId },
            ({ content: checked }) =>
              Effect.gen(function* () {
                // The check of the write has decoded the content with the schema of entities, so the cast is safe.
                const { properties = {} } = checked as EntityContent
                existing = yield* identity.findDuplicate({ kind, spaceId, title, properties, forceCreate })
                return existing === null ? undefined : yield* mergeInto(existing, draft, content)
              })
          )
          return { entity, status: existing === null ? "created" : "updated", existing }
        }),
        update,
        remove: (id) =>
          Effect.flatMap(Reach, ({ principal }) =>
            write({ action: "delete", targetId: id, spaceId: principal.personId, content: {} })
          )
      }
    })
  )
}
