/** Describes, validates and writes changes of entities: direct changes, approved changes and reverts. */
import { Context, Effect, Layer } from "effect"
import { spaceOf, workspaceIdOf } from "../../doors/OwnSpace.ts"
import { type WriteRefusal, invalid } from "../../doors/Failure.ts"
import { Reach } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { type AppliedChange, type Changer, Changers, type CheckStage, type Writer, writerOf } from "../gate/Changers.ts"
import type { Passed } from "../gate/Passed.ts"
import { checkReferences } from "../gate/References.ts"
import { type Change, requestedContent, objectIn } from "../gate/Write.ts"
import { Profiles } from "../profiles/Profiles.ts"
import { Records } from "../records/Records.ts"
import type { Entity, EntityChanged, EntityContent, EntityNotFound, ProfileUnknown } from "./Entity.ts"
import {
  contentOf,
  eventOf,
  fixedFields,
  defaultKind,
  mentionsOf,
  hasParts,
  snapshotOf,
  titlesIn,
  storeFailures,
  additionalWrites
} from "./EntityContents.ts"
import { entityParts } from "./EntityParts.ts"
import { EntityRules } from "./EntityRules.ts"
import { EntityStore } from "./EntityStore.ts"
import { IdentityResolver } from "../identity/IdentityResolver.ts"
import { signalChange } from "../identity/ResolveIdentity.ts"
import { patchOf, propertiesIn } from "./EntityPatch.ts"

const verbs = { update: "Change", delete: "Delete" }

