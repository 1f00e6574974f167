/** How entities are written: each write is a change that is held to its profile and passes the gate. */
import { Context, Effect, Layer } from "effect"
import { Conflict, type Forbidden, type Invalid, invalid, type NotFound } from "../../doors/Failure.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import { Reach } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { GrantMatcher } from "../grants/GrantMatcher.ts"
import { GovernanceGate } from "../governance/GovernanceGate.ts"
import { refusalOf } from "../governance/Ladder.ts"
import type { Change } from "../governance/Write.ts"
import { Profiles } from "../profiles/Profiles.ts"
import {
  type Entity,
  type EntityChange,
  type EntityChanged,
  type EntityContent,
  type EntityDraft,
  type EntityNotFound,
  previewOf,
  type ProfileUnknown
} from "./Entity.ts"
import { EntityChanger } from "./EntityChanger.ts"
import {
  besides,
  described,
  eventOf,
  kindFallback,
  propertiesAfter,
  propertiesIn,
  snapshotOf
} from "./EntityContents.ts"
import { EntityRules } from "./EntityRules.ts"
import { EntityStore } from "./EntityStore.ts"
import type { Facet } from "./Facet.ts"
import { Facets } from "./Facets.ts"
import { Namesakes } from "./Namesakes.ts"
import { type MatchedCandidate, signalsOf } from "./ResolveIdentity.ts"

/** Refused by the gate, put before a person, or not what its profile allows. */
export type EntityRefused = Forbidden | Proposed | Invalid | Conflict

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
    readonly create: (
      draft: EntityDraft
    ) => Effect.Effect<MadeEntity, EntityRefused | ProfileUnknown | EntityNotFound | EntityChanged | NotFound, Reach>
    readonly update: (
      id: string,
      change: EntityChange
    ) => Effect.Effect<Entity, EntityRefused | EntityNotFound | EntityChanged, Reach>
    readonly remove: (id: string) => Effect.Effect<void, EntityRefused | EntityNotFound | EntityChanged, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* EntityStore
      const gate = yield* GovernanceGate
      const matcher = yield* GrantMatcher
      const changer = yield* EntityChanger
      const facets = yield* Facets
      const namesakes = yield* Namesakes
      const rules = yield* EntityRules
      const profiles = yield* Profiles
      const { atomically } = yield* Transaction

      const update = (id: string, asked: EntityChange) =>
        Effect.gen(function* () {
          const { principal } = yield* Reach
          const placed = yield* store.place(id, "update")
          const {
            userId: _,
            version,
            reasoning,
            sessionId,
            deleteProperties,
            metadata: __,
            tags: ___,
            ...named
          } = asked
          const properties = yield* propertiesIn(asked)
          const { properties: ____, ...fields } = named
          const hasProperties = properties !== undefined || deleteProperties !== undefined
          const after = propertiesAfter(placed.entity, { properties, deleteProperties })
          const change: Change = {
            action: "update",
            ...described(placed, "update", principal.personId),
            targetType: "entity",
            targetId: id,
            content: { ...fields, ...(hasProperties ? { properties: after } : {}) },
            base: snapshotOf(placed.entity),
            reasoning,
            sessionId
          }
          yield* refusedFirst(change)
          if (hasProperties) {
            const { profileSlug, properties: before } = placed.entity
            yield* rules.changed(profileSlug, placed.spaceId, before, after, "asked")
          }
          yield* gate.pass(change)
          return yield* store.change(
            id,
            {
              ...fields,
              version,
              properties,
              deleteProperties,
              ...(hasProperties ? { signals: signalsOf(after) } : {})
            },
            eventOf("update", id, placed.entity.profileSlug, { fields: Object.keys(change.content) })
          )
        })

      /** Whoever may not write at all learns nothing of what would be wrong with it. */
      const refusedFirst = (change: Change) =>
        Effect.flatMap(Reach, ({ principal }) =>
          refusalOf(matcher, principal, change) === undefined ? Effect.void : gate.pass(change)
        )

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
          const before = yield* store.get(existing.entityId)
          const isMute = before.description === null && description !== undefined
          const words = isMute ? { description, preview: before.preview ?? previewOf({ description, preview }) } : {}
          const entity = yield* update(before.id, { properties, reasoning, sessionId, ...words })
          for (const role of roles ?? []) yield* facets.put(before.id, role, { reasoning, sessionId })
          return { entity, status: "updated" as const, existing }
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

      const createOnce = (draft: EntityDraft, kind: string, spaceId: string) =>
        Effect.gen(function* () {
          const { principal } = yield* Reach
          const { content: text, forceCreate, projectId, source, sourceMessageId, title } = draft
          const hasText = typeof text === "string" && text !== ""
          const roles = draft.facets?.map(
            ({ profileSlug, properties = {}, slug = profileSlug ?? "" }): Pick<Facet, "slug" | "properties"> => ({
              slug,
              properties
            })
          )
          const content: EntityContent = {
            profileSlug: kind,
            title,
            preview: previewOf(draft),
            description: draft.description ?? null,
            properties: (yield* propertiesIn(draft)) ?? {},
            ...(source === undefined ? {} : { source }),
            ...(sourceMessageId === undefined ? {} : { sourceMessageId }),
            ...(projectId === undefined ? {} : { projectId }),
            ...(hasText ? { content: text } : {}),
            ...(roles === undefined ? {} : { facets: roles }),
            ...(forceCreate === undefined ? {} : { forceCreate })
          }
          const object = {
            spaceId,
            isPersonal: spaceId === principal.personId,
            objectId: null,
            projectIds: projectId === undefined ? [] : [projectId]
          }
          const asked: Change = {
            subject: "entity",
            kind,
            action: "create",
            object,
            also: besides(principal.grant?.projectIds ?? [], { action: "create", content, object }),
            targetType: "entity",
            targetId: uuidv7(),
            content,
            base: null,
            summary: `Create ${kind} “${title}”`,
            reasoning: draft.reasoning,
            sessionId: draft.sessionId
          }
          yield* refusedFirst(asked)
          const { verdict } = yield* gate.judge(principal, asked)
          const held = yield* changer.held(asked, content, verdict === "propose" ? "proposed" : "asked")
          const { properties = {} } = held.content
          const existing = yield* namesakes.met({ kind, spaceId, title, properties, forceCreate })
          if (existing !== null) return yield* merged(existing, draft, content)
          yield* gate.pass({ ...asked, content: held.content })
          const added = changer.add(asked, held)
          const entity = yield* roles === undefined && !hasText ? added : atomically(added)
          return { entity, status: "created" as const, existing: null }
        })

      return {
        create: (draft) =>
          Effect.gen(function* () {
            const spaceId = draft.workspaceId ?? (yield* Reach).principal.personId
            const kind = yield* kindOf(draft, spaceId)
            const made = createOnce(draft, kind, spaceId)
            // What was remembered of the profile may have moved on: the store says so, and it is looked up again.
            return yield* Effect.catchTag(made, "ProfileUnknown", () =>
              Effect.zipRight(profiles.forget(kind, spaceId), made)
            )
          }),

        update,

        remove: (id) =>
          Effect.gen(function* () {
            const { principal } = yield* Reach
            const placed = yield* store.place(id, "delete")
            yield* gate.pass({
              action: "delete",
              ...described(placed, "delete", principal.personId),
              targetType: "entity",
              targetId: id,
              content: {},
              base: snapshotOf(placed.entity)
            })
            const { profileSlug, title } = placed.entity
            yield* store.remove(id, null, eventOf("delete", id, profileSlug, { title }))
          })
      }
    })
  )
}
