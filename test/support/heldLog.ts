/**
 * Makes simultaneous calls wait for each other in the database, so that the outcome of a test does not depend on
 * chance.
 */
import { aMoment } from "./aMoment.ts"
import { connected } from "./postgresServer.ts"

const patienceMs = 10_000

/**
 * Runs simultaneous calls that write to one space, so that each call has read its rows before any of them commits.
 * Every write takes the number of its event from the row of the space in `stream_heads`. This function locks this row,
 * starts the calls in their order, waits until each call waits for the lock, and then releases the lock.
 */
export const whileLogIsHeld = <A>(
  databaseUrl: string,
  spaceId: string,
  calls: ReadonlyArray<() => Promise<A>>
): Promise<ReadonlyArray<A>> =>
  connected(databaseUrl, async (client) => {
    const waiting = async () => {
      const { rows } = await client.query<{ readonly count: number }>(
        `SELECT count(*)::integer AS count FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`
      )
      return rows[0]?.count ?? 0
    }
    const ended = new Set<number>()
    await client.query("BEGIN")
    await client.query("SELECT FROM stream_heads WHERE space_id = $1 FOR UPDATE", [spaceId])
    const answers: Array<Promise<A>> = []
    const endMs = Date.now() + patienceMs
    for (const [at, call] of calls.entries()) {
      answers.push(call().finally(() => ended.add(at)))
      // A call that ends without waiting for the lock, such as a refused call, is counted like a waiting call.
      while ((await waiting()) + ended.size <= at && Date.now() < endMs) {
        await aMoment()
      }
    }
    await client.query("COMMIT")
    return Promise.all(answers)
  })
