/** Starts the built pod on a new database. Also makes a workspace, and a client that calls the pod over HTTP. */
import { randomBytes } from "node:crypto"
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pg from "pg"
import { serve } from "../child.ts"
import { cpuOf } from "../cpu.ts"

export interface ServedPod {
  readonly workspaceId: string
  /** Sends a request. Fails if the answer does not have the status 200. */
  readonly post: (path: string, body: unknown) => Promise<unknown>
  /** Returns the processor time of the pod so far in milliseconds, with all its threads. */
  readonly cpuMs: () => number
  /** Returns the memory that the pod's process uses, in MB. */
  readonly memoryMb: () => number
  /** Returns the size of the database on disk, in MB. */
  readonly databaseMb: () => Promise<number>
  /** Kills the pod with SIGKILL, and starts a new process on the same data. */
  readonly killAndStart: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** Creates a database on a server. Returns the URL of the database, and a function that removes the database. */
const aDatabase = async (serverUrl: string) => {
  const name = `pod_bench_${randomBytes(4).toString("hex")}`
  const admin = new pg.Client({ connectionString: serverUrl })
  await admin.connect()
  await admin.query(`CREATE DATABASE ${name}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return {
    url: url.href,
    sizeMb: async () => {
      const { rows } = await admin.query<{ size: string }>("SELECT pg_database_size($1)::text AS size", [name])
      return Number(rows[0].size) / 1024 / 1024
    },
    remove: async () => {
      await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      await admin.end()
    }
  }
}

const fieldOf = (value: unknown, name: string): string =>
  typeof value === "object" && value !== null ? String(Reflect.get(value, name)) : ""

const folderMb = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0) /
  1024 /
  1024

/**
 * Starts a pod. `serverUrl` is the URL of a PostgreSQL server. If it is undefined, the pod uses the embedded engine.
 */
export const aServedPod = async (dist: string, serverUrl: string | undefined): Promise<ServedPod> => {
  const folder = mkdtempSync(join(tmpdir(), "pod-bench-"))
  const database = serverUrl === undefined ? undefined : await aDatabase(serverUrl)
  const owner = { email: "owner@example.com", password: randomBytes(18).toString("hex") }
  const environment = {
    ...(database === undefined ? {} : { POD_DATABASE_URL: database.url }),
    POD_DATA_DIR: folder,
    POD_PORT: "0",
    POD_RATE_LIMIT: "1000000",
    POD_OWNER_EMAIL: owner.email,
    POD_OWNER_PASSWORD: owner.password,
    POD_LOG_FORMAT: "json"
  }
  const start = () => serve("the pod", [join(dist, "main.js")], environment, folder)
  let pod = await start()
  const send = async (path: string, body: unknown, headers: Readonly<Record<string, string>>): Promise<unknown> => {
    const answer = await fetch(`http://127.0.0.1:${pod.port}${path}`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(body)
    })
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return answer.json()
  }
  const session = { "x-session-token": fieldOf(await send("/auth/sign-in", owner, {}), "token") }
  const made = await send("/api/hub/workspaces/from-definition", { workspaceName: "Collection" }, session)
  return {
    workspaceId: fieldOf(made, "workspaceId"),
    post: (path, body) => send(path, body, session),
    cpuMs: () => cpuOf(pod.pid) / 1000,
    memoryMb: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pod.pid}/status`, "utf8"))?.[1] ?? 0) / 1024,
    databaseMb: async () => database?.sizeMb() ?? folderMb(join(folder, "pg")),
    killAndStart: async () => {
      await pod.kill()
      pod = await start()
    },
    stop: async () => {
      await pod.stop()
      await database?.remove()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
