/**
 * Validates the properties of an entity and of its facets. The rules come from the profiles in the space of the entity.
 */
import { Context, Effect, Layer } from "effect"
import { isDeepStrictEqual } from "node:util"
import { type Fault, Invalid, invalid } from "../../doors/Failure.ts"
import { fitsOneField, oneFieldMessage } from "../../doors/Fields.ts"
import { Reach } from "../../doors/Reach.ts"
import type { CheckStage } from "../gate/Changers.ts"
import { Profiles, type ProfileSchema } from "../profiles/Profiles.ts"
import { type Fields, validateProperties } from "../profiles/PropertyRules.ts"
import type { PropertyDefinition } from "../profiles/PropertyValue.ts"
import { type EntityHead, ProfileUnknown } from "./Entity.ts"
import { EntityStore } from "./EntityStore.ts"

// the maximum number of entities to which the properties of one write can refer
const namedMax = 100

/** Returns the properties that differ between two states of an entity. The value of a removed property is null. */
const changedIn = (before: Fields, after: Fields): Fields =>
  Object.fromEntries(
    [...new Set([...Object.keys(before), ...Object.keys(after)])]
      .filter((name) => !isDeepStrictEqual(before[name], after[name]))
      .map((name) => [name, after[name] ?? null])
  )

/**
 * Limits the size of all properties together. Without this check, many small changes could together exceed the limit.
 */
const checkSize = (properties: Fields): Effect.Effect<void, Invalid> =>
  fitsOneField(properties) ? Effect.void : Effect.fail(invalid("properties", oneFieldMessage))

const isReference = (type: unknown) => type === "relation" || type === "entity_id"

/**
 * Returns the ids of the entities to which the value of a property refers, in lower case. Returns no ids if the property
 * is not a reference or a list of references.
 */
const namedBy = ({ constraints, type }: PropertyDefinition, value: unknown): ReadonlyArray<string> =>
  isReference(type) && typeof value === "string"
    ? [value.toLowerCase()]
    : type === "array" && isReference(constraints["itemType"]) && Array.isArray(value)
      ? value.flatMap((one) => (typeof one === "string" ? [one.toLowerCase()] : []))
      : []

/**
 * The properties of a new entity with their defaults, and the stamp (the version) of the schema that validated these
 * properties.
 */
interface ValidNewcomer {
  readonly properties: Fields
  readonly schemaStamp: number | null
}

