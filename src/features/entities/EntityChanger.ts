/** Applies changes of entities: the one way in which they are written, whether direct or approved. */
import { Context, Effect, Layer } from "effect"
import { Conflict, type Invalid, invalid, NotFound } from "../../doors/Failure.ts"
import { aside, Reach } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { Document } from "../documents/Document.ts"
import { type AppliedChange, type Changer, Changers } from "../governance/Changers.ts"
import type { Change } from "../governance/Write.ts"
import { Records } from "../records/Records.ts"
import { type Entity, type EntityContent, type ProfileUnknown } from "./Entity.ts"
import { besides, contentOf, described, eventOf, kindFallback, snapshotOf, storeRefusals } from "./EntityContents.ts"
import { EntityRules, type Moment } from "./EntityRules.ts"
import { EntityStore } from "./EntityStore.ts"
import { Facets } from "./Facets.ts"
import { Namesakes } from "./Namesakes.ts"
import { signalsOf } from "./ResolveIdentity.ts"

type Target = Pick<Change, "targetId" | "object" | "kind">

interface Text {
  readonly id: string
  readonly spaceId: string
  readonly entityId: string
  readonly title: string
  readonly text: string
}

export interface HeldContent {
  readonly content: EntityContent
  /** Of the schema that it was held to. */
  readonly schemaStamp: number | null
}

