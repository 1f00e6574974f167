/** What the profile of an entity, and of a role it plays, say of its properties in the space it lives in. */
import { Context, Effect, Layer } from "effect"
import { isDeepStrictEqual } from "node:util"
import { type Fault, Invalid, invalid } from "../../doors/Failure.ts"
import { isOneField, oneField } from "../../doors/Fields.ts"
import { Reach } from "../../doors/Reach.ts"
import { Profiles, type ProfileSchema } from "../profiles/Profiles.ts"
import { type Fields, type PropertyDefinition, validateProperties } from "../profiles/PropertyRules.ts"
import { ProfileUnknown } from "./Entity.ts"
import { EntityStore } from "./EntityStore.ts"

const namedMost = 100 // entities that the properties of one write may name; each is looked up

/**
 * When it is asked. What a property names must be there to be read for whoever `asks`; at an approval only the space of
 * the change is in reach, and it was looked up when it was asked for. What is `proposed` no statement compares with the
 * schema that there is, and an approval is not made twice: for both it is looked up anew.
 */
export type Moment = "asked" | "proposed" | "approved"

/** The properties that are not what they were; one that went is null. */
const changedIn = (before: Fields, after: Fields): Fields =>
  Object.fromEntries(
    [...new Set([...Object.keys(before), ...Object.keys(after)])]
      .filter((name) => !isDeepStrictEqual(before[name], after[name]))
      .map((name) => [name, after[name] ?? null])
  )

/** What many small changes made together is bounded as what one of them writes. */
const bounded = (properties: Fields): Effect.Effect<void, Invalid> =>
  isOneField(properties) ? Effect.void : Effect.fail(invalid("properties", oneField))

const leads = (type: unknown) => type === "relation" || type === "entity_id"

/** The entities that a value names, where its definition says that it names any. */
const namedBy = ({ constraints, type }: PropertyDefinition, value: unknown): ReadonlyArray<string> =>
  leads(type) && typeof value === "string"
    ? [value]
    : type === "array" && leads(constraints["itemType"]) && Array.isArray(value)
      ? value.filter((one) => typeof one === "string")
      : []

export class EntityRules extends Context.Tag("pod/EntityRules")<
  EntityRules,
  {
    /**
     * The properties of a new entity with the defaults of those it does not name. `schemaStamp` is for the store to
     * compare: what was remembered may have moved on.
     */
    readonly created: (
      kind: string,
      spaceId: string,
      properties: Fields,
      moment: Moment
    ) => Effect.Effect<
      { readonly properties: Fields; readonly schemaStamp: number | null },
      Invalid | ProfileUnknown,
      Reach
    >
    /** Only what changes is held to anything; nothing is, once the profile is gone. */
    readonly changed: (
      kind: string,
      spaceId: string,
      before: Fields,
      after: Fields,
      moment: Moment
    ) => Effect.Effect<void, Invalid, Reach>
    /** The same for a role that an entity of some kind plays. `before` null: it begins to, and defaults are filled in. */
    readonly played: (
      slug: string,
      by: { readonly kind: string; readonly spaceId: string },
      before: Fields | null,
      after: Fields,
      moment: Moment
    ) => Effect.Effect<Fields, Invalid, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const profiles = yield* Profiles
      const store = yield* EntityStore

      const unread = (definition: PropertyDefinition, id: string) =>
        Effect.match(store.get(id), {
          onFailure: () => "has to be an entity that you may read",
          onSuccess: ({ profileSlug }) =>
            definition.targetProfileSlug === null || definition.targetProfileSlug === profileSlug
              ? null
              : `has to be an entity of the kind ${definition.targetProfileSlug}`
        })

      const held = (schema: ProfileSchema, properties: Fields, phase: "create" | "update", moment: Moment) =>
        Effect.gen(function* () {
          const checked = validateProperties(schema.definitions, properties, phase)
          if (checked.faults.length > 0) return yield* new Invalid({ faults: checked.faults })
          if (moment === "approved") return checked.properties
          const named = schema.definitions.flatMap((definition) =>
            namedBy(definition, checked.properties[definition.slug]).map((id) => ({ definition, id }))
          )
          if (named.length > namedMost) {
            return yield* invalid("properties", `They name more than ${namedMost} entities. Write them in parts.`)
          }
          const faults: Array<Fault> = []
          for (const { definition, id } of named) {
            const message = yield* unread(definition, id)
            if (message !== null) faults.push({ path: `properties.${definition.slug}`, message })
          }
          return faults.length === 0 ? checked.properties : yield* new Invalid({ faults })
        })

      const begun = (schema: ProfileSchema, properties: Fields, moment: Moment) =>
        held(schema, { ...schema.defaultValues, ...properties }, "create", moment)

      return {
        created: (kind, spaceId, properties, moment) =>
          Effect.gen(function* () {
            const attempt = Effect.gen(function* () {
              const schema = yield* profiles.remembered(kind, spaceId)
              if (schema?.profileKind !== "kind") return yield* new ProfileUnknown({ slug: kind })
              return { properties: yield* begun(schema, properties, moment), schemaStamp: schema.stamp }
            })
            const anew = Effect.zipRight(profiles.forget(kind, spaceId), attempt)
            // No statement compares the stamp of a refusal either.
            return yield* moment === "asked" ? Effect.catchTag(attempt, "Invalid", () => anew) : anew
          }),
        changed: (kind, spaceId, before, after, moment) =>
          Effect.gen(function* () {
            const changes = changedIn(before, after)
            if (Object.keys(changes).length === 0) return
            yield* bounded(after)
            const schema = yield* profiles.schemaFor(kind, spaceId)
            if (schema !== null) yield* held(schema, changes, "update", moment)
          }),
        played: (slug, { kind, spaceId }, before, after, moment) =>
          Effect.gen(function* () {
            const schema = yield* profiles.schemaFor(slug, spaceId)
            if (schema?.profileKind !== "role") return yield* invalid("slug", `There is no role ${slug} here.`)
            if (!schema.applicableKinds.includes(kind)) {
              const kinds = schema.applicableKinds.join(", ")
              return yield* invalid("slug", `The role ${slug} is played by entities of the kinds ${kinds}.`)
            }
            yield* bounded(after)
            if (before === null) return yield* begun(schema, after, moment)
            yield* held(schema, changedIn(before, after), "update", moment)
            return after
          })
      }
    })
  )
}
