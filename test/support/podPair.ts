/**
 * Starts two built pods on one PostgreSQL database, or prepares the data directory of one pod. All tests of a suite
 * then use these pods.
 */
import pg from "pg"
import { afterAll, beforeAll } from "vitest"
import { aFolder, type BuiltPod, startPod } from "./builtPod.ts"
import { type RequestHeaders, createWorkspace, signInOwner } from "./client.ts"
import { aFaultProxy, type FaultProxy } from "./faultProxy.ts"
import type { Ask } from "./integrity.ts"
import { anEmbedded } from "./pgliteImage.ts"
import { aDatabaseOn, describePostgres, type TestDatabase } from "./postgres.ts"

export interface PodPair {
  readonly databaseUrl: string
  readonly first: BuiltPod
  /** The second pod. It connects to the database through the proxy. */
  readonly second: BuiltPod
  readonly baseUrls: ReadonlyArray<string>
  readonly proxy: FaultProxy
  readonly session: RequestHeaders
  readonly workspaceId: string
  /** Runs a statement directly on the database, as its owner. */
  readonly ask: Ask
}

const startPair = async (databaseUrl: string): Promise<PodPair & { readonly stop: () => Promise<void> }> => {
  const folders = [aFolder(), aFolder()] as const
  const proxy = await aFaultProxy(databaseUrl)
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const first = await startPod({ dataDir: folders[0].path, environment: { POD_DATABASE_URL: databaseUrl } })
  const second = await startPod({
    dataDir: folders[1].path,
    environment: { POD_DATABASE_URL: proxy.through(databaseUrl) }
  })
  const session = await signInOwner(first.baseUrl)
  return {
    databaseUrl,
    first,
    second,
    baseUrls: [first.baseUrl, second.baseUrl],
    proxy,
    session,
    workspaceId: await createWorkspace(first.baseUrl, session, "Shared"),
    ask: (text) => client.query<Record<string, unknown>>(text).then(({ rows }) => rows),
    stop: async () => {
      await Promise.all([first.kill(), second.kill()])
      await proxy.close()
      await client.end()
      for (const folder of folders) folder.remove()
    }
  }
}

/** Runs a suite with two built pods. They exist only inside the tests of the suite. */
export const describePodPair = (name: string, suite: (pair: PodPair) => void): void =>
  describePostgres(name, (server) => {
    let database: TestDatabase
    let pair: Awaited<ReturnType<typeof startPair>>
    beforeAll(async () => {
      database = await aDatabaseOn(server)
      pair = await startPair(database.url)
    })
    afterAll(async () => {
      await pair?.stop()
      await database?.drop()
    })
    suite({
      get databaseUrl() {
        return database.url
      },
      get first() {
        return pair.first
      },
      get second() {
        return pair.second
      },
      get baseUrls() {
        return pair.baseUrls
      },
      get proxy() {
        return pair.proxy
      },
      get session() {
        return pair.session
      },
      get workspaceId() {
        return pair.workspaceId
      },
      ask: (text) => pair.ask(text)
    })
  })

/** Makes a data directory that already contains a migrated database, so that a pod starts on it sooner. */
export const aPreparedFolder = async (): Promise<ReturnType<typeof aFolder>> => {
  const folder = aFolder()
  const lite = await anEmbedded({ dataDir: `${folder.path}/pg` })
  await lite.close()
  return folder
}