export class EntityChanger extends Context.Tag("pod/EntityChanger")<
  EntityChanger,
  {
    /** The content of a create as it may be written: properties and roles held to their profiles, with their defaults. */
    readonly held: (
      change: Pick<Target, "object" | "kind">,
      content: EntityContent,
      moment: Moment
    ) => Effect.Effect<HeldContent, Invalid | ProfileUnknown, Reach>
    /**
     * Adds the entity with its roles and its document. With those it is several statements: make them one transaction.
     * Fails as for an unknown profile also where the schema moved on meanwhile.
     */
    readonly add: (change: Target, held: HeldContent) => Effect.Effect<Entity, ProfileUnknown, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* EntityStore
      const records = yield* Records
      const changers = yield* Changers
      const facets = yield* Facets
      const namesakes = yield* Namesakes
      const rules = yield* EntityRules

      const held = ({ kind, object }: Pick<Target, "object" | "kind">, content: EntityContent, moment: Moment) =>
        Effect.gen(function* () {
          const of = { kind: kind ?? kindFallback, spaceId: object.spaceId }
          const asked = content.properties ?? {}
          const { properties, schemaStamp } = yield* rules.created(of.kind, of.spaceId, asked, moment)
          if (content.facets === undefined) return { content: { ...content, properties }, schemaStamp }
          const slugs = content.facets.map(({ slug }) => slug)
          if (new Set(slugs).size < slugs.length) return yield* invalid("facets", "An entity plays a role once.")
          const played = yield* Effect.forEach(content.facets, ({ properties: said, slug }) =>
            Effect.map(rules.played(slug, of, null, said, moment), (filled) => ({ slug, properties: filled }))
          )
          return { content: { ...content, properties, facets: played }, schemaStamp }
        })

      const add = (change: Target, { content, schemaStamp }: HeldContent) =>
        Effect.gen(function* () {
          const { object, targetId: id } = change
          const kind = change.kind ?? kindFallback
          const { description = null, preview = null, projectId, properties = {}, title = "" } = content
          const { source, sourceMessageId } = content
          const { spaceId } = object
          const documentId = content.content === undefined ? null : uuidv7()
          const entity = yield* store.add(
            { id, spaceId, kind, title, preview, description, properties, projectId, documentId, schemaStamp },
            eventOf("create", id, kind, {
              title,
              ...(source === undefined ? {} : { source }),
              ...(sourceMessageId === undefined ? {} : { sourceMessageId })
            })
          )
          yield* facets.begin({ id, spaceId }, content.facets ?? [])
          if (documentId !== null)
            yield* begun({ id: documentId, spaceId, entityId: id, title, text: content.content! })
          return entity
        })

      /** The document with the text of an entity that was just made, under the gate's word on both. */
      const begun = ({ entityId, id, spaceId, text, title }: Text) => {
        const fields = { title, type: "markdown" as const, entityId, projectId: null, content: text }
        const event = { type: "document.create", subjectId: id, data: { type: "document", title, entityId } }
        return records.add(Document, { id, spaceId, fields }, event)
      }

      /** Takes back the document that came with an entity, as it was written; somebody's edit of it stands. */
      const unmade = (entity: Entity) =>
        Effect.gen(function* () {
          const { documentId, id, title } = entity
          if (documentId === null) return
          const event = {
            type: "document.delete",
            subjectId: documentId,
            data: { type: "document", title, entityId: id }
          }
          yield* records.remove(Document, documentId, 1, event)
        }).pipe(
          Effect.catchTags({
            RecordNotFound: () => Effect.void,
            RecordChanged: () =>
              Effect.fail(
                new Conflict({
                  code: "REVERT_CONFLICT",
                  why: "Its document was edited since; taking it back would lose that."
                })
              )
          })
        )

      const newcomer = ({ kind, object }: Target, { forceCreate, properties = {}, title = "" }: EntityContent) => ({
        kind: kind ?? kindFallback,
        spaceId: object.spaceId,
        title,
        properties,
        forceCreate
      })

      /** Properties as they will be against what they are now; nothing is held that is not there any more. */
      const heldUpdate = ({ object, targetId }: Target, { properties: after }: EntityContent, moment: Moment) =>
        after === undefined
          ? Effect.void
          : Effect.flatMap(Effect.option(store.get(targetId)), (found) =>
              found._tag === "None"
                ? Effect.void
                : rules.changed(found.value.profileSlug, object.spaceId, found.value.properties, after, moment)
            )

      /** Applies what was approved. The record is read once more: properties that went have to be named. */
      const apply = (change: AppliedChange) =>
        Effect.gen(function* () {
          const { action, expectedVersion, kind, targetId } = change
          const content = yield* contentOf(change.content)
          switch (action) {
            case "create": {
              const whole = yield* held(change, content, "approved")
              yield* namesakes.unmet(newcomer(change, whole.content))
              return snapshotOf(yield* add(change, whole))
            }
            case "update": {
              yield* heldUpdate(change, content, "approved")
              const { properties } = yield* store.get(targetId)
              const { description, preview, properties: after, title } = content
              const gone = after === undefined ? [] : Object.keys(properties).filter((name) => !(name in after))
              const fields = Object.keys(content)
              return snapshotOf(
                yield* store.change(
                  targetId,
                  {
                    title,
                    description,
                    preview,
                    properties: after,
                    deleteProperties: gone,
                    ...(after === undefined ? {} : { signals: signalsOf(after) }),
                    ...(expectedVersion === null ? {} : { version: expectedVersion })
                  },
                  eventOf("update", targetId, kind, { fields })
                )
              )
            }
            case "delete":
              // Only what takes a create back names what was made.
              if (content.content !== undefined) yield* unmade(yield* store.get(targetId))
              yield* store.remove(targetId, expectedVersion, eventOf("delete", targetId, kind, {}))
              return null
            case "restore":
              return snapshotOf(yield* store.restore(targetId, eventOf("restore", targetId, kind, {})))
          }
        }).pipe(
          Effect.catchTags({
            EntityNotFound: () => Effect.fail(storeRefusals.EntityNotFound()),
            EntityChanged: (refusal) => Effect.fail(storeRefusals.EntityChanged(refusal)),
            ProfileUnknown: (refusal) => Effect.fail(storeRefusals.ProfileUnknown(refusal))
          })
        )

      const check = (change: Change): Effect.Effect<void, Invalid | Conflict, Reach> =>
        Effect.gen(function* () {
          const content = yield* contentOf(change.content)
          if (change.action === "create") {
            if (content.title === undefined) return yield* invalid("title", "An entity needs a title.")
            yield* held(change, content, "proposed")
            return
          }
          for (const name of ["profileSlug", "projectId", "content", "facets", "forceCreate"] as const) {
            if (content[name] !== undefined) return yield* invalid(name, "It is said where an entity is made.")
          }
          yield* heldUpdate(change, content, "asked")
        }).pipe(Effect.catchTag("ProfileUnknown", (refusal) => storeRefusals.ProfileUnknown(refusal)))

      const overview: Changer["overview"] = (most) =>
        Effect.gen(function* () {
          const { principal } = yield* Reach
          const all = { kind: undefined, projectId: undefined, search: undefined, limit: most, offset: 0 }
          const samples = yield* aside(store.list(all, null))
          const counts = yield* store.tally
          return {
            counts: counts.map(({ count, kind, spaceId }) => ({
              kind,
              workspaceId: spaceId === principal.personId ? null : spaceId,
              count
            })),
            samples: samples.map(({ id, profileSlug, title, workspaceId }) => ({
              id,
              title,
              kind: profileSlug,
              workspaceId
            }))
          }
        })

      yield* changers.register("entity", {
        current: (id) =>
          store.get(id).pipe(
            Effect.map(snapshotOf),
            Effect.catchTag("EntityNotFound", () => Effect.succeed(null))
          ),
        apply,
        check,
        overview,
        also: (change) => besides([], change),
        describe: (action, targetId, content, named) =>
          Effect.gen(function* () {
            const { principal } = yield* Reach
            if (action === "create") {
              const { profileSlug: kind = kindFallback, title = "" } = yield* contentOf(content)
              const isPersonal = named === principal.personId
              const object = { spaceId: named, isPersonal, objectId: null, projectIds: [] }
              return { subject: "entity" as const, kind, object, summary: `Create ${kind} “${title}”` }
            }
            const placed = yield* Effect.catchTag(store.place(targetId, action), "EntityNotFound", () =>
              Effect.fail(new NotFound({ why: "There is no such entity." }))
            )
            return described(placed, action, principal.personId)
          })
      })

      return { held, add }
    })
  )
}
