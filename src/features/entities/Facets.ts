/** Facets: the roles that entities play, written behind the gate and read with their entity. */
import { Context, Effect, Layer, Option } from "effect"
import { Conflict, type Invalid, invalid, NotFound } from "../../doors/Failure.ts"
import { Reach } from "../../doors/Reach.ts"
import { isUniqueViolation } from "../../platform/Database.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { GovernanceGate, refusalFor } from "../governance/GovernanceGate.ts"
import type { Change, GatedWrite } from "../governance/Write.ts"
import { type Circumstances, governing, type WriteFailure } from "../records/GovernedRecords.ts"
import { Records } from "../records/Records.ts"
import type { Own } from "../records/RecordType.ts"
import { EntityRules } from "./EntityRules.ts"
import { EntityStore, type PlacedEntity } from "./EntityStore.ts"
import { Facet } from "./Facet.ts"

const rolesMost = 200 // of one entity

const absent = new NotFound({ why: "There is no such entity." })
const unplayed = new NotFound({ why: "The entity does not play this role." })

/** Two requests gave one entity the same role at once: the database keeps the first. */
const isPlayedAlready = (defect: unknown) =>
  isUniqueViolation(defect)
    ? Option.some(new Conflict({ code: "FACET_TAKEN", why: "The entity plays this role by now. Send it once more." }))
    : Option.none()

export class Facets extends Context.Tag("pod/Facets")<
  Facets,
  {
    /** Those the caller reads, of an entity that the caller reads. */
    readonly list: (entityId: string) => Effect.Effect<ReadonlyArray<Facet>, NotFound, Reach>
    /**
     * Gives an entity a role, or changes what is said of it in the role. Beside the permission for the facet it takes
     * that to change the entity. Fails with Invalid for a role that entities of this kind do not play.
     */
    readonly put: (
      entityId: string,
      facet: { readonly slug: string; readonly properties: Readonly<Record<string, unknown>> },
      said: Circumstances
    ) => Effect.Effect<Facet, WriteFailure, Reach>
    readonly remove: (entityId: string, slug: string) => Effect.Effect<Facet, WriteFailure, Reach>
    /** Adds the roles of an entity that was just made, under the gate's word on both. */
    readonly begin: (
      entity: { readonly id: string; readonly spaceId: string },
      facets: ReadonlyArray<Pick<Facet, "slug" | "properties">>
    ) => Effect.Effect<void, never, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const records = yield* Records
      const rules = yield* EntityRules
      const store = yield* EntityStore
      const gate = yield* GovernanceGate

      const placed = (entityId: string) =>
        Effect.catchTag(store.place(entityId, "update"), "EntityNotFound", () => Effect.fail(absent))

      const current = (entityId: string, slug: string) =>
        Effect.map(records.list(Facet, { where: { entityId, slug }, limit: 1 }), ({ items: [facet] }) => facet)

      /** What must hold of a facet before it is written, directly or by an approval. */
      const check = (
        fields: Partial<Own<Facet>>,
        { action, object, targetId }: Pick<Change, "action" | "targetId" | "object">
      ): Effect.Effect<void, Invalid | NotFound, Reach> =>
        Effect.gen(function* () {
          if (action === "delete") return
          const before =
            action === "create"
              ? null
              : yield* Effect.catchTag(records.get(Facet, targetId), "RecordNotFound", () => Effect.fail(unplayed))
          const { entityId, properties = {}, slug } = { ...before, ...fields }
          if (entityId === undefined || slug === undefined) return yield* invalid("slug", "Name the role.")
          if (before !== null && (before.entityId !== entityId || before.slug !== slug)) {
            return yield* invalid("slug", "A facet stays with its entity and its role. Add another one instead.")
          }
          const { entity, spaceId } = yield* placed(entityId)
          if (spaceId !== object.spaceId) return yield* absent
          const by = { kind: entity.profileSlug, spaceId }
          yield* rules.played(slug, by, before?.properties ?? null, properties, "approved")
        })

      const facets = yield* governing(Facet, { check })

      /** Refused where the caller may not change the entity itself. */
      const mayChange = ({ entity, projectIds, spaceId }: PlacedEntity) =>
        Effect.gen(function* () {
          const { principal } = yield* Reach
          const object = { spaceId, isPersonal: spaceId === principal.personId, objectId: entity.id, projectIds }
          const write: GatedWrite = { subject: "entity", kind: entity.profileSlug, action: "update", object }
          const verdict = yield* gate.judge(principal, write)
          if (verdict.verdict === "deny") return yield* refusalFor(principal, write, verdict)
        })

      return {
        list: (entityId) =>
          Effect.zipRight(
            Effect.catchTag(store.get(entityId), "EntityNotFound", () => Effect.fail(absent)),
            Effect.map(records.list(Facet, { where: { entityId }, limit: rolesMost }), ({ items }) => items)
          ),
        put: (entityId, { properties, slug }, said) =>
          Effect.gen(function* () {
            const of = yield* placed(entityId)
            yield* mayChange(of)
            const facet = yield* current(entityId, slug)
            const by = { kind: of.entity.profileSlug, spaceId: of.spaceId }
            const after = { ...facet?.properties, ...properties }
            const held = yield* rules.played(slug, by, facet?.properties ?? null, after, "asked")
            if (facet !== undefined) return yield* facets.update(facet.id, { properties: held }, said)
            return yield* facets
              .create({ workspaceId: of.spaceId, fields: { entityId, slug, properties: held }, ...said })
              .pipe(Effect.catchSomeDefect((defect) => Option.map(isPlayedAlready(defect), Effect.fail)))
          }),
        remove: (entityId, slug) =>
          Effect.gen(function* () {
            yield* mayChange(yield* placed(entityId))
            const facet = yield* current(entityId, slug)
            return facet === undefined ? yield* unplayed : yield* facets.remove(facet.id)
          }),
        begin: ({ id, spaceId }, begun) =>
          Effect.forEach(
            begun,
            ({ properties, slug }) => {
              const facetId = uuidv7()
              const data = { type: "facet", title: slug, entityId: id }
              return records.add(
                Facet,
                { id: facetId, spaceId, fields: { entityId: id, slug, properties } },
                { type: "facet.create", subjectId: facetId, data }
              )
            },
            { discard: true }
          )
      }
    })
  )
}
