/** Reads profiles. They say which kinds of entity exist, and which rules a kind has for properties in a space. */
import { Context, DateTime, Effect, Layer } from "effect"
import { builtInSpaceId } from "../../doors/OwnSpace.ts"
import { type Bounds, inSpaces, type Reach, type ReachShape } from "../../doors/Reach.ts"
import { MemoryDatabase, type Rows } from "../../platform/MemoryDatabase.ts"
import { memoryStatements, type ReadContext } from "../events/EventTable.ts"
import { type StoredRecord, recordsWithin, recordTable } from "../records/RecordTable.ts"
import type { Common, OwnFields, RecordType } from "../records/RecordType.ts"
import { ProfileType, type StoredProfile } from "./Profile.ts"
import { definitionOf, PropertyDef } from "./PropertyDef.ts"
import type { PropertyDefinition } from "./PropertyValue.ts"

/** The slugs of the kinds that the first migration of the database adds. */
export const seededKinds: ReadonlyArray<string> = ["note", "knowledge", "person", "company", "task", "portfolio"]

/** The rules of one profile in one space, without the rules of its ancestors. */
export interface ProfileRules {
  readonly profileKind: StoredProfile["profileKind"]
  readonly applicableKinds: ReadonlyArray<string>
  readonly defaultValues: Readonly<Record<string, unknown>>
  readonly definitions: ReadonlyArray<PropertyDefinition>
}

/**
 * The rules of a profile together with the rules of its ancestors. If several of these profiles define the same
 * property, the definition of the nearest profile applies. The nearest is the profile itself, then its parent, and so
 * on.
 */
export type ProfileSchema = ProfileRules

export interface StampedSchema extends ProfileSchema {
  /** A number that increases with every write to a profile or a definition of the space. */
  readonly stamp: number
}

// The maximum number of profiles in a chain of parents. The pod cuts a longer or endless chain after this number of
// profiles.
export const ancestorsMax = 8

/**
 * Merges the rules of a profile with the rules of its ancestors. `line` starts with the profile, followed by its
 * parent, and so on. Returns null for an empty list.
 */
export const schemaOf = (line: ReadonlyArray<ProfileRules>): ProfileSchema | null => {
  const [itself] = line
  if (itself === undefined) return null
  const definitions = new Map<string, PropertyDefinition>()
  const defaultValues: Record<string, unknown> = {}
  for (const words of line.toReversed()) {
    for (const definition of words.definitions) definitions.set(definition.slug, definition)
    Object.assign(defaultValues, words.defaultValues)
  }
  return { ...itself, definitions: [...definitions.values()], defaultValues }
}

export class Profiles extends Context.Tag("pod/Profiles")<
  Profiles,
  {
    /** The slugs of the kinds in all spaces of the caller's person, and of the built-in kinds. */
    readonly kinds: Effect.Effect<ReadonlySet<string>, never, Reach>
    /** Returns the same slugs as `kinds`, but only for these spaces. Always includes the built-in kinds. */
    readonly kindsIn: (spaces: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>, never, Reach>
    /**
     * Returns the slug of the kind with this id in a space of the caller's person. Returns null if the space has no
     * such kind.
     */
    readonly slugOf: (profileId: string, spaceId: string) => Effect.Effect<string | null, never, Reach>
    /**
     * Returns the rules of a kind or role in a space of the caller's person. Ignores the grant of the call, because
     * every write of an entity must follow these rules. Returns null if the space has no such profile. If the person is
     * not a member of the space, finds only built-in profiles.
     */
    readonly schemaFor: (slug: string, spaceId: string) => Effect.Effect<ProfileSchema | null, never, Reach>
    /**
     * Returns the same as `schemaFor`, but from the cache of this process if possible. `stamp` is a version number of
     * these rules. The statement of a write must compare it with the number in the database. If the two differ, the
     * code that writes drops the cached rules and reads the rules again. So no write uses old rules.
     */
    readonly cachedSchemaFor: (slug: string, spaceId: string) => Effect.Effect<StampedSchema | null, never, Reach>
    readonly forget: (slug: string, spaceId: string) => Effect.Effect<void>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.gen(function* () {
      const { atomically } = yield* MemoryDatabase
      const { read } = yield* memoryStatements
      const now = yield* DateTime.now
      yield* atomically((rows) => Effect.sync(() => rows.put(recordTable(ProfileType), ...seededProfiles(now))))

      const schemaFor = (slug: string, spaceId: string) =>
        read(({ reach, rows }) => Effect.succeed(schemaIn(rows, reach, slug, spaceId)))
      const kindsIn = ({ reach, rows }: ReadContext, bounds: Bounds) =>
        recordsWithin(rows, reach, ProfileType, bounds)
          .map(({ record }) => record)
          .filter(({ profileKind }) => profileKind === "kind")

      return {
        kinds: read((at) => Effect.succeed(slugsOf(kindsIn(at, ofPerson(at.reach))))),
        kindsIn: (spaces) =>
          read((at) => Effect.succeed(slugsOf(kindsIn(at, inSpaces(ofPerson(at.reach), [...spaces, builtInSpaceId]))))),
        slugOf: (profileId, spaceId) =>
          read((at) => {
            const found = kindsIn(at, inSpaces(ofPerson(at.reach), [spaceId, builtInSpaceId]))
            return Effect.succeed(found.find(({ id }) => id === profileId)?.slug ?? null)
          }),
        schemaFor,
        cachedSchemaFor: (slug, spaceId) =>
          read(({ reach, rows }) => {
            const schema = schemaIn(rows, reach, slug, spaceId)
            return Effect.succeed(schema === null ? null : { ...schema, stamp: profilesStamp(rows, spaceId) })
          }),
        forget: () => Effect.void
      }
    })
  )
}

