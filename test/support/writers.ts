/** Clients that write as fast as they are answered, and remember exactly what they were told. */
import { randomUUID } from "node:crypto"
import { ask, type Headed, type Reply } from "./client.ts"

/** What one entity must be like by what its only writer was told. */
export interface Told {
  readonly id: string
  /** The last version that was acknowledged. */
  readonly version: number
  readonly title: string
  /** The title of a change that was sent and not answered: it may be stored or not, but not by half. */
  readonly pendingTitle: string | undefined
}

/** One request as it went: sent, and answered with a status or not at all. */
export interface Attempt {
  readonly title: string
  readonly status: number | undefined
  /** When the answer was complete. */
  readonly endedAtMs: number
}

export interface Ledger {
  readonly entities: Map<string, Told>
  readonly attempts: Array<Attempt>
  /** Creates that were sent and not answered, by title. */
  readonly unanswered: Set<string>
  /** Answers no writer should meet. */
  readonly surprises: Array<string>
}

export const aLedger = (): Ledger => ({ entities: new Map(), attempts: [], unanswered: new Set(), surprises: [] })

export interface WriterOptions {
  /** Asked before every request, because a pod that was started again listens elsewhere. */
  readonly baseUrls: ReadonlyArray<string>
  readonly headers: Headed
  readonly workspaceId: string | null
  readonly writers: number
  /** Statuses that are part of the plan, beside 200. */
  readonly expected?: ReadonlyArray<number>
}

export interface Writing {
  readonly ledger: Ledger
  /** Resolves once so many requests were acknowledged. */
  readonly acknowledged: (count: number) => Promise<void>
  /** Lets every writer finish the request it is in, and resolves when all have. */
  readonly stop: () => Promise<Ledger>
}

const bodyOf = (title: string, workspaceId: string | null) => ({
  title,
  profileSlug: "note",
  workspaceId,
  // The same mark in several columns: a torn row would disagree with itself.
  description: title,
  properties: { mark: title }
})

/** Starts the writers; each creates entities and changes them, every other request under an idempotency key. */
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
    const once: Headed = at % 2 === 0 ? { "idempotency-key": randomUUID() } : {}
    const url = baseUrls[at % baseUrls.length]
    // No answer: the pod was killed, or the connection cut. What became of the write is open.
    const reply = await ask(url, method, path, { ...headers, ...once }, body).catch(() => undefined)
    noteAnswer(title, reply)
    return reply
  }

  const change = async (at: number, told: Told): Promise<boolean> => {
    const title = `${told.title.split(" v")[0]} v${told.version + 1}`
    ledger.entities.set(told.id, { ...told, pendingTitle: title })
    const { workspaceId: _, profileSlug: __, ...fields } = bodyOf(title, workspaceId)
    const reply = await send(at, "PATCH", `/api/hub/entities/${told.id}`, title, fields)
    // An answer other than 200 says that nothing was stored, except 503, which leaves it open.
    if (reply === undefined || reply.status === 503) return false
    if (reply.status === 200) {
      ledger.entities.set(told.id, { id: told.id, version: reply.body.version, title, pendingTitle: undefined })
      return true
    }
    ledger.entities.set(told.id, told)
    return false
  }

  const writer = async (which: number) => {
    for (let turn = 0; !stopping.signal.aborted; turn++) {
      const title = `${randomUUID()} v1`
      const at = which + turn
      const reply = await send(at, "POST", "/api/hub/entities", title, bodyOf(title, workspaceId))
      if (reply === undefined || reply.status === 503) ledger.unanswered.add(title)
      if (reply?.status !== 200) {
        if (reply === undefined) return // this pod is gone
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

/** What the pod's API says otherwise than its writers were told; empty when nothing was lost and nothing is torn. */
export const faultsByApi = async (baseUrl: string, headers: Headed, ledger: Ledger): Promise<ReadonlyArray<string>> => {
  const faults: Array<string> = []
  const check = async ({ id, pendingTitle, title, version }: Told) => {
    const { body, status } = await ask(baseUrl, "GET", `/api/hub/entities/${id}`, headers)
    if (status !== 200) {
      faults.push(`entity ${id} was acknowledged and is ${status}`)
      return
    }
    const isPending = pendingTitle !== undefined && body.title === pendingTitle
    const expected = isPending ? { title: pendingTitle, version: version + 1 } : { title, version }
    const found = { title: body.title, version: body.version }
    if (JSON.stringify(found) !== JSON.stringify(expected)) {
      faults.push(`entity ${id} is ${JSON.stringify(found)} and was acknowledged as ${JSON.stringify(expected)}`)
    }
    if (body.description !== body.title || body.properties.mark !== body.title) faults.push(`entity ${id} is torn`)
  }
  const left = [...ledger.entities.values()]
  const reader = async () => {
    for (let told = left.pop(); told !== undefined; told = left.pop()) await check(told)
  }
  await Promise.all(Array.from({ length: 8 }, reader))
  return faults
}
