/**
 * Reads profiles in SQL for the checks of entity writes, with one statement. The statement ignores the grant of the
 * call.
 */
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { builtInSpaceId } from "../../doors/OwnSpace.ts"
import { authorizedRead } from "../../doors/Authority.ts"
import { type Bounds, inSpaces, Reach, type ReachShape } from "../../doors/Reach.ts"
import { removeOldest } from "../../platform/OldestEntry.ts"
import { ancestorsMax, Profiles, type ProfileRules, schemaOf, type StampedSchema } from "./Profiles.ts"
import { definitionOf, type StoredDefinition } from "./PropertyDef.ts"
import { textLiteral } from "../../platform/TextLiteral.ts"

interface ProfileRow {
  readonly id: string
  readonly profile_kind: ProfileRules["profileKind"]
  readonly applicable_kinds: ReadonlyArray<string>
  readonly default_values: ProfileRules["defaultValues"]
  readonly definitions: ReadonlyArray<StoredDefinition>
  readonly stamp: number
}

const ofPerson = ({ principal }: ReachShape): Bounds => ({
  spaces: principal.memberships.map(({ spaceId }) => spaceId),
  kinds: null,
  objects: null,
  projects: null
})

// the maximum number of schemas in the cache; a further schema replaces the oldest
const rememberedMax = 1000

const keyOf = (slug: string, spaceId: string) => `${spaceId} ${slug}`

export const layer = Layer.effect(
  Profiles,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const spaceOfAll = sql.literal(`${textLiteral(builtInSpaceId)}::uuid`)

    const schemaCache = new Map<string, StampedSchema>()

    const read = Effect.fnUntraced(function* (slug: string, spaceId: string) {
      const reach = yield* Reach
      const rows = yield* authorizedRead<ProfileRow>(
        sql,
        reach,
        ofPerson(reach),
        () => sql`
            WITH RECURSIVE line AS (
              SELECT profile.*, 1 AS at
              FROM profiles profile
              WHERE profile.slug = ${slug}
                AND profile.archived_at IS NULL
                AND (profile.space_id = ${spaceOfAll}
                  OR (profile.space_id = ${spaceId}::uuid AND profile.space_id = ANY (authority.spaces)))
              UNION ALL
              SELECT parent.*, line.at + 1
              FROM line
              JOIN profiles parent ON parent.id = line.parent_profile_id
                AND parent.archived_at IS NULL
                AND (parent.space_id = ${spaceOfAll}
                  OR (parent.space_id = ${spaceId}::uuid AND parent.space_id = ANY (authority.spaces)))
              WHERE line.at < ${ancestorsMax})
            SELECT line.id, line.profile_kind, line.applicable_kinds, line.default_values, (
              SELECT coalesce(jsonb_agg(jsonb_build_object('slug', definition.slug,
                'displayName', definition.display_name, 'valueType', definition.value_type,
                'constraints', definition.constraints, 'uiHints', definition.ui_hints) ORDER BY definition.slug COLLATE "C"), '[]')
              FROM property_defs definition
              WHERE definition.space_id = ${spaceId}::uuid
                AND definition.space_id = ANY (authority.spaces)
                AND definition.profile_id = line.id
                AND definition.archived_at IS NULL) AS definitions,
              schema_stamp(${spaceId}::uuid) AS stamp
            FROM line
            ORDER BY line.at`
      )
      const schema = schemaOf(
        rows.map((row) => ({
          profileKind: row.profile_kind,
          applicableKinds: row.applicable_kinds,
          defaultValues: row.default_values,
          definitions: row.definitions.map(definitionOf)
        }))
      )
      return schema === null ? null : { ...schema, stamp: rows[0].stamp }
    })

    const kindsWithin = Effect.fnUntraced(function* (reach: ReachShape, bounds: Bounds) {
      const rows = yield* authorizedRead<{ readonly id: string; readonly slug: string }>(
        sql,
        reach,
        bounds,
        () => sql`
          SELECT profile.id, profile.slug
          FROM profiles profile
          WHERE (profile.space_id = ANY (authority.spaces) OR profile.space_id = ${spaceOfAll})
            AND profile.profile_kind = 'kind'
            AND profile.archived_at IS NULL`
      )
      return new Set(rows.map(({ slug }) => slug))
    })

    return {
      kinds: Effect.flatMap(Reach, (reach) => kindsWithin(reach, ofPerson(reach))),
      kindsIn: (spaces) => Effect.flatMap(Reach, (reach) => kindsWithin(reach, inSpaces(ofPerson(reach), spaces))),

      slugOf: Effect.fnUntraced(function* (profileId, spaceId) {
        const reach = yield* Reach
        const [row] = yield* authorizedRead<{ readonly id: string; readonly slug: string }>(
          sql,
          reach,
          ofPerson(reach),
          () => sql`
              SELECT profile.id, profile.slug
              FROM profiles profile
              WHERE profile.id = ${profileId}::uuid
                AND (profile.space_id = ${spaceOfAll}
                  OR (profile.space_id = ${spaceId}::uuid AND profile.space_id = ANY (authority.spaces)))
                AND profile.profile_kind = 'kind'
                AND profile.archived_at IS NULL`
        )
        return row?.slug ?? null
      }),

      schemaFor: read,
      cachedSchemaFor: (slug, spaceId) =>
        Effect.flatMap(Reach, ({ principal }) => {
          // The pod does not use the cache for other people's spaces, because a cached schema would reveal their
          // profiles to the caller.
          if (principal.memberships.every((membership) => membership.spaceId !== spaceId)) return read(slug, spaceId)
          const key = keyOf(slug, spaceId)
          const known = schemaCache.get(key)
          if (known !== undefined) return Effect.succeed(known)
          return Effect.tap(read(slug, spaceId), (schema) => {
            if (schema === null) return
            if (schemaCache.size >= rememberedMax) removeOldest(schemaCache)
            schemaCache.set(key, schema)
          })
        }),
      forget: (slug, spaceId) => Effect.sync(() => void schemaCache.delete(keyOf(slug, spaceId)))
    }
  })
)
