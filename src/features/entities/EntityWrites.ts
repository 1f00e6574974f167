/** What is asked of entities, as changes of them. How a change is held to its profile and written is the changer's. */
import { Context, Effect, Layer } from "effect"
import { Conflict, type WriteRefusal, invalid } from "../../doors/Failure.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import { Reach } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import type { Json } from "../gate/Write.ts"
import { Profiles } from "../profiles/Profiles.ts"
import { type Entity, type EntityChange, type EntityContent, type EntityDraft, previewOf } from "./Entity.ts"
import { EntityChanger } from "./EntityChanger.ts"
import { kindFallback, propertiesAfter, propertiesIn, storeRefusals } from "./EntityContents.ts"
import { EntityStore } from "./EntityStore.ts"
import { Facets } from "./facets/Facets.ts"
import { Namesakes } from "./identity/Namesakes.ts"
import type { MatchedCandidate } from "./identity/ResolveIdentity.ts"

/** What came of a create: a new entity, or the one that was meant, changed. */
export interface MadeEntity {
  readonly entity: Entity
  readonly status: "created" | "updated"
  /** Whom it was told to be, by an address or a handle. */
  readonly existing: MatchedCandidate | null
}

export class EntityWrites extends Context.Tag("pod/EntityWrites")<
  EntityWrites,
  {
    /** Fails with Conflict where one of the name is there already, as `Namesakes.met` says. */
    readonly create: (draft: EntityDraft) => Effect.Effect<MadeEntity, WriteRefusal | Proposed, Reach>
    readonly update: (id: string, change: EntityChange) => Effect.Effect<Entity, WriteRefusal | Proposed, Reach>
    readonly remove: (id: string) => Effect.Effect<Entity, WriteRefusal | Proposed, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* EntityStore
      const { write } = yield* EntityChanger
      const facets = yield* Facets
      const namesakes = yield* Namesakes
      const profiles = yield* Profiles

      const update = (id: string, asked: EntityChange) =>
        Effect.gen(function* () {
          const { userId: _caller, version, reasoning, sessionId, deleteProperties, ...named } = asked
          const properties = yield* propertiesIn(asked)
          const { metadata: _older, properties: _asked, tags: _tags, ...fields } = named
          const hasProperties = properties !== undefined || deleteProperties !== undefined
          const content = (before: Json): Json => ({
            ...fields,
            ...(hasProperties
              ? { properties: propertiesAfter(before["properties"] as Json, { properties, deleteProperties }) }
              : {})
          })
          const { principal } = yield* Reach
          return yield* write(
            { action: "update", targetId: id, spaceId: principal.personId, content },
            { reasoning, sessionId, expectedVersion: version }
          )
        })

      /** The one that is meant takes what is new; what it says of itself in words stays. */
      const merged = (existing: MatchedCandidate, draft: EntityDraft, { content, facets: roles }: EntityContent) =>
        Effect.gen(function* () {
          // It may have a document by now, and which of two texts is meant is not for us to say.
          if (content !== undefined) {
            return yield* new Conflict({
              code: "SAME_NAME",
              why: "It is there already. Change it, and write its document with POST /documents.",
              details: { candidates: [existing] }
            })
          }
          const { description, preview, properties, reasoning, sessionId } = draft
          const before = yield* Effect.mapError(store.get(existing.entityId), storeRefusals.EntityNotFound)
          const isMute = before.description === null && description !== undefined
          const words = isMute ? { description, preview: before.preview ?? previewOf({ description, preview }) } : {}
          const entity = yield* update(before.id, { properties, reasoning, sessionId, ...words })
          for (const role of roles ?? []) yield* facets.put(before.id, role, { reasoning, sessionId })
          return entity
        })

      /** The kind that a draft names, by its slug or by the id of its profile. */
      const kindOf = ({ profileId, profileSlug, type }: EntityDraft, spaceId: string) =>
        Effect.gen(function* () {
          const named = profileSlug ?? type
          if (named !== undefined || profileId === undefined) return named ?? kindFallback
          return (
            (yield* profiles.slugOf(profileId, spaceId)) ?? (yield* invalid("profileId", "There is no such profile."))
          )
        })

      const contentOf = (draft: EntityDraft, kind: string) =>
        Effect.gen(function* () {
          const { content: text, facets: roles, forceCreate, projectId, source, sourceMessageId, title } = draft
          const content: EntityContent = {
            profileSlug: kind,
            title,
            preview: previewOf(draft),
            description: draft.description ?? null,
            properties: (yield* propertiesIn(draft)) ?? {},
            ...(source === undefined ? {} : { source }),
            ...(sourceMessageId === undefined ? {} : { sourceMessageId }),
            ...(projectId === undefined ? {} : { projectId }),
            ...(typeof text === "string" && text !== "" ? { content: text } : {}),
            ...(roles === undefined
              ? {}
              : {
                  facets: roles.map(({ profileSlug, properties = {}, slug = profileSlug ?? "" }) => ({
                    slug,
                    properties
                  }))
                }),
            ...(forceCreate === undefined ? {} : { forceCreate })
          }
          return content
        })

      return {
        create: (draft) =>
          Effect.gen(function* () {
            const { forceCreate, reasoning, sessionId, title } = draft
            const spaceId = draft.workspaceId ?? (yield* Reach).principal.personId
            const kind = yield* kindOf(draft, spaceId)
            const content = yield* contentOf(draft, kind)
            let existing: MatchedCandidate | null = null
            const entity = yield* write(
              { action: "create", targetId: uuidv7(), spaceId, content: { ...content } },
              { reasoning, sessionId },
              ({ content: held }) =>
                Effect.gen(function* () {
                  const { properties = {} } = held as EntityContent
                  existing = yield* namesakes.met({ kind, spaceId, title, properties, forceCreate })
                  return existing === null ? undefined : yield* merged(existing, draft, content)
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
