/**
 * Calls an entity store with the access rights of a given caller, and returns answers that are easy to compare in an
 * assertion.
 */
import { assert } from "@effect/vitest"
import { Effect, Struct } from "effect"
import type { ReachShape } from "../../../src/doors/Reach.ts"
import type { EntityChange, EntityFilter } from "../../../src/features/entities/Entity.ts"
import { EntityStore, type NewEntity } from "../../../src/features/entities/EntityStore.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { withReach } from "../../support/stores.ts"
import { aPassed } from "../../support/passed.ts"

export const anEntity = (entity: Partial<NewEntity> & { readonly spaceId: string }): NewEntity => ({
  id: uuidv7(),
  kind: "note",
  title: "title",
  preview: null,
  description: null,
  properties: {},
  projectId: undefined,
  ...entity
})

export const eventOf = (id: string, verb: string) => ({
  type: `entity.note.${verb}`,
  subjectId: id,
  data: { fields: [verb] }
})

const store = Effect.flatMap(EntityStore, Effect.succeed)

export const addEntity = (reach: ReachShape, entity: NewEntity) =>
  Effect.flatMap(store, ({ add }) => withReach(reach)(add(entity, eventOf(entity.id, "create"), aPassed)))

/** Returns the entity, or null if this caller may not read it. */
export const getEntity = (reach: ReachShape, id: string) =>
  Effect.flatMap(store, ({ get }) => Effect.orElseSucceed(withReach(reach)(get(id)), () => null))

/** Reads entities by their ids. Asserts that a read of their heads finds the same entities. */
const readEntities = (reach: ReachShape, ids: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { heads, listByIds } = yield* store
    const found = yield* withReach(reach)(listByIds(ids))
    assert.sameDeepMembers(
      [...(yield* withReach(reach)(heads(ids)))],
      found.map((entity) => Struct.pick(entity, "id", "profileSlug", "title", "updatedAt", "userId", "workspaceId"))
    )
    return found
  })

/** Returns the ids of the entities that this caller may read, sorted. */
export const readableIds = (reach: ReachShape, ids: ReadonlyArray<string>) =>
  Effect.map(readEntities(reach, ids), (found) => found.map(({ id }) => id).toSorted())

/** Returns the titles of the entities that this caller may read, in any order. */
export const readableTitles = (reach: ReachShape, ids: ReadonlyArray<string>) =>
  Effect.map(readEntities(reach, ids), (found) => found.map(({ title }) => title))

export const locateEntity = (reach: ReachShape, id: string, action: "update" | "delete") =>
  Effect.flatMap(store, ({ locate }) => Effect.orElseSucceed(withReach(reach)(locate(id, action)), () => null))

/** Changes the entity. Returns the changed entity, or the tag of the refusal. */
export const changeEntity = (reach: ReachShape, id: string, change: EntityChange) =>
  Effect.flatMap(store, (kept) => withReach(reach)(kept.change(id, change, eventOf(id, "update"), aPassed))).pipe(
    Effect.catchAll(({ _tag }) => Effect.succeed(_tag))
  )

/** Removes the entity. Returns the id of the entity, or the tag of the refusal. */
export const removeEntity = (reach: ReachShape, id: string, expectedVersion: number | null = null) =>
  Effect.flatMap(store, ({ remove }) =>
    withReach(reach)(remove(id, expectedVersion, eventOf(id, "delete"), aPassed))
  ).pipe(
    Effect.map((entity) => entity.id),
    Effect.catchAll(({ _tag }) => Effect.succeed(_tag))
  )

/** Restores the entity. Returns the restored entity, or the tag of the refusal. */
export const restoreEntity = (reach: ReachShape, id: string) =>
  Effect.flatMap(store, ({ restore }) => withReach(reach)(restore(id, eventOf(id, "restore"), aPassed))).pipe(
    Effect.catchAll(({ _tag }) => Effect.succeed(_tag))
  )

export const listEntities = (
  reach: ReachShape,
  filter: Partial<EntityFilter> = {},
  spaces: ReadonlyArray<string> | null = null
) =>
  Effect.flatMap(store, ({ list }) =>
    withReach(reach)(
      list({ kind: undefined, projectId: undefined, search: undefined, limit: 100, offset: 0, ...filter }, spaces)
    )
  )

export const listIds = (...asked: Parameters<typeof listEntities>) =>
  Effect.map(listEntities(...asked), ({ items }) => items.map(({ id }) => id))

/** Returns the counts by space and kind, as the store reports them. */
export const tallyEntities = (reach: ReachShape) =>
  Effect.flatMap(store, ({ countByKind }) => withReach(reach)(countByKind({ spaces: null }))).pipe(
    Effect.map((tallies) => new Map(tallies.map(({ count, kind, spaceId }) => [`${spaceId} ${kind}`, count])))
  )

export const searchIds = (reach: ReachShape, search: string) => listIds(reach, { search })
