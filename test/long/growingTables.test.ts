/**
 * Calls every read of the pod with every filter, and makes a record of every type, twice: the second time, each table has
 * four times as many rows. No statement reads the further rows one by one, except for those that are listed with a
 * reason.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import pg from "pg"
import { aFilledTwin, fill, type FilledTwin } from "../attacks/twinPods.ts"
import { variantsOf } from "../attacks/variants.ts"
import { type Approach, ask, nameOf } from "../doors/surfaces.ts"
import { allApproaches } from "../doors/walk.ts"
import { copyRows } from "../support/copiedRows.ts"
import { aPod } from "../support/pod.ts"
import { type Cluster, serverBinaries, startCluster } from "../support/postgresCluster.ts"

const fewer = 4_000
const more = 16_000
// A statement that reads the further rows one by one reads at least one block of the database for each. A statement that
// reads the table in its order reads at least ten rows in a block.
const blocksMax = (more - fewer) / 10

/**
 * Tables of which a person has few rows, because the pod limits their number, and tables of the pod itself. The test does
 * not copy their rows.
 */
const small = new Set(
  [
    "access_roles api_keys auth_accounts auth_sessions auth_users auth_verifications connectors event_consumers",
    "event_cursors governance_rules memberships pod_state profiles property_defs relation_defs rules schema_migrations",
    "secret_checks skills spaces stream_heads users vaults webhook_states webhooks write_probes",
    "api_key_calls api_key_days brands commands projects tracks vault_entries views"
  ].flatMap((names) => names.split(" "))
)

// A statement has thousands of characters. Its end shows which one it is.
const textMax = 600

/** Statements of the pod's own work, which runs beside the calls. */
const ownWork = /automations_|automations_in_force|pass_events|pg_stat_statements/

/** Reads whose costs may grow with the tables, with the reason. */
const growing: Readonly<Record<string, string>> = {
  "centrality.recompute": "It computes the importance of every entity, in a job.",
  "centrality.status": "It starts the computation if the result is old.",
  "discovery.discover": "All copies have one kind, so the database expects no other kind and reads them for each.",
  "projects.digest": "It counts up to 10,000 entities of the project."
}

