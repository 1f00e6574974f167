/**
 * Starts two pods on one PostgreSQL database, or prepares the data directory of one pod. All tests of a suite then use
 * these pods.
 */
import pg from "pg"
import { aFolder, type BuiltPod, startPod } from "./builtPod.ts"
import { type RequestHeaders, createWorkspace, signInOwner } from "./client.ts"
import { aFaultProxy, type FaultProxy } from "./faultProxy.ts"
import type { Ask } from "./integrity.ts"
import { anEmbedded } from "./pgliteImage.ts"

export interface PodPair {
  readonly first: BuiltPod
  /** The second pod. It connects to the database through the proxy. */
  readonly second: BuiltPod
  readonly baseUrls: ReadonlyArray<string>
  readonly proxy: FaultProxy
  readonly session: RequestHeaders
  readonly workspaceId: string
  /** Runs a statement directly on the database, as its owner. */
  readonly ask: Ask
  readonly stop: () => Promise<void>
}

export const aPodPair = async (databaseUrl: string): Promise<PodPair> => {
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

/** Makes a data directory that already contains a migrated database, so that a pod starts on it sooner. */
export const aPreparedFolder = async (): Promise<ReturnType<typeof aFolder>> => {
  const folder = aFolder()
  const lite = await anEmbedded({ dataDir: `${folder.path}/pg` })
  await lite.close()
  return folder
}
