/**
 * Tests the stores of knowledge entries on every engine, and the two protections of their rows: row-level security and
 * the conditions in the SQL statements.
 */
import { SqlClient } from "@effect/sql"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import { Reach } from "../../../src/doors/Reach.ts"
import { EventLog } from "../../../src/features/events/EventLog.ts"
import { layer as eventSql } from "../../../src/features/events/EventSql.ts"
import { Knowledge } from "../../../src/features/knowledge/Knowledge.ts"
import { KnowledgeChanger } from "../../../src/features/knowledge/KnowledgeChanger.ts"
import { layer as knowledgeSql } from "../../../src/features/knowledge/KnowledgeSql.ts"
import { boundsAt, KnowledgeStore } from "../../../src/features/knowledge/KnowledgeStore.ts"
import { knowledgeBounds } from "../../../src/features/knowledge/KnowledgeTable.ts"
import { layerPglite } from "../../../src/platform/Embedded.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { MemoryDatabase } from "../../../src/platform/MemoryDatabase.ts"
import { layerPostgres } from "../../../src/platform/Postgres.ts"
import { gateAlone } from "../../support/gate.ts"
import { anEmbedded } from "../../support/pgliteImage.ts"
import { aDatabaseOn, describePostgres, type TestDatabase } from "../../support/postgres.ts"
import { aReach } from "../../support/reach.ts"
import { sharedLayer } from "../../support/sharedLayer.ts"
import { anEntry, knowledgeStoreContract, Spaces } from "./knowledgeStore.contract.ts"
import { knowledgeVersionsContract } from "./knowledgeVersions.contract.ts"
import { aPassed } from "../../support/passed.ts"
import { itemsOf } from "../../support/pages.ts"

const inMemory = Layer.mergeAll(
  KnowledgeStore.layerMemory,
  EventLog.layerMemory,
  Layer.succeed(Spaces, { open: () => Effect.void })
).pipe(Layer.provide(MemoryDatabase.layer))

/** Opens a space under the database role of the pod, so that row-level security applies. */
const spacesInSql = Layer.effect(
  Spaces,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    open: (spaceId) =>
      sql`SELECT set_config('app.spaces', ${`{${spaceId}}`}, true)`.pipe(
        Effect.zipRight(sql`INSERT INTO stream_heads (space_id) VALUES (${spaceId}::uuid)`),
        sql.withTransaction,
        Effect.orDie
      )
  }))
)

const inSql = Layer.mergeAll(knowledgeSql, eventSql, spacesInSql)
const gate = gateAlone()
const onPglite = Layer.provideMerge(inSql, layerPglite(Effect.promise(() => anEmbedded())))

describe("the knowledge entries that a grant covers", () => {
  const spaceId = uuidv7()
  const everything = { kinds: null, objects: null, projects: null }

  it("a key whose grant has no knowledge permission, or is limited to objects or projects, can access no knowledge entry", () => {
    for (const options of [
      { kinds: ["task"] },
      { kinds: [] },
      { grant: { permissions: ["document.*", "memory"] } },
      { grant: { permissions: ["entity.knowledge.read"], entityIds: [uuidv7()] } },
      { grant: { permissions: ["*"], entityIds: [] } },
      { grant: { permissions: ["entity"], projectIds: [uuidv7()] } },
      { grant: { permissions: ["entity.*.update"] } }
    ]) {
      const reach = aReach({ ...options, spaces: [spaceId] })
      assert.deepStrictEqual(knowledgeBounds(reach, "read"), { spaces: [], ...everything }, JSON.stringify(options))
    }
  })

  it("a key with a grant for knowledge can access the knowledge entries in all spaces of its owner, or only in the workspaces that the grant lists", () => {
    const personId = uuidv7()
    for (const options of [{}, { kinds: ["knowledge"] }, { kinds: ["task", "knowledge"] }, { grant: {} }]) {
      const reach = aReach({ ...options, personId, spaces: [spaceId] })
      assert.deepStrictEqual(knowledgeBounds(reach, "read"), { spaces: [personId, spaceId], ...everything })
    }
    const within = aReach({ grant: { workspaceIds: [spaceId] }, spaces: [spaceId, uuidv7()] })
    assert.deepStrictEqual(knowledgeBounds(within, "read").spaces, [spaceId])
  })

  it("a request for a given space finds the knowledge entries of this space only if the caller can access the space", () => {
    const reach = aReach({ spaces: [spaceId] })
    assert.deepStrictEqual(boundsAt(reach, "update", spaceId).spaces, [spaceId])
    assert.deepStrictEqual(boundsAt(reach, "update", uuidv7()).spaces, [])
  })
})

describe("knowledge entries in memory", () => knowledgeStoreContract(sharedLayer(() => inMemory)))
describe("knowledge entries on PGlite", () => knowledgeStoreContract(sharedLayer(() => onPglite)))
describe("versions of knowledge entries in memory", () => knowledgeVersionsContract(sharedLayer(() => inMemory)))
describe("versions of knowledge entries on PGlite", () => knowledgeVersionsContract(sharedLayer(() => onPglite)))

