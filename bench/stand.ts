/**
 * Prepares a benchmark: a filled database, and two servers on it. The servers are the pod and the floor (the minimal
 * server for comparison).
 */
import { randomBytes } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import pg from "pg"
import { type Served, serve } from "./child.ts"
import { aCaller } from "./caller.ts"
import { cpuOfFamily } from "./cpu.ts"
import { postmasterOf } from "./database.ts"
import { asking, seed } from "./seed.ts"

export interface StandOptions {
  /** The URL of a PostgreSQL server on which the benchmark may create databases. */
  readonly serverUrl: string
  /** The folder of the built pod. */
  readonly dist: string
  readonly rows: number
  /** The share of the rows that the caller may see, from 0 to 1. */
  readonly visibleShare: number
  /** Flags of Node for the pod's process. */
  readonly nodeFlags?: ReadonlyArray<string>
  /**
   * The number of lanes of the minimal server. A lane is a connection on which this server sends a statement before
   * earlier statements are answered. If the number is 0, the server uses a pool.
   */
  readonly floorLanes?: string
  /**
   * The folder of another build of the pod. If present, the benchmark compares the pod with this build and not with the
   * minimal server.
   */
  readonly beside?: string | undefined
  /** More settings of the pod, by name. */
  readonly podSettings?: Readonly<Record<string, string>>
}

export interface Stand {
  readonly pod: Served
  readonly floor: Served
  readonly key: string
  /**
   * The key of an agent whose person allows its writes without approval. For each of these writes the governance gate
   * tries all its rules.
   */
  readonly agentKey: string
  /** Ids of some records of each type except entities, by the name of the type in routes. */
  readonly recordIds: Readonly<Record<string, ReadonlyArray<string>>>
  /** Ids of entities that the caller may see. */
  readonly entityIds: ReadonlyArray<string>
  readonly workspaceIds: ReadonlyArray<string>
  /**
   * Returns the processor time of the database server so far, in microseconds. Returns undefined if the server does not
   * run on this machine.
   */
  readonly databaseCpu: () => number | undefined
  /** Counts all events. Returns undefined if no process except the two servers can read the database. */
  readonly countEvents: (() => Promise<number>) | undefined
  readonly stop: () => Promise<void>
}

export const floorScript = fileURLToPath(new URL("./floor.js", import.meta.url))
const databaseNamed = (serverUrl: string, name: string) => {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

/**
 * Makes the secrets of a pod and the account of its owner. Another process or a later start can use the same secrets.
 */
export const someSecrets = () => ({
  owner: { email: "owner@example.com", password: randomBytes(18).toString("hex") },
  pepper: randomBytes(32).toString("base64"),
  sessionSecret: randomBytes(32).toString("base64"),
  encryptionKey: randomBytes(32).toString("base64")
})

/** Returns the settings of a pod in a benchmark. */
export const settingsOf = ({ encryptionKey, owner, pepper, sessionSecret }: ReturnType<typeof someSecrets>) => ({
  POD_PORT: "0",
  POD_RATE_LIMIT: "1000000",
  POD_KEY_PEPPER: pepper,
  POD_SESSION_SECRET: sessionSecret,
  POD_ENCRYPTION_KEY: encryptionKey,
  POD_OWNER_EMAIL: owner.email,
  POD_OWNER_PASSWORD: owner.password,
  POD_LOG_FORMAT: "json"
})

export const aStand = async (options: StandOptions): Promise<Stand> => {
  const name = `pod_bench_${randomBytes(4).toString("hex")}`
  const url = databaseNamed(options.serverUrl, name)
  const folder = mkdtempSync(join(tmpdir(), "pod-bench-"))
  const secrets = someSecrets()
  const { owner, pepper } = secrets

  const admin = new pg.Client({ connectionString: options.serverUrl })
  await admin.connect()
  await admin.query(`CREATE DATABASE ${name}`)
  const startPod = (title: string, dist: string, dataFolder: string) =>
    serve(
      title,
      [...(options.nodeFlags ?? []), join(dist, "main.js")],
      {
        POD_DATABASE_URL: url,
        POD_DATA_DIR: dataFolder,
        ...settingsOf(secrets),
        ...options.podSettings
      },
      folder
    )
  const pod = await startPod("the pod", options.dist, join(folder, "pod"))
  const { agentKey, key, personId, recordIds, workspaceIds } = await aCaller(pod.port, owner.email, owner.password)
  const inside = new pg.Client({ connectionString: url })
  await inside.connect()
  const entityIds = await seed(asking(inside), {
    rows: options.rows,
    visible: Math.round(options.rows * options.visibleShare),
    personId,
    spaceIds: [personId, ...workspaceIds]
  })
  const floor =
    options.beside === undefined
      ? await serve(
          "the floor",
          [floorScript],
          { FLOOR_DATABASE_URL: url, FLOOR_PEPPER: pepper, FLOOR_LANES: options.floorLanes ?? "0" },
          folder
        )
      : await startPod("the other pod", options.beside, join(folder, "beside"))
  const postmaster = await postmasterOf(inside)
  return {
    pod,
    floor,
    key,
    agentKey,
    recordIds,
    entityIds,
    workspaceIds,
    databaseCpu: () => (postmaster === undefined ? undefined : cpuOfFamily(postmaster)),
    countEvents: async () => (await inside.query<{ n: number }>("SELECT count(*)::int AS n FROM events")).rows[0].n,
    stop: async () => {
      await Promise.all([pod.stop(), floor.stop()])
      await inside.end()
      await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      await admin.end()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
