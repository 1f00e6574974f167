/**
 * Row-level security is a second protection besides the access conditions of the SQL statements. It also limits
 * statements without such conditions.
 */
import { SqlClient, type SqlError } from "@effect/sql"
import { assert, it } from "@effect/vitest"
import { Cause, Effect, Exit, type Layer } from "effect"
import { authorizedRead } from "../../../src/doors/Authority.ts"
import type { Bounds } from "../../../src/doors/Reach.ts"
import { sqlStateOf } from "../../../src/platform/Database.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { allTables, insertInto, ownershipOf } from "../../support/catalog.ts"
import { aReach } from "../../support/reach.ts"
import { asOwner, onEachDatabase, type SqlStores } from "../../support/stores.ts"
import {
  filledTables,
  privateValues,
  person,
  securedTables,
  visibleSpaces,
  visibleWithoutSettings,
  spaceColumn
} from "./governedRows.ts"

/**
 * These database functions tell the pod which spaces, webhooks and rules have waiting work. They return no text that a
 * caller wrote.
 */
const findsWork = new Set([
  "spaces_behind",
  "pass_events",
  "webhooks_following",
  "webhooks_since",
  "webhooks_due",
  "forget_webhook_deliveries",
  "automations_since",
  "automations_following",
  "automations_scheduled",
  "automations_due",
  "forget_automation_firings",
  "settle_expired_notifications",
  "forget_notifications",
  "forget_former_secrets",
  "applied_migrations"
])

/**
 * Only the pod itself calls these database functions. They return the active model provider, the person who owns the
 * calendar feed with a given token, and the data keys of vaults. A data key is encrypted, so it opens no entry by
 * itself.
 */
const answersThePod = new Set(["active_model_provider", "calendar_feed_orderer", "vault_data_keys"])

/**
 * Runs statements in one transaction that is rolled back. The transaction has the database settings that belong to
 * `bounds`.
 */
const under = <A, E>(bounds: Bounds, work: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const set = sql`SELECT set_config('app.spaces', ${`{${bounds.spaces.join(",")}}`}, true),
      set_config('app.person', ${person}, true), set_config('app.kinds', '*', true),
      set_config('app.objects', '*', true), set_config('app.projects', '*', true)`
    const undone = Effect.exit(Effect.zipRight(set, work)).pipe(Effect.flatMap(Effect.fail), sql.withTransaction)
    return yield* Effect.flip(undone) as Effect.Effect<Exit.Exit<A, unknown>, never, SqlClient.SqlClient>
  })

const notPermitted = "42501" // `insufficient_privilege`, which PostgreSQL also reports if a policy refuses a row

const stateOf = (exit: Exit.Exit<unknown, unknown>) =>
  Exit.isFailure(exit) ? sqlStateOf(Cause.squash(exit.cause) as SqlError.SqlError) : undefined