const slugsOf = (profiles: ReadonlyArray<{ readonly slug: string }>) => new Set(profiles.map(({ slug }) => slug))

/** Returns the rules of a kind or role in a space of the caller's person, from the rows of the in-memory database. */
export const schemaIn = (rows: Rows, reach: ReachShape, slug: string, spaceId: string): ProfileSchema | null => {
  const within = <A extends Common>(type: RecordType<A>, spaces: ReadonlyArray<string>) =>
    recordsWithin(rows, reach, type, inSpaces(ofPerson(reach), spaces)).map(({ record }) => record)
  const known = within(ProfileType, [spaceId, builtInSpaceId])
  const definitions = within(PropertyDef, [spaceId])
  const line: Array<ProfileRules> = []
  let next = known.find((profile) => profile.slug === slug)
  while (next !== undefined && line.length < ancestorsMax) {
    const { id, parentProfileId } = next
    const own = definitions.filter(({ profileId }) => profileId === id)
    line.push({ ...next, definitions: own.map(definitionOf) })
    next = known.find((profile) => profile.id === parentProfileId)
  }
  return schemaOf(line)
}

/**
 * Returns the stamp of the profiles and definitions of a space: the sum of their versions. The stamp increases with
 * every write. A removal does not lower the stamp, because removed rows stay in the table.
 */
export const profilesStamp = (rows: Rows, spaceId: string): number =>
  [...rows.all(recordTable(ProfileType)), ...rows.all(recordTable(PropertyDef))]
    .filter((row) => row.spaceId === spaceId)
    .reduce((sum, { record }) => sum + record.version, 0)

/** Returns the limits for a read of every space of the caller's person, and of the space of the built-in profiles. */
const ofPerson = ({ principal }: ReachShape): Bounds => ({
  spaces: [...principal.memberships.map(({ spaceId }) => spaceId), builtInSpaceId],
  kinds: null,
  objects: null,
  projects: null
})

const seededId = (at: number) => `00000000-0000-7000-8000-${String(at).padStart(12, "0")}`

const seededProfiles = (now: DateTime.Utc): ReadonlyArray<StoredRecord<StoredProfile>> =>
  seededKinds.map((slug, at) => ({
    spaceId: builtInSpaceId,
    isArchived: false,
    record: {
      ...seededProfile(slug),
      id: seededId(at + 1),
      userId: builtInSpaceId,
      workspaceId: null,
      version: 1,
      createdAt: now,
      updatedAt: now
    }
  }))

const seededProfile = (slug: string): OwnFields<StoredProfile> => ({
  slug,
  displayName: slug.replace(/^./, (first) => first.toUpperCase()),
  description: null,
  icon: null,
  color: null,
  profileKind: "kind",
  entityScope: "workspace",
  parentProfileId: null,
  defaultValues: {},
  uiHints: {},
  applicableKinds: []
})
