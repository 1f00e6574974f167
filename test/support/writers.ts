/** Clients that send their next write as soon as the previous write is answered, and record every answer. */
import { randomUUID } from "node:crypto"
import { ask, type RequestHeaders, type Reply } from "./client.ts"

/** The state that an entity must have according to the answers to its writes. Only one client writes to the entity. */
export interface ExpectedEntity {
  readonly id: string
  /** The last acknowledged version. */
  readonly version: number
  readonly title: string
  /** The title of a change that got no answer. The change is stored either completely or not at all. */
  readonly pendingTitle: string | undefined
}

/** One sent request, with the status of its answer if there was an answer. */
export interface Attempt {
  readonly title: string
  readonly status: number | undefined
  /** The time when the whole answer had arrived. */
  readonly endedAtMs: number
}

export interface Ledger {
  readonly entities: Map<string, ExpectedEntity>
  readonly attempts: Array<Attempt>
  /** The titles of entities whose create request got no answer. */
  readonly unanswered: Set<string>
  /** The answers with a status that the test does not expect. */
  readonly surprises: Array<string>
}

export const aLedger = (): Ledger => ({ entities: new Map(), attempts: [], unanswered: new Set(), surprises: [] })

export interface WriterOptions {
  /** The URLs of the pods. Writers read them before every request, because a restarted pod has another port. */
  readonly baseUrls: ReadonlyArray<string>
  readonly headers: RequestHeaders
  readonly workspaceId: string | null
  readonly writers: number
  /** The statuses that the test expects, in addition to 200. */
  readonly expected?: ReadonlyArray<number>
}

export interface Writing {
  readonly ledger: Ledger
  /** Resolves when this number of requests is acknowledged. */
  readonly acknowledged: (count: number) => Promise<void>
  /** Lets every writer finish its current request, and resolves when all writers have stopped. */
  readonly stop: () => Promise<Ledger>
}

const bodyOf = (title: string, workspaceId: string | null) => ({
  title,
  profileSlug: "note",
  workspaceId,
  // Several columns get the same value. So a partly written row has columns that differ.
  description: title,
  properties: { mark: title }
})

/** Starts the writers. Each writer creates and changes entities. Every second request has an idempotency key. */
export const startWriting = (options: WriterOptions, ledger: Ledger = aLedger()): Writing => {
  const { baseUrls, headers, workspaceId } = options
  const stopping = new AbortController()
  let count = 0
  let waiting: Array<{ readonly count: number; readonly resolve: () => void }> = []

  const noteAnswer = (title: string, reply: Reply | undefined) => {
    ledger.attempts.push({ title, status: reply?.status, endedAtMs: Date.now() })
    if (reply === undefined) return
    if (reply.status === 200) count += 1
    else if (!(options.expected ?? []).includes(reply.status)) {
      ledger.surprises.push(`${title}: ${reply.status} ${JSON.stringify(reply.body)}`)
    }
    for (const each of waiting.filter((one) => one.count <= count)) each.resolve()
    waiting = waiting.filter((one) => one.count > count)
  }

  const send = async (at: number, method: string, path: string, title: string, body: unknown) => {
    const once: RequestHeaders = at % 2 === 0 ? { "idempotency-key": randomUUID() } : {}
    const url = baseUrls[at % baseUrls.length]
    // If there is no answer, the pod was killed or the connection was cut. It is unknown whether the write is stored.
    const reply = await ask(url, method, path, { ...headers, ...once }, body).catch(() => undefined)
    noteAnswer(title, reply)
    return reply
  }

  const change = async (at: number, entity: ExpectedEntity): Promise<boolean> => {
    const title = `${entity.title.split(" v")[0]} v${entity.version + 1}`
    ledger.entities.set(entity.id, { ...entity, pendingTitle: title })
    const { workspaceId: _, profileSlug: __, ...fields } = bodyOf(title, workspaceId)
    const reply = await send(at, "PATCH", `/api/hub/entities/${entity.id}`, title, fields)
    // After 503 it is unknown whether the write is stored. After any other answer except 200, nothing is stored.
    if (reply === undefined || reply.status === 503) return false
    if (reply.status === 200) {
      ledger.entities.set(entity.id, { id: entity.id, version: reply.body.version, title, pendingTitle: undefined })
      return true
    }
    ledger.entities.set(entity.id, entity)
    return false
  }

  const writer = async (which: number) => {
    for (let turn = 0; !stopping.signal.aborted; turn++) {
      const title = `${randomUUID()} v1`
      const at = which + turn
      const reply = await send(at, "POST", "/api/hub/entities", title, bodyOf(title, workspaceId))
      if (reply === undefined || reply.status === 503) ledger.unanswered.add(title)
      if (reply?.status !== 200) {
        if (reply === undefined) return // If there is no answer, the pod has stopped.
        continue
      }
      const id = reply.body.id as string
      ledger.entities.set(id, { id, version: 1, title, pendingTitle: undefined })
      for (let changes = turn % 3; changes > 0 && !stopping.signal.aborted; changes--) {
        if (!(await change(at + changes, ledger.entities.get(id)!))) break
      }
    }
  }

  const all = Promise.all(Array.from({ length: options.writers }, (_, which) => writer(which)))
  return {
    ledger,
    acknowledged: (wanted) =>
      count >= wanted
        ? Promise.resolve()
        : new Promise((resolve) => waiting.push({ count: wanted, resolve: () => resolve() })),
    stop: async () => {
      stopping.abort()
      await all
      return ledger
    }
  }
}

/**
 * Compares the rows that the API returns with the writes that were acknowledged, and returns the differences. Empty if
 * no write is lost or partial.
 */
export const faultsByApi = async (
  baseUrl: string,
  headers: RequestHeaders,
  ledger: Ledger
): Promise<ReadonlyArray<string>> => {
  const faults: Array<string> = []
  const check = async ({ id, pendingTitle, title, version }: ExpectedEntity) => {
    const { body, status } = await ask(baseUrl, "GET", `/api/hub/entities/${id}`, headers)
    if (status !== 200) {
      faults.push(`entity ${id} was acknowledged and its read answers ${status}`)
      return
    }
    const isPending = pendingTitle !== undefined && body.title === pendingTitle
    const expected = isPending ? { title: pendingTitle, version: version + 1 } : { title, version }
    const found = { title: body.title, version: body.version }
    if (JSON.stringify(found) !== JSON.stringify(expected)) {
      faults.push(`entity ${id} is ${JSON.stringify(found)} and was acknowledged as ${JSON.stringify(expected)}`)
    }
    if (body.description !== body.title || body.properties.mark !== body.title)
      faults.push(`entity ${id} is partly written`)
  }
  const remaining = [...ledger.entities.values()]
  const reader = async () => {
    for (let entity = remaining.pop(); entity !== undefined; entity = remaining.pop()) await check(entity)
  }
  await Promise.all(Array.from({ length: 8 }, reader))
  return faults
}