describePostgres("knowledge entries on PostgreSQL", (server) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await aDatabaseOn(server)
  })
  afterAll(() => database.drop())
  const stored = sharedLayer(() =>
    Layer.provideMerge(inSql, layerPostgres({ url: Redacted.make(database.url), poolMax: 4, startTimeoutMs: 10_000 }))
  )
  knowledgeStoreContract(stored)
  knowledgeVersionsContract(stored)

  it.effect(
    "when several callers write the same new knowledge entry at the same moment, all calls succeed, and there is one entry",
    () =>
      Effect.gen(function* () {
        const { put } = yield* Knowledge
        const person = aReach()
        yield* Effect.flatMap(Spaces, ({ open }) => open(person.principal.personId))
        const rounds = yield* Effect.forEach(["a", "b", "c", "d", "e"], (key) =>
          Effect.all(
            Array.from({ length: 4 }, (_, value) =>
              put(key, { value, status: "active", author: undefined, workspaceId: undefined })
            ),
            { concurrency: "unbounded" }
          ).pipe(Effect.provideService(Reach, person))
        )
        assert.deepStrictEqual(
          rounds.map((answers) => new Set(answers.map(({ id }) => id)).size),
          [1, 1, 1, 1, 1]
        )
        const { list } = yield* EventLog
        const events = yield* itemsOf(Effect.provideService(list({ limit: 100 }), Reach, person))
        assert.deepStrictEqual(
          events.map(({ seq }) => seq).toSorted((one, other) => one - other),
          Array.from({ length: 20 }, (_, at) => at + 1)
        )
        assert.lengthOf(
          events.filter(({ type }) => type === "entity.knowledge.create"),
          5
        )
      }).pipe(
        Effect.provide(
          Layer.provideMerge(Layer.provide(Layer.provide(Knowledge.layer, KnowledgeChanger.layer), gate), stored)
        )
      )
  )
})

describe("the two independent protections of knowledge entries", () => {
  const setUp = Effect.gen(function* () {
    const owner = aReach()
    const spaceId = owner.principal.personId
    const store = yield* KnowledgeStore
    yield* Effect.flatMap(Spaces, ({ open }) => open(spaceId))
    const entry = anEntry({ spaceId })
    yield* Effect.provideService(
      store.add(entry, { type: "entity.knowledge.create", subjectId: entry.id, data: {} }, aPassed),
      Reach,
      owner
    )
    return { owner, spaceId, store, sql: yield* SqlClient.SqlClient }
  })
  const keysSeenIn = (sql: SqlClient.SqlClient, space: string) => sql<{ key: string }>`
    WITH authority AS MATERIALIZED (SELECT set_config('app.spaces', ${`{${space}}`}, true) AS spaces)
    SELECT entry.key FROM authority LEFT JOIN LATERAL (
      SELECT key FROM knowledge_entries WHERE authority.spaces IS NOT NULL) entry ON true
    WHERE entry.key IS NOT NULL`

  it.effect(
    "an SQL statement without a condition on the space sees only the knowledge entries in the spaces of the database setting `app.spaces`, and none without this setting",
    () =>
      Effect.gen(function* () {
        const { sql, spaceId } = yield* setUp
        assert.deepStrictEqual(yield* sql`SELECT key FROM knowledge_entries`, [])
        assert.deepStrictEqual(yield* keysSeenIn(sql, uuidv7()), [])
        assert.deepStrictEqual(yield* keysSeenIn(sql, spaceId), [{ key: "deploy" }])
      }).pipe(Effect.provide(onPglite))
  )

  it.effect(
    "the pod stores the JSON value `null` in a knowledge entry, and distinguishes `null` from a missing value",
    () =>
      Effect.gen(function* () {
        const { owner, spaceId, sql, store } = yield* setUp
        const place = { spaceId, key: "deploy" }
        const change = { action: "update", from: "any", fields: { value: null } } as const
        yield* Effect.provideService(
          store.change(place, change, { type: "entity.knowledge.update", data: {} }, aPassed),
          Reach,
          owner
        )
        yield* sql`RESET ROLE`
        assert.deepStrictEqual(yield* sql`SELECT jsonb_typeof(value) AS kept FROM knowledge_entries`, [
          { kept: "null" }
        ])
      }).pipe(Effect.provide(onPglite))
  )

  it.effect(
    "the conditions in the SQL statements hide knowledge entries that the caller cannot access, even without row-level security",
    () =>
      Effect.gen(function* () {
        const { owner, spaceId, sql, store } = yield* setUp
        // Only the owner of the tables may disable row-level security, so the test first leaves the role of the pod.
        yield* sql`RESET ROLE`
        yield* sql`ALTER TABLE knowledge_entries DISABLE ROW LEVEL SECURITY`
        yield* sql`SET ROLE pod_app`
        assert.lengthOf(yield* sql`SELECT key FROM knowledge_entries`, 1)
        const stranger = aReach()
        const place = { spaceId, key: "deploy" }
        assert.isTrue(Option.isNone(yield* Effect.provideService(store.find(place, "read"), Reach, stranger)))
        const filter = { spaceId, namespace: undefined, status: undefined, limit: 50, offset: 0 }
        assert.deepStrictEqual(yield* itemsOf(Effect.provideService(store.list(filter), Reach, stranger)), [])
        const change = { action: "update", from: "any", fields: { value: "theirs" } } as const
        const event = { type: "entity.knowledge.update", data: {} }
        assert.isTrue(
          Option.isNone(yield* Effect.provideService(store.change(place, change, event, aPassed), Reach, stranger))
        )
        const known = yield* Effect.provideService(store.find(place, "read"), Reach, owner)
        assert.deepStrictEqual(Option.getOrThrow(known).value, { steps: ["build", "ship"] })
      }).pipe(Effect.provide(onPglite))
  )
})