export class EntityRules extends Context.Tag("pod/EntityRules")<
  EntityRules,
  {
    /**
     * Validates the properties of a new entity and adds the defaults. The cached schema might be outdated. So the store
     * later compares the returned `schemaStamp` with the current schema.
     */
    readonly validateNew: (
      kind: string,
      spaceId: string,
      properties: Fields,
      moment: CheckStage
    ) => Effect.Effect<ValidNewcomer, Invalid | ProfileUnknown, Reach>
    /**
     * Validates only the properties that change. If the pod finds no profile of this kind, checks only the size of all
     * properties.
     */
    readonly validateChange: (
      kind: string,
      spaceId: string,
      before: Fields,
      after: Fields,
      moment: CheckStage
    ) => Effect.Effect<void, Invalid, Reach>
    /**
     * Validates the properties of a facet for an entity of the given kind. If `before` is null, the facet is new and
     * gets its defaults.
     */
    readonly validateFacet: (
      slug: string,
      by: { readonly kind: string; readonly spaceId: string },
      before: Fields | null,
      after: Fields,
      moment: CheckStage
    ) => Effect.Effect<Fields, Invalid, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const profiles = yield* Profiles
      const store = yield* EntityStore

      const referenceFault = ({ targetProfileSlug }: PropertyDefinition, target: EntityHead | undefined) => {
        if (target === undefined) return "must be the id of an entity that you may read"
        return targetProfileSlug === null || targetProfileSlug === target.profileSlug
          ? null
          : `must be the id of an entity of the kind ${targetProfileSlug}`
      }

      /** Fails unless the caller may read each entity that the properties refer to. */
      const checkReferred = Effect.fnUntraced(function* (
        named: ReadonlyArray<{ readonly definition: PropertyDefinition; readonly id: string }>
      ) {
        if (named.length > namedMax) {
          return yield* invalid(
            "properties",
            `The properties refer to more than ${namedMax} entities. Send them in several writes.`
          )
        }
        const found = yield* store.heads(named.map(({ id }) => id))
        const byId = new Map(found.map((entity) => [entity.id, entity]))
        const faults = named.flatMap(({ definition, id }): ReadonlyArray<Fault> => {
          const message = referenceFault(definition, byId.get(id))
          return message === null ? [] : [{ path: `properties.${definition.slug}`, message }]
        })
        if (faults.length > 0) return yield* new Invalid({ faults })
      })

      const validate = (
        schema: ProfileSchema,
        properties: Fields,
        phase: "create" | "update",
        moment: CheckStage
      ): Effect.Effect<Fields, Invalid, Reach> => {
        const checked = validateProperties(schema.definitions, properties, phase)
        if (checked.faults.length > 0) return Effect.fail(new Invalid({ faults: checked.faults }))
        const valid = Effect.succeed(checked.properties)
        if (moment === "approved" || moment === "reverted") return valid
        const named = schema.definitions.flatMap((definition) =>
          namedBy(definition, checked.properties[definition.slug]).map((id) => ({ definition, id }))
        )
        return named.length === 0 ? valid : Effect.zipRight(checkReferred(named), valid)
      }

      const validateWithDefaults = (schema: ProfileSchema, properties: Fields, moment: CheckStage) =>
        validate(schema, { ...schema.defaultValues, ...properties }, "create", moment)

      const validateByProfile = (kind: string, spaceId: string, properties: Fields, moment: CheckStage) =>
        Effect.flatMap(
          profiles.cachedSchemaFor(kind, spaceId),
          (schema): Effect.Effect<ValidNewcomer, Invalid | ProfileUnknown, Reach> =>
            schema?.profileKind === "kind"
              ? Effect.map(validateWithDefaults(schema, properties, moment), (checked) => ({
                  properties: checked,
                  schemaStamp: schema.stamp
                }))
              : Effect.fail(new ProfileUnknown({ slug: kind }))
        )

      return {
        validateNew: (kind, spaceId, properties, moment) => {
          const attempt = validateByProfile(kind, spaceId, properties, moment)
          const anew = () => Effect.zipRight(profiles.forget(kind, spaceId), attempt)
          // If validation accepts the write, the statement of the write checks that the schema is still current. If
          // validation refuses the write, there is no such statement. So before a refusal, the pod validates again with
          // a fresh schema.
          return moment === "asked" ? Effect.catchTag(attempt, "Invalid", anew) : anew()
        },
        validateChange: Effect.fnUntraced(function* (kind, spaceId, before, after, moment) {
          const changes = changedIn(before, after)
          if (Object.keys(changes).length === 0) return
          yield* checkSize(after)
          const schema = yield* profiles.schemaFor(kind, spaceId)
          if (schema !== null) yield* validate(schema, changes, "update", moment)
        }),
        validateFacet: Effect.fnUntraced(function* (slug, { kind, spaceId }, before, after, moment) {
          const schema = yield* profiles.schemaFor(slug, spaceId)
          if (schema?.profileKind !== "role")
            return yield* invalid(
              "slug",
              `There is no facet with the slug ${slug} in this space. \`GET /api/hub/profiles?profileKind=role\` lists the facets.`
            )
          if (!schema.applicableKinds.includes(kind)) {
            const kinds = schema.applicableKinds.join(", ")
            return yield* invalid(
              "slug",
              `An entity of this kind cannot have the facet ${slug}. These kinds can: ${kinds}.`
            )
          }
          yield* checkSize(after)
          if (before === null) return yield* validateWithDefaults(schema, after, moment)
          yield* validate(schema, changedIn(before, after), "update", moment)
          return after
        })
      }
    })
  )
}