export class EntityChanger extends Context.Tag("pod/EntityChanger")<
  EntityChanger,
  {
    /**
     * Writes a change. Returns the entity after the write. For a delete, returns the entity as it was before the
     * delete.
     */
    readonly write: Writer<Entity>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* EntityStore
      const parts = entityParts(yield* Records)
      const changers = yield* Changers
      const identity = yield* IdentityResolver
      const rules = yield* EntityRules
      const profiles = yield* Profiles
      const { atomically } = yield* Transaction

      const current: Changer["current"] = (id, spaceId) =>
        store.get(id).pipe(
          Effect.map((entity) => (spaceId === null || spaceOf(entity) === spaceId ? snapshotOf(entity) : null)),
          Effect.catchTag("EntityNotFound", () => Effect.succeed(null))
        )

      const titles: Changer["titles"] = (ids, spaceId) => Effect.map(store.heads(ids), titlesIn(spaceId))
      const located = (id: string, action: "update" | "delete") =>
        Effect.mapError(store.locate(id, action), storeFailures.EntityNotFound)
      const unchanged = ({ targetId }: Change) => Effect.map(located(targetId, "update"), ({ entity }) => entity)

      const describe: Changer["describe"] = Effect.fnUntraced(function* (request) {
        const { personId } = (yield* Reach).principal
        const { action, spaceId: named, targetId } = request
        if (action === "create") {
          const json = requestedContent(request, null)
          const content = yield* contentOf(json)
          const { profileSlug: kind = defaultKind, projectId, title = "" } = content
          const also = additionalWrites(personId, named, action, content)
          return {
            kind,
            object: objectIn(personId, named, null, projectId === undefined ? [] : [projectId]),
            also,
            mentions: mentionsOf(also),
            content: json,
            base: null,
            summary: `Create ${kind} “${title}”`
          }
        }
        const { entity, projectIds, spaceId } = yield* located(targetId, action)
        const base = snapshotOf(entity)
        const content = requestedContent(request, base)
        const also = additionalWrites(personId, spaceId, action, yield* contentOf(content))
        return {
          kind: entity.profileSlug,
          object: objectIn(personId, spaceId, entity.id, projectIds),
          also,
          mentions: mentionsOf(also),
          content,
          base,
          summary: `${verbs[action]} ${entity.profileSlug} “${entity.title}”`
        }
      })

      /** Validates the properties and facets of a new entity against their profiles, and adds the defaults. */
      const validateCreate = Effect.fnUntraced(function* (change: Change, content: EntityContent, moment: CheckStage) {
        const { object } = change
        const of = { kind: change.kind ?? defaultKind, spaceId: object.spaceId }
        const { properties, schemaStamp } = yield* rules.validateNew(
          of.kind,
          of.spaceId,
          content.properties ?? {},
          moment
        )
        const { facets, projectId } = content
        if (projectId !== undefined) {
          const project = { path: "projectId", targetType: "project", id: projectId }
          yield* checkReferences(changers, [project], of.spaceId)
        }
        if (facets === undefined) return { content: { ...content, properties }, schemaStamp }
        const slugs = facets.map(({ slug }) => slug)
        if (new Set(slugs).size < slugs.length)
          return yield* invalid(
            "facets",
            "The list contains the same facet more than once. An entity can have each facet only once."
          )
        const validated = yield* Effect.forEach(facets, ({ properties: value, slug }) =>
          Effect.map(rules.validateFacet(slug, of, null, value, moment), (filled) => ({ slug, properties: filled }))
        )
        return { content: { ...content, properties, facets: validated }, schemaStamp }
      })

      const check: Changer["check"] = Effect.fnUntraced(
        function* (change, moment) {
          // A restore needs no content, because the row of the archived entity still has its content. A revert of a
          // create needs no content, because it only deletes the entity.
          if (moment === "restored" || (moment === "reverted" && change.action === "delete")) {
            return { content: change.content }
          }
          const content = yield* contentOf(change.content)
          if (change.action === "create") {
            if (content.title === undefined) return yield* invalid("title", "An entity needs a title. Send `title`.")
            const attempt = validateCreate(change, content, moment)
            // The cached profile might be outdated. So if the attempt fails with `ProfileUnknown`, the pod reads the
            // profile again and tries once more.
            return yield* Effect.catchTag(attempt, "ProfileUnknown", () =>
              Effect.zipRight(profiles.forget(change.kind ?? defaultKind, change.object.spaceId), attempt)
            )
          }
          const fixed = fixedFields.find((name) => content[name] !== undefined)
          // Only a create sets these fields. The pod checks this for requests and proposals, and does not repeat the
          // check for an approval or a revert.
          if (fixed !== undefined && moment !== "approved" && moment !== "reverted") {
            return yield* invalid(fixed, "This field can only be set when an entity is created. Leave this field out.")
          }
          if (content.properties !== undefined && change.kind !== null) {
            const before = propertiesIn(change.base?.fields)
            yield* rules.validateChange(change.kind, change.object.spaceId, before, content.properties, moment)
          }
          return { content: change.content }
        },
        Effect.catchTag("ProfileUnknown", (refusal) => storeFailures.ProfileUnknown(refusal))
      )

      const add = Effect.fnUntraced(function* (
        change: AppliedChange,
        content: EntityContent,
        schemaStamp: number | null,
        passed: Passed
      ) {
        const { object, targetId: id } = change
        const kind = change.kind ?? defaultKind
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
          }),
          passed
        )
        if (hasParts(content)) yield* parts.begin(entity, spaceId, content, passed.forOthers)
        return entity
      })

      /** Creates the entity. If the entity has facets or a text, runs several statements in one transaction. */
      const create = Effect.fnUntraced(function* (change: AppliedChange, passed: Passed) {
        const content = yield* contentOf(change.content)
        const isSeveral = hasParts(content)
        const kind = change.kind ?? defaultKind
        const { spaceId } = change.object
        const { forceCreate, properties = {}, title = "" } = content
        const attempt = (checked: EntityContent, schemaStamp: number | null) => {
          const added = add(change, checked, schemaStamp, passed)
          return identity.ifAlone(
            { kind, spaceId, title, properties, forceCreate },
            isSeveral ? atomically(added) : added
          )
        }
        return yield* Effect.catchTag(attempt(content, change.schemaStamp ?? null), "ProfileUnknown", () =>
          Effect.gen(function* () {
            yield* profiles.forget(kind, spaceId)
            const validated = yield* validateCreate({ ...change, action: "create" }, content, "asked")
            return yield* attempt(validated.content, validated.schemaStamp)
          })
        )
      })

      const update = Effect.fnUntraced(function* (
        { base, content: json, expectedVersion, kind, targetId }: AppliedChange,
        passed: Passed
      ) {
        const content: EntityContent = yield* contentOf(json)
        const { description, preview, properties: after, title } = content
        const before = propertiesIn(base?.fields)
        const patch = after === undefined ? {} : patchOf(before, after)
        return yield* store.change(
          targetId,
          {
            title,
            description,
            preview,
            ...patch,
            ...(after === undefined ? {} : { signals: signalChange(before, after) }),
            ...(expectedVersion === null ? {} : { version: expectedVersion })
          },
          eventOf("update", targetId, kind, { fields: Object.keys(content) }),
          passed
        )
      })

      const removeEntity = Effect.fnUntraced(function* (change: AppliedChange, passed: Passed) {
        const { base, content, expectedVersion, kind, targetId } = change
        const { title } = base?.fields ?? {}
        if (content["content"] !== undefined) yield* parts.takeBack(yield* store.get(targetId), passed.forOthers)
        return yield* store.remove(targetId, expectedVersion, eventOf("delete", targetId, kind, { title }), passed)
      })

      const applied = (
        change: AppliedChange,
        passed: Passed
      ): Effect.Effect<Entity, WriteRefusal | EntityNotFound | EntityChanged | ProfileUnknown, Reach> => {
        const { action, kind, targetId } = change
        switch (action) {
          case "create":
            return create(change, passed)
          case "update":
            return update(change, passed)
          case "delete":
            return removeEntity(change, passed)
          case "restore":
            return store.restore(targetId, eventOf("restore", targetId, kind, {}), passed)
        }
      }

      const apply = (change: AppliedChange, passed: Passed): Effect.Effect<Entity, WriteRefusal, Reach> =>
        Effect.catchTags(applied(change, passed), {
          EntityNotFound: () => Effect.fail(storeFailures.EntityNotFound()),
          EntityChanged: (refusal) => Effect.fail(storeFailures.EntityChanged(refusal)),
          ProfileUnknown: (refusal) => Effect.fail(storeFailures.ProfileUnknown(refusal))
        })

      const overview: Changer["overview"] = {
        counts: Effect.gen(function* () {
          const { principal } = yield* Reach
          const counted = yield* store.countByKind({ spaces: null })
          return counted.map(({ count, kind, spaceId }) => ({
            kind,
            workspaceId: workspaceIdOf(spaceId, principal.personId),
            count
          }))
        }),
        samples: (limit) =>
          Effect.map(
            store.list({ kind: undefined, projectId: undefined, search: undefined, limit, offset: 0 }, null),
            ({ items }) =>
              items.map(({ id, profileSlug, title, workspaceId }) => ({ id, title, kind: profileSlug, workspaceId }))
          )
      }

      /**
       * Checks a create that a person approves. Fails with Conflict if the entity now has a duplicate, because an
       * approved create must not become a change of another entity.
       */
      const checkApproved = Effect.fnUntraced(function* (change: Change) {
        const checked = yield* check(change, "approved")
        const { forceCreate, properties = {}, title = "" } = checked.content as EntityContent
        const kind = change.kind ?? defaultKind
        yield* identity.refuseDuplicate({ kind, spaceId: change.object.spaceId, title, properties, forceCreate })
        return checked
      })

      const approvable: Changer["check"] = (change, moment) =>
        change.action === "create" && moment === "approved" ? checkApproved(change) : check(change, moment)

      const changer = { current, titles, describe, check: approvable, apply, unchanged, overview }
      return { write: yield* writerOf("entity", { traits: { subject: "entity" }, ...changer }) }
    })
  )
}
