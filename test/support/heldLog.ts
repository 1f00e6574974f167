/**
 * Brings calls to a point where they wait for each other in the database. So a test of simultaneous calls does not
 * depend on chance.
 */
import { aMoment } from "./aMoment.ts"
import { connected } from "./postgresServer.ts"

const patienceMs = 10_000

/**
 * Runs calls that write to one space, so that each has read its rows before any of them commits. Every write ends with
 * an event, and takes the number of the event from the row of the space in `stream_heads`. This function locks this
 * row, starts the calls in their order, waits until each of them waits in the database, and then releases the row.
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
      // A call that answers without waiting, such as a refusal, counts too.
      while ((await waiting()) + ended.size <= at && Date.now() < endMs) {
        await aMoment()
      }
    }
    await client.query("COMMIT")
    return Promise.all(answers)
  })
