/**
 * The service of facets. For every write, the gate decides whether it is allowed, refused or proposed. Only a caller
 * who may read an entity can read its facets.
 */
import { Context, Effect, Layer } from "effect"
import { missingRecord } from "../../doors/MissingRecord.ts"
import { Conflict, invalid, NotFound, isVersionConflict } from "../../doors/Failure.ts"
import { Reach } from "../../doors/Reach.ts"
import { isUuid } from "../../platform/Ids.ts"
import { objectIn } from "../gate/Write.ts"
import type { Deleted, WriteDetails } from "../gate/Changers.ts"
import { governedRecords } from "../records/GovernedRecords.ts"
import { alreadyExistsCode } from "../records/RecordWrites.ts"
import type { GovernedOptions, WriteFailure } from "../records/RecordOperations.ts"
import { Records } from "../records/Records.ts"
import { Facet } from "./Facet.ts"
import { FacetBearers } from "./FacetBearers.ts"

const facetsMax = 200 // the maximum number of facets of one entity that a list contains

const facetNotFound = new NotFound({
  why: "The entity does not have this facet, or this credential may not read the facet."
})

/** The refusal for the second of two simultaneous requests that give the same facet to one entity. */
const facetTaken = new Conflict({
  code: "FACET_TAKEN",
  why: "Another call gave this facet to the entity at the same moment. Send the request again to change the facet."
})

export class Facets extends Context.Tag("pod/Facets")<
  Facets,
  {
    /** Lists the facets of an entity. The caller must be able to read the entity and its facets. */
    readonly list: (entityId: string) => Effect.Effect<ReadonlyArray<Facet>, NotFound, Reach>
    /**
     * Gives an entity a facet, or changes the properties of a facet that the entity has. The caller needs the
     * permissions to write and to read facets, and the permission to update the entity. Fails with Invalid if entities
     * of this kind cannot have the facet.
     */
    readonly put: (
      entityId: string,
      facet: { readonly slug: string; readonly properties: Readonly<Record<string, unknown>> },
      details: WriteDetails
    ) => Effect.Effect<Facet, WriteFailure, Reach>
    readonly remove: (entityId: string, slug: string) => Effect.Effect<Deleted, WriteFailure, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const records = yield* Records
      const bearers = yield* FacetBearers

      const current = (entityId: string, slug: string) =>
        Effect.map(records.list(Facet, { where: { entityId, slug }, limit: 1 }), ({ items: [facet] }) => facet)

      /** Checks the properties of a facet against its profile before the pod writes the facet. */
      const check: GovernedOptions<Facet>["check"] = Effect.fnUntraced(function* (
        fields,
        { action, moment, object, targetId }
      ) {
        if (action === "delete") return undefined
        const before =
          action === "create"
            ? null
            : yield* Effect.catchTag(records.get(Facet, targetId), "RecordNotFound", () => Effect.fail(facetNotFound))
        const { entityId, properties = {}, slug } = { ...before, ...fields }
        if (entityId === undefined || slug === undefined)
          return yield* invalid("slug", "Send the slug of the facet in `slug`.")
        if (before !== null && (before.entityId !== entityId || before.slug !== slug)) {
          return yield* invalid("slug", "A facet always keeps its entity and its slug. Add another facet instead.")
        }
        const bearer = yield* bearers.locate(entityId)
        if (bearer.spaceId !== object.spaceId) return yield* missingRecord("entity")
        return {
          properties: yield* bearers.validateFacet(slug, bearer, before?.properties ?? null, properties, moment)
        }
      })

      /**
       * Returns the further writes that belong to a write of a facet. Such a write also updates the entity that has the
       * facet, so the gate also decides about this update. If the write becomes a proposal, the proposal shows the
       * entity. Whether a request adds or changes a facet depends on the facets that the entity has. So a caller who may
       * not read facets can do neither, and does not learn which facets there are.
       */
      const otherRecords: GovernedOptions<Facet>["otherRecords"] = Effect.fnUntraced(function* (fields, { action }) {
        const { personId } = (yield* Reach).principal
        const entityId = fields["entityId"]
        // A proposal can contain any value here. The check of the change refuses a value that is not an id.
        if (typeof entityId !== "string" || !isUuid(entityId)) return {}
        const { id, kind, projectIds, spaceId } = yield* bearers.locate(entityId)
        const of = { subject: "entity" as const, kind }
        const object = objectIn(personId, spaceId, id, projectIds)
        return {
          showsRecord: action !== "delete",
          also: [{ ...of, action: "update" as const, object }],
          mentions: [{ ...of, objectId: id }]
        }
      })

      const facets = yield* governedRecords(Facet, { otherRecords, check })

      return {
        list: (entityId) =>
          Effect.zipRight(
            bearers.checkReadable(entityId),
            Effect.map(records.list(Facet, { where: { entityId }, limit: facetsMax }), ({ items }) => items)
          ),
        put: (entityId, { properties, slug }, details) =>
          Effect.gen(function* () {
            const of = yield* bearers.locate(entityId)
            const facet = yield* current(entityId, slug)
            const after = { ...facet?.properties, ...properties }
            if (facet !== undefined) {
              const expectedVersion = details.expectedVersion ?? facet.version
              return yield* facets.update(facet.id, { properties: after }, { ...details, expectedVersion })
            }
            return yield* facets
              .create({ workspaceId: of.spaceId, fields: { entityId, slug, properties: after }, ...details })
              .pipe(
                Effect.catchTag("Conflict", (conflict) =>
                  Effect.fail(conflict.code === alreadyExistsCode ? facetTaken : conflict)
                )
              )
          }).pipe(
            // The write merges the properties key by key. If somebody else has changed the facet in the meantime, the
            // pod tries the write again, so that both changes stay.
            Effect.retry({
              times: 3,
              while: (failure) => isVersionConflict(failure) && details.expectedVersion === undefined
            })
          ),
        remove: Effect.fnUntraced(function* (entityId, slug) {
          yield* bearers.locate(entityId)
          const facet = yield* current(entityId, slug)
          return facet === undefined ? yield* facetNotFound : yield* facets.remove(facet.id)
        })
      }
    })
  )
}