describe("a pod whose tables grow", () => {
  let cluster: Cluster
  let client: pg.Client
  let twin: FilledTwin
  let reads: ReadonlyArray<Approach>
  beforeAll(async () => {
    const binaries = await serverBinaries()
    assert.isDefined(binaries, "this machine has no PostgreSQL binaries for a server that counts blocks")
    cluster = await startCluster(binaries ?? "", {
      shared_preload_libraries: "pg_stat_statements",
      "pg_stat_statements.track": "all",
      autovacuum: "off"
    })
    client = new pg.Client({ connectionString: cluster.url })
    await client.connect()
    await client.query("CREATE EXTENSION pg_stat_statements")
    const storage = { kind: "postgres", url: cluster.url } as const
    twin = await aFilledTwin(await aPod(storage), storage)
    // Each operation is called on one surface, because all surfaces of an operation run the same statements.
    const ways = (await allApproaches(twin.pod, false)).filter(({ operation }) => operation.kind === "query")
    reads = [...new Map(ways.toReversed().map((way) => [way.operation.name, way])).values()]
  }, 240_000)
  afterAll(async () => {
    await twin?.pod.stop()
    await client?.end()
    await cluster?.stop()
  })

  const tables = async (): Promise<ReadonlyArray<string>> => {
    const { rows } = await client.query<{ readonly name: string }>(
      "SELECT relname::text AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1"
    )
    return rows.map(({ name }) => name).filter((name) => !small.has(name))
  }

  const filled = (input: unknown): unknown =>
    JSON.parse(
      JSON.stringify(input).replaceAll(
        /@([a-z]+\/[a-z-]+)/g,
        (_, name: string) => twin.ids.get(name) ?? "0190a0a0-0000-7000-8000-000000000001"
      )
    )

  /** Calls a read, and returns the statement that read the most blocks. */
  const costliest = async (way: Approach, input: unknown) => {
    await client.query("SELECT pg_stat_statements_reset()")
    await ask(twin.callers.get("the person")!, way, filled(input))
    const { rows } = await client.query<{ readonly blocks: string; readonly text: string }>(
      `SELECT (shared_blks_hit + shared_blks_read) / calls AS blocks, query AS text FROM pg_stat_statements
       ORDER BY 1 DESC LIMIT 5`
    )
    const found = rows.find(({ text }) => !ownWork.test(text))
    return {
      blocks: Number(found?.blocks ?? 0),
      operation: way.operation.name,
      text: (found?.text ?? "").replaceAll(/\s+/g, " ").slice(-textMax)
    }
  }

  type Costs = ReadonlyMap<string, Awaited<ReturnType<typeof costliest>>>

  const costsOfReads = async (): Promise<Costs> => {
    const found = new Map<string, Awaited<ReturnType<typeof costliest>>>()
    const sorts = [...new Set([...twin.ids.keys()].map((name) => name.split("/")[1]))]
    for (const way of reads) {
      // An offset skips rows, so it reads them.
      const inputs = variantsOf(way, ["seen", "home"], sorts).filter(
        (input) => !JSON.stringify(input).includes('"offset"')
      )
      for (const input of inputs) {
        const [one, other] = [await costliest(way, input), await costliest(way, input)]
        found.set(`${nameOf(way)} ${JSON.stringify(input)}`, one.blocks < other.blocks ? one : other)
      }
    }
    return found
  }

  /** Makes a record of every type. Returns the number of blocks for each call of each statement, by its text. */
  const costsOfWrites = async (label: string): Promise<ReadonlyMap<string, number>> => {
    await client.query("SELECT pg_stat_statements_reset()")
    const workspaceId = twin.ids.get("seen/workspaces") ?? null
    await fill(twin, label, twin.person, { workspaceId, kind: "note", isFirst: false })
    const { rows } = await client.query<{ readonly blocks: string; readonly text: string }>(
      "SELECT (shared_blks_hit + shared_blks_read) / calls AS blocks, query AS text FROM pg_stat_statements"
    )
    return new Map(rows.filter(({ text }) => !ownWork.test(text)).map(({ blocks, text }) => [text, Number(blocks)]))
  }

  /** Makes the copies, and rejects the copied proposals, because only few proposals can wait. */
  const copyMore = async (first: number, last: number): Promise<ReadonlyArray<string>> => {
    const { rows } = await client.query<{ readonly id: string }>("SELECT id FROM proposals")
    const copied = await copyRows(client, await tables(), first, last)
    await client.query(
      "UPDATE proposals SET status = 'rejected', decided_by = user_id, decided_at = now() WHERE id <> ALL ($1)",
      [rows.map(({ id }) => id)]
    )
    await client.query("VACUUM ANALYZE proposals")
    return copied
  }

  let readCosts: readonly [Costs, Costs]
  let writeCosts: ReadonlyArray<ReadonlyMap<string, number>>
  beforeAll(async () => {
    const copied = await copyMore(1, fewer)
    assert.includeMembers([...copied], ["documents", "entities", "entity_facets", "events", "messages", "proposals"])
    const [firstReads, firstWrites] = [await costsOfReads(), await costsOfWrites("few")]
    await copyMore(fewer + 1, more)
    readCosts = [firstReads, await costsOfReads()]
    writeCosts = [firstWrites, await costsOfWrites("many")]
  }, 2_400_000)

  it("if every table has four times as many rows, no read with any filter makes the database read the further rows one by one", () => {
    const [before, after] = readCosts
    const dearer = [...after].flatMap(([name, { blocks, operation, text }]) => {
      const first = before.get(name)?.blocks ?? 0
      return blocks - first > blocksMax
        ? [{ operation, what: `${name}: ${first}, then ${blocks} blocks: ${text}` }]
        : []
    })
    assert.deepStrictEqual(
      dearer.filter(({ operation }) => !(operation in growing)).map(({ what }) => what),
      []
    )
    assert.deepStrictEqual(
      Object.keys(growing).filter((name) => !dearer.some(({ operation }) => operation === name)),
      [],
      "operations that are listed without need"
    )
  })

  it("if every table has four times as many rows, no statement that makes a record reads the further rows one by one", () => {
    const [before, after] = writeCosts
    const shared = [...(after ?? [])].filter(([text]) => before?.has(text))
    assert.isAbove(shared.length, 50)
    assert.deepStrictEqual(
      shared
        .map(([text, blocks]) => ({
          text: text.replaceAll(/\s+/g, " ").slice(-textMax),
          first: before?.get(text),
          blocks
        }))
        .filter(({ blocks, first = 0 }) => blocks - first > blocksMax),
      []
    )
  })
})
