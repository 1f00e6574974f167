/**
 * Revokes a key while many clients write with it, and counts the rows that are committed after the answer to the
 * revocation.
 */
import { assert } from "@effect/vitest"
import { randomUUID } from "node:crypto"
import { ask, type RequestHeaders, createKey, refusedEverywhereInMs, revoke, tryCredential } from "./client.ts"
import type { Ask } from "./integrity.ts"

export interface RevocationRounds {
  readonly baseUrls: ReadonlyArray<string>
  readonly session: RequestHeaders
  readonly workspaceId: string
  readonly rounds: number
  readonly writers: number
  /** Runs a statement directly on the database. If absent, rows are counted through the API. */
  readonly ask?: Ask
  /**
   * Runs directly before the revocation of each round. A test can, for example, cut the connections over which pods
   * tell each other about revocations.
   */
  readonly before?: () => Promise<void>
}

export interface RevocationReport {
  readonly accepted: number
  readonly refused: number
  /** The times from each revocation request to its answer, in milliseconds. */
  readonly revokedInMs: ReadonlyArray<number>
  /** The longest time in milliseconds for which a pod still accepted a revoked key in a call that reads no row. */
  readonly refusedEverywhereInMs: number
}

interface Sent {
  readonly title: string
  readonly startedAfterRevoke: boolean
  readonly status: number
}

/** Returns the titles of the rows that were stored in a round. */
const storedTitles = async (options: RevocationRounds, mark: string): Promise<ReadonlySet<string>> => {
  if (options.ask !== undefined) {
    const rows = await options.ask(`SELECT title FROM entities WHERE title LIKE '${mark}%'`)
    return new Set(rows.map(({ title }) => String(title)))
  }
  const titles = new Set<string>()
  const page = 200
  for (let offset = 0; ; offset += page) {
    const path = `/api/hub/entities?workspaceId=${options.workspaceId}&limit=${page}&offset=${offset}`
    const { body } = await ask(options.baseUrls[0] ?? "", "GET", path, options.session)
    for (const { title } of body) if (String(title).startsWith(mark)) titles.add(title)
    if (body.length < page) return titles
  }
}

const atRandom = <A>(all: ReadonlyArray<A>): A => all[Math.floor(Math.random() * all.length)]

const round = async (options: RevocationRounds) => {
  const { baseUrls, session, workspaceId } = options
  const mark = randomUUID()
  const key = await createKey(atRandom(baseUrls), session)
  const sent: Array<Sent> = []
  let isRevoked = false
  let begin = () => {}
  const busy = new Promise<void>((resolve) => (begin = resolve))
  const acceptedLeast = options.writers + Math.floor(Math.random() * options.writers * 2)

  const writer = async (which: number) => {
    for (let turn = 0; ; turn++) {
      const title = `${mark} ${which} ${turn}`
      const startedAfterRevoke = isRevoked
      const once: RequestHeaders = turn % 2 === 0 ? {} : { "idempotency-key": randomUUID() }
      const body = { title, profileSlug: "note", workspaceId }
      const at = baseUrls[(which + turn) % baseUrls.length] ?? ""
      const { status } = await ask(at, "POST", "/api/hub/entities", { ...key.headers, ...once }, body)
      sent.push({ title, startedAfterRevoke, status })
      if (sent.length >= acceptedLeast) begin()
      if (status !== 200) return
    }
  }
  const writing = Promise.all(Array.from({ length: options.writers }, (_, which) => writer(which)))
  await Promise.race([busy, writing])
  await options.before?.()
  const askedAt = performance.now()
  const once: RequestHeaders = Math.random() < 0.5 ? {} : { "idempotency-key": randomUUID() }
  const answer = await revoke(atRandom(baseUrls), session, key.id, once)
  const revokedInMs = performance.now() - askedAt
  isRevoked = true
  assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
  const [storedThen, refusedInMs, ...uses] = await Promise.all([
    storedTitles(options, mark),
    Promise.all(baseUrls.map((baseUrl) => refusedEverywhereInMs(baseUrl, key.headers))),
    ...baseUrls.map((baseUrl) => tryCredential(baseUrl, key.headers))
  ])
  await writing
  const storedInTheEnd = await storedTitles(options, mark)

  assert.deepStrictEqual([...new Set(uses.flat())], [401], "every use of a revoked key must be answered with 401")
  assert.deepStrictEqual(
    [...storedInTheEnd].filter((title) => !storedThen.has(title)),
    [],
    "no row may be committed after the revocation's answer"
  )
  const wrong = sent.filter(
    ({ startedAfterRevoke, status, title }) =>
      (status === 200) !== storedInTheEnd.has(title) ||
      ![200, 401].includes(status) ||
      (startedAfterRevoke && status === 200)
  )
  assert.deepStrictEqual(wrong, [], "every answer must agree with what is stored")
  return {
    revokedInMs,
    refusedInMs: Math.max(...refusedInMs),
    accepted: storedInTheEnd.size,
    refused: sent.filter(({ status }) => status === 401).length
  }
}

/** Runs the rounds. Fails with a list of the writes that were stored after the revocation or got a wrong answer. */
export const revocationRounds = async (options: RevocationRounds): Promise<RevocationReport> => {
  const all: Array<Awaited<ReturnType<typeof round>>> = []
  for (let at = 0; at < options.rounds; at++) all.push(await round(options))
  return {
    accepted: all.reduce((sum, { accepted }) => sum + accepted, 0),
    refused: all.reduce((sum, { refused }) => sum + refused, 0),
    revokedInMs: all.map(({ revokedInMs }) => revokedInMs),
    refusedEverywhereInMs: Math.max(...all.map(({ refusedInMs }) => refusedInMs))
  }
}
