/** Kills a pod under load, starts it again, and checks that every write that the pod acknowledged is stored. */
import { PGlite } from "@electric-sql/pglite"
import { assert } from "@effect/vitest"
import { aFolder, type BuiltPod, startPod } from "./builtPod.ts"
import { createKey, createWorkspace, signInOwner } from "./client.ts"
import { brokenLaws } from "./integrity.ts"
import { aPreparedFolder } from "./podPair.ts"
import { connected } from "./postgresServer.ts"
import { aLedger, faultsByApi, type Ledger, startWriting } from "./writers.ts"

export interface KillRounds {
  readonly rounds: number
  readonly writers: number
  /**
   * In each round the pod acknowledges at least this number of requests before the kill. A random number of further
   * requests comes before the kill too.
   */
  readonly acknowledgedLeast: number
  readonly environment?: Readonly<Record<string, string>>
  /** The URL of a PostgreSQL database. If it is absent, the pod uses its embedded database. */
  readonly databaseUrl?: string
  /**
   * Kills another process instead of the pod in each round, such as the database server. The pod must then continue
   * without a restart.
   */
  readonly strike?: (pod: BuiltPod) => Promise<void>
}

export interface KillReport {
  readonly acknowledged: number
  readonly entities: number
  readonly unanswered: number
}

const lawsOf = (dataDir: string, databaseUrl: string | undefined): Promise<ReadonlyArray<string>> =>
  databaseUrl === undefined
    ? (async () => {
        const lite = await PGlite.create({ dataDir: `${dataDir}/pg` })
        return brokenLaws((text) => lite.query<Record<string, unknown>>(text).then(({ rows }) => rows)).finally(() =>
          lite.close()
        )
      })()
    : connected(databaseUrl, (client) =>
        brokenLaws((text) => client.query<Record<string, unknown>>(text).then(({ rows }) => rows))
      )

const merge = (all: Ledger, round: Ledger) => {
  for (const entity of round.entities.values()) all.entities.set(entity.id, entity)
  for (const title of round.unanswered) all.unanswered.add(title)
  all.attempts.push(...round.attempts)
}

/**
 * Runs the rounds. Fails with a list of all lost, partial or unordered writes. Returns the numbers of acknowledged
 * writes, of entities, and of writes without an answer.
 */
export const killRounds = async (options: KillRounds): Promise<KillReport> => {
  const folder = options.databaseUrl === undefined ? await aPreparedFolder() : aFolder()
  const environment = {
    ...options.environment,
    ...(options.databaseUrl === undefined ? {} : { POD_DATABASE_URL: options.databaseUrl })
  }
  const start = () => startPod({ dataDir: folder.path, environment })
  const all = aLedger()
  let pod = await start()
  try {
    const session = await signInOwner(pod.baseUrl)
    const { headers } = await createKey(pod.baseUrl, session)
    const workspaces = [await createWorkspace(pod.baseUrl, session, "Killed"), null]
    for (let round = 0; round < options.rounds; round++) {
      const writing = startWriting({
        baseUrls: [pod.baseUrl],
        headers,
        workspaceId: workspaces[round % 2]!,
        writers: options.writers,
        expected: options.strike === undefined ? [] : [503]
      })
      const least = options.acknowledgedLeast
      await writing.acknowledged(least + Math.floor(Math.random() * least))
      if (options.strike === undefined) {
        await pod.kill()
        const ledger = await writing.stop()
        merge(all, ledger)
        pod = await start()
      } else {
        await options.strike(pod)
        // After the crash of the other process, the pod must answer again without a restart.
        await writing.acknowledged(3 * least)
        merge(all, await writing.stop())
      }
      assert.deepStrictEqual(writing.ledger.surprises, [], `round ${round}`)
      assert.deepStrictEqual(await faultsByApi(pod.baseUrl, headers, writing.ledger), [], `round ${round}`)
    }
    // The later kills must not lose a write that was stored after an earlier kill.
    assert.deepStrictEqual(await faultsByApi(pod.baseUrl, headers, all), [], "after all rounds")
    assert.deepStrictEqual(await pod.terminate(), { code: 0, signal: null })
    assert.deepStrictEqual(await lawsOf(folder.path, options.databaseUrl), [])
  } finally {
    await pod.kill()
    folder.remove()
  }
  const acknowledged = all.attempts.filter(({ status }) => status === 200).length
  return { acknowledged, entities: all.entities.size, unanswered: all.unanswered.size }
}
