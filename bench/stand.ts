/**
 * Sets up a stand for a benchmark: a filled database, and two servers that run on it, the pod and the floor (the
 * minimal server for comparison).
 */
import { randomBytes } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import pg from "pg"
import { type Served, serve } from "./child.ts"
import { Connections } from "./load.ts"
import { cpuOfFamily } from "./cpu.ts"
import { postmasterOf } from "./database.ts"
import { seed } from "./seed.ts"

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
   * The number of connections on which the floor sends a statement before earlier statements are answered. If this is
   * 0, the floor uses a pool.
   */
  readonly floorLanes?: string
  /** The folder of another build of the pod. If present, the pod is compared with this build instead of the floor. */
  readonly beside?: string | undefined
  /** Further settings of the pod, by their names. */
  readonly podSettings?: Readonly<Record<string, string>>
}

export interface Stand {
  readonly pod: Served
  readonly floor: Served
  readonly key: string
  /**
   * The key of an agent. The person of the agent allows its writes without approval. For each of these writes the gate
   * tries all rungs.
   */
  readonly agentKey: string
  /** Ids of some records of each type except entities, by the route name of the type. */
  readonly recordIds: Readonly<Record<string, ReadonlyArray<string>>>
  /** Ids of entities that the caller may see. */
  readonly entityIds: ReadonlyArray<string>
  readonly workspaceIds: ReadonlyArray<string>
  /**
   * The processor time of the database server so far, in microseconds. Undefined if the server does not run on this
   * machine.
   */
  readonly databaseCpu: () => number | undefined
  readonly query: <R extends pg.QueryResultRow>(text: string) => Promise<ReadonlyArray<R>>
  readonly stop: () => Promise<void>
}

const floorScript = fileURLToPath(new URL("./floor.js", import.meta.url))
const workspaces = 3 // the number of workspaces of the caller, in addition to the person's own space
const scopes = ["hub-protocol.read", "hub-protocol.write", "mcp.read", "mcp.write", "chat.stream"]

const text = "Call back, agree on the next step and write down who does what until when. ".repeat(4)

/**
 * A record of each type, about as large as an entity. The routes of these types are compared with the routes of
 * entities.
 */
const furniture = {
  tracks: { name: "Roof", description: text, settings: { status: "open", tags: ["alpha", "beta"] } },
  documents: { title: "Harbour", content: text, type: "markdown" },
  views: { name: "Board", type: "kanban", config: { groupBy: "status", text } },
  channels: { title: "Releases", type: "chat" }
}

/** Signs the owner in, and creates workspaces and a key with full access. */
const aCaller = async (port: number, email: string, password: string) => {
  const connections = new Connections(port)
  await connections.open()
  const post = async (path: string, body: unknown, token?: string) => {
    const headers = { "content-type": "application/json", ...(token === undefined ? {} : { "x-session-token": token }) }
    const { status, body: text } = await connections.ask({ method: "POST", path, headers, body: JSON.stringify(body) })
    if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`)
    return JSON.parse(text)
  }
  const { token, user } = await post("/auth/sign-in", { email, password })
  const workspaceIds: Array<string> = []
  for (let at = 1; at <= workspaces; at++) {
    const made = await post("/api/hub/workspaces/from-definition", { workspaceName: `Workspace ${at}` }, token)
    workspaceIds.push(made.workspaceId)
  }
  const minted = await post(
    "/trpc/apiKeys.create",
    { keyName: "bench", scope: scopes, grant: { permissions: ["*"] } },
    token
  )
  const agent = await post("/trpc/agents.create", { name: "Scribe", capabilities: ["*"] }, token)
  const agentId = agent.result.data.id as string
  await post("/trpc/agents.update", { agentId, writesRequireProposal: false }, token)
  for (const workspaceId of workspaceIds) {
    await post("/api/hub/workspaces/enroll-agent", { agentUserId: agentId, workspaceId, role: "editor" }, token)
  }
  const held = await post(
    "/trpc/apiKeys.create",
    { keyName: "agent", scope: scopes, grant: { permissions: ["*"] }, agentId },
    token
  )
  const recordIds: Record<string, Array<string>> = {}
  for (const [route, body] of Object.entries(furniture)) {
    recordIds[route] = []
    for (let at = 0; at < 60; at++) {
      const made = await post(`/api/hub/${route}`, { ...body, workspaceId: workspaceIds[at % workspaces] }, token)
      recordIds[route].push(made.id)
    }
  }
  connections.close()
  const keyOf = (answer: { readonly result: { readonly data: { readonly key: string } } }) => answer.result.data.key
  return { personId: user.id as string, workspaceIds, recordIds, key: keyOf(minted), agentKey: keyOf(held) }
}

const databaseNamed = (serverUrl: string, name: string) => {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

export const aStand = async (options: StandOptions): Promise<Stand> => {
  const name = `pod_bench_${randomBytes(4).toString("hex")}`
  const url = databaseNamed(options.serverUrl, name)
  const folder = mkdtempSync(join(tmpdir(), "pod-bench-"))
  const pepper = randomBytes(32).toString("base64")
  const sessionSecret = randomBytes(32).toString("base64")
  const encryptionKey = randomBytes(32).toString("base64")
  const owner = { email: "owner@example.com", password: randomBytes(18).toString("hex") }

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
        POD_PORT: "0",
        POD_RATE_LIMIT: "1000000",
        POD_KEY_PEPPER: pepper,
        POD_SESSION_SECRET: sessionSecret,
        POD_ENCRYPTION_KEY: encryptionKey,
        POD_OWNER_EMAIL: owner.email,
        POD_OWNER_PASSWORD: owner.password,
        POD_LOG_FORMAT: "json",
        ...options.podSettings
      },
      folder
    )
  const pod = await startPod("the pod", options.dist, join(folder, "pod"))
  const { agentKey, key, personId, recordIds, workspaceIds } = await aCaller(pod.port, owner.email, owner.password)
  const inside = new pg.Client({ connectionString: url })
  await inside.connect()
  const entityIds = await seed(inside, {
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
    query: async (text) => (await inside.query(text)).rows,
    stop: async () => {
      await Promise.all([pod.stop(), floor.stop()])
      await inside.end()
      await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      await admin.end()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