const rulesOf = (stores: Layer.Layer<SqlStores>) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, SqlStores>) =>
    it.effect(name, () => Effect.provide(work, stores))

  rule(
    "row-level security protects every table that has a space column and that the pod's database role can use",
    Effect.gen(function* () {
      const tables = yield* allTables
      const open = tables.filter(({ hasSpace, isOpen }) => hasSpace && isOpen)
      assert.isAbove(open.length, 5)
      assert.deepStrictEqual(
        open.filter(({ isSecured, conditions }) => !isSecured || conditions.length === 0).map(({ name }) => name),
        []
      )
    })
  )

  rule(
    "the database reads the settings of a row-level security policy once for each statement and not once for each row",
    Effect.gen(function* () {
      for (const { name, conditions } of yield* securedTables) {
        for (const condition of conditions) {
          const calls = condition.match(/app_\w+\(/g)?.length ?? 0
          const once = condition.match(/SELECT app_\w+\(/g)?.length ?? 0
          // Some functions check the limits of a grant for each row. They are not called for callers without such
          // limits.
          const forNarrowed = condition.match(/SELECT app_unnarrowed\(\)[^()]*\) OR app_includes_\w+\(/g)?.length ?? 0
          assert.isAbove(calls, 0, name)
          assert.strictEqual(calls, once + forNarrowed, `${name}: ${condition}`)
        }
      }
    })
  )

  rule(
    "the pod's database role is no superuser, owns no table or function, and cannot bypass row-level security or create tables",
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`SELECT current_user AS name`, [{ name: "pod_app" }])
      const isEmbedded = (yield* sql`SELECT version() LIKE '%PGlite%' AS is_embedded`)[0]?.["is_embedded"] === true
      const facts = yield* asOwner(sql`
        SELECT role.rolsuper, role.rolbypassrls, role.rolcreaterole, role.rolcreatedb, role.rolcanlogin,
          (SELECT count(*)::int FROM pg_class WHERE relowner = role.oid) AS tables,
          (SELECT count(*)::int FROM pg_proc WHERE proowner = role.oid) AS functions,
          (SELECT count(*)::int FROM pg_namespace WHERE nspowner = role.oid) AS schemas,
          (SELECT coalesce(json_agg(roleid::regrole::text), '[]') FROM pg_auth_members WHERE member = role.oid) AS joined,
          has_schema_privilege(role.oid, 'public', 'CREATE') AS makes
        FROM pg_roles role WHERE role.rolname = 'pod_app'`)
      assert.deepStrictEqual(facts, [
        {
          rolsuper: false,
          rolbypassrls: false,
          rolcreaterole: false,
          rolcreatedb: false,
          rolcanlogin: false,
          tables: 0,
          functions: 0,
          schemas: 0,
          joined: isEmbedded ? ["pg_maintain"] : [],
          makes: false
        }
      ])
    })
  )

  rule(
    "a database function with the rights of its owner has a fixed search path and, apart from listed exceptions and triggers, checks the spaces of the caller",
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      // These functions show a caller nothing about rows. The number from `policy_stamp` only tells that something has
      // changed. Some functions find the spaces in which work waits, count or delete the results of work, or delete the
      // rows of test calls (probes). The others replace the stored hash or ciphertext of a secret by a new hash or
      // ciphertext of the same secret. The number from `count_owned` is only compared with a quota. The list has no
      // trigger function, because a caller cannot call one directly.
      const tellsNothing = new Set([
        "count_owned",
        "policy_stamp",
        "spaces_without_vectors",
        "persons_without_fact_vectors",
        "vector_progress",
        "forget_replaced_vectors",
        "forget_probes",
        "mark_secret",
        "rehash_calendar_feed",
        "calendar_feeds_without_mark",
        "replace_vault_data_key"
      ])
      const functions = yield* asOwner(sql<{
        name: string
        body: string
        settings: ReadonlyArray<string> | null
        is_trigger: boolean
      }>`
        SELECT proname AS name, prosrc AS body, proconfig AS settings, prorettype = 'trigger'::regtype AS is_trigger
        FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosecdef`)
      assert.isAbove(functions.length, 0)
      for (const { name, body, is_trigger, settings } of functions) {
        const needsNoSpaces = is_trigger || tellsNothing.has(name) || findsWork.has(name) || answersThePod.has(name)
        if (!needsNoSpaces) assert.match(body, /app_spaces\(\)/, name)
        assert.match((settings ?? []).join(), /search_path=pg_catalog/, name)
      }
      const views = yield* asOwner(sql`
        SELECT relname FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind = 'v'
          AND NOT coalesce(reloptions::text LIKE '%security_invoker=true%', false)`)
      assert.deepStrictEqual(views, [])
    })
  )

  for (const mode of ["force_custom_plan", "force_generic_plan"]) {
    rule(
      `under row-level security, a statement without a condition sees only the rows of the caller's spaces, and no row if the caller's spaces are not set (${mode})`,
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { tables, inside, whole } = yield* filledTables
        yield* sql`SET plan_cache_mode = ${sql.literal(mode)}`
        for (const table of tables) {
          assert.deepStrictEqual(yield* visibleWithoutSettings(table), [], `${table.name} shows rows without settings`)
          const spaces = yield* visibleSpaces(table, whole)
          assert.include(spaces, inside, table.name)
          assert.deepStrictEqual([...new Set(spaces)], [inside], table.name)
          assert.deepStrictEqual(
            yield* visibleWithoutSettings(table),
            [],
            `${table.name} shows rows after a statement with settings`
          )
          assert.deepStrictEqual(yield* visibleSpaces(table, { ...whole, spaces: [uuidv7()] }), [], table.name)
          assert.deepStrictEqual(yield* visibleSpaces(table, { ...whole, spaces: [] }), [], table.name)
        }
        yield* sql`RESET plan_cache_mode`
      })
    )
  }

  rule(
    "if a grant is limited to some kinds of entity, objects or projects, row-level security hides all rows outside these limits, even in the same space",
    Effect.gen(function* () {
      const { tables, inside, whole } = yield* filledTables
      for (const axis of ["kinds", "objects", "projects"] as const) {
        const narrowed = tables.filter(
          ({ conditions, name }) => name === "entities" || conditions.some((text) => text.includes(`app_${axis}()`))
        )
        assert.isAbove(narrowed.length, axis === "objects" ? 15 : 0, axis)
        for (const table of narrowed) {
          for (const none of [[], [uuidv7()]]) {
            assert.deepStrictEqual(
              yield* visibleSpaces(table, { ...whole, [axis]: none }),
              [],
              `${table.name} shows rows under settings without ${axis}`
            )
          }
        }
      }
      const sql = yield* SqlClient.SqlClient
      const [entity] = yield* asOwner(sql<{ id: string; profile_slug: string }>`
        SELECT id, profile_slug FROM entities WHERE space_id = ${inside}::uuid LIMIT 1`)
      const projectId = uuidv7()
      const filed = { space_id: inside, entity_id: entity?.id, project_id: projectId }
      yield* asOwner(insertInto("entity_projects", filed))
      const entities = tables.find(({ name }) => name === "entities") ?? assert.fail("no entities")
      for (const exact of [{ kinds: [entity.profile_slug] }, { objects: [entity.id] }, { projects: [projectId] }]) {
        assert.deepStrictEqual(yield* visibleSpaces(entities, { ...whole, ...exact }), [inside])
      }
    })
  )

  rule(
    "within a transaction, a statement with narrow limits sees only the rows within these limits, even after a statement without limits",
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { tables, inside, whole } = yield* filledTables
      const entities = tables.find(({ name }) => name === "entities") ?? assert.fail("no entities")
      const seen = yield* sql.withTransaction(
        Effect.all([visibleSpaces(entities, whole), visibleSpaces(entities, { ...whole, kinds: [] })])
      )
      assert.deepStrictEqual(seen, [[inside], []])
    })
  )

  rule(
    "a row that belongs to one person is hidden from other people in the space, and other people cannot delete it",
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { tables, inside, whole } = yield* filledTables
      const owned = tables.filter((table) => ownershipOf(table) !== undefined)
      assert.isAbove(owned.length, 3)
      for (const table of owned) {
        const { column, when } = ownershipOf(table)!
        const another = uuidv7()
        const before = yield* visibleSpaces(table, whole)
        yield* asOwner(insertInto(table.name, { ...when, [column]: another, [spaceColumn(table)]: inside }))
        assert.deepStrictEqual(
          yield* visibleSpaces(table, whole),
          before,
          `${table.name} shows a row of another person`
        )
        const theirs = sql`${sql(table.name)} WHERE ${sql(column)} = ${another}::uuid RETURNING 1`
        assert.deepStrictEqual(
          yield* under(whole, sql`DELETE FROM ${theirs}`),
          Exit.succeed([]),
          `a row of another person was deleted from ${table.name}`
        )
      }
    })
  )

  rule(
    "under row-level security, a statement without a condition on the space cannot write a row of a space outside the caller's spaces",
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { tables, outside, whole } = yield* filledTables
      for (const table of tables) {
        const column = spaceColumn(table)
        const elsewhere = uuidv7()
        const added = yield* under(whole, insertInto(table.name, { ...privateValues(table), [column]: elsewhere }))
        assert.strictEqual(stateOf(added), notPermitted, `a row of another space was added to ${table.name}`)
        const moved = sql`UPDATE ${sql(table.name)} SET ${sql(column)} = ${elsewhere}::uuid`
        assert.strictEqual(
          stateOf(yield* under(whole, moved)),
          notPermitted,
          `a row of ${table.name} was moved to another space`
        )
        const touched = sql`DELETE FROM ${sql(table.name)} WHERE ${sql(column)} = ${outside}::uuid RETURNING 1`
        const gone = yield* under(whole, touched)
        // A statement that fails because of missing privileges deletes nothing.
        const isUntouched = Exit.isSuccess(gone) ? gone.value.length === 0 : stateOf(gone) === notPermitted
        assert.isTrue(isUntouched, `a row of another space was deleted from ${table.name}`)
      }
    })
  )

  rule(
    "the row-level security settings of a statement end with its transaction, even if the transaction fails",
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { tables, inside, whole } = yield* filledTables
      for (const table of tables) {
        // In this transaction the settings allow everything. These settings must end with the transaction.
        const everything = yield* sql.withTransaction(visibleSpaces(table, whole))
        assert.include(everything, inside)
        assert.deepStrictEqual(yield* visibleWithoutSettings(table), [], `${table.name} shows rows after a transaction`)
        const undone = sql.withTransaction(Effect.zipRight(visibleSpaces(table, whole), Effect.fail("undone")))
        assert.isTrue(Exit.isFailure(yield* Effect.exit(undone)))
        assert.deepStrictEqual(
          yield* visibleWithoutSettings(table),
          [],
          `${table.name}: after a transaction that was undone`
        )
        const failing = authorizedRead<{ readonly id: string }>(
          sql,
          aReach({ personId: person }),
          whole,
          () => sql`SELECT 1 / (length(authority.kinds) - length(authority.kinds)) AS id`
        )
        assert.isTrue(Exit.isFailure(yield* Effect.exit(failing)))
        assert.deepStrictEqual(
          yield* visibleWithoutSettings(table),
          [],
          `${table.name} shows rows after a statement that failed`
        )
      }
    })
  )
}

onEachDatabase("row-level security", rulesOf, { poolMax: 1 })
