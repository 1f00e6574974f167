/**
 * Runs random orders of concurrent requests about one proposal. The requests are edits, approvals, rejections, direct
 * writes and revocations of keys.
 */
import { assert } from "@effect/vitest"
import { uuidv7 } from "../../src/platform/Ids.ts"
import type { Answer, Caller, TestPod } from "./pod.ts"
import { randomFrom, shuffled } from "./random.ts"

interface Effects {
  readonly description?: string
  readonly title?: string
  readonly a?: unknown
  readonly b?: unknown
}

/** The outcome of one case, for the report. */
export type Outcome = "applied" | "settled otherwise" | "still pending"

interface Case {
  readonly pod: TestPod
  readonly entityId: string
  readonly proposalId: string
  readonly agent: Caller & { readonly id: string }
  /** The changes that each request would make to the entity, by the correlation id of the request. */
  readonly effects: Map<string, Effects>
  /** The changes that each content of the proposal would make to the entity, by the hash of the content. */
  readonly contents: Map<string, Effects>
  readonly approvals: Array<{ readonly hash: string; readonly startedAt: number; readonly answer: Answer }>
  /** The time when the request that ended the proposal was answered. An approval that begins later must fail. */
  endedAt: number
  clock: number
  hasSuccessor: boolean
}

const tag = () => ({ "x-request-id": uuidv7() })

const effectOf = (content: any): Effects => ({
  ...(content.description === undefined ? {} : { description: content.description }),
  ...(content.properties === undefined ? {} : { a: content.properties.a })
})

const proposal = (at: Case) => at.pod.owner.send("GET", `/api/hub/proposals/${at.proposalId}`)

const direct = (body: object, effects: Effects) => async (at: Case) => {
  const headers = tag()
  at.effects.set(headers["x-request-id"], effects)
  const { status } = await at.pod.owner.send("PATCH", `/api/hub/entities/${at.entityId}`, body, headers)
  assert.strictEqual(status, 200)
}

const approve = async (at: Case, hash: string) => {
  const startedAt = at.clock++
  const headers = tag()
  const path = `/api/hub/proposals/${at.proposalId}/approve`
  const answer = await at.pod.owner.send("POST", path, { contentHash: hash }, headers)
  assert.include([200, 409], answer.status, JSON.stringify(answer.body))
  at.approvals.push({ hash, startedAt, answer })
  if (answer.status === 200) at.effects.set(headers["x-request-id"], at.contents.get(hash)!)
}

const edit = (by: (at: Case) => Caller, data: object) => async (at: Case) => {
  const { body, status } = await by(at).send("PATCH", `/api/hub/proposals/${at.proposalId}`, { data })
  assert.include([200, 401, 409], status, JSON.stringify(body))
  if (status === 200) at.contents.set(body.contentHash, effectOf(body.data.data))
}

const ends = (answered: (at: Case) => Promise<Answer>) => async (at: Case) => {
  const { status, body } = await answered(at)
  assert.include([200, 401, 409], status, JSON.stringify(body))
  if (status === 200) at.endedAt = Math.min(at.endedAt, at.clock++)
}

const rejecting = (by: (at: Case) => Caller) =>
  ends((at) => by(at).send("POST", `/api/hub/proposals/${at.proposalId}/reject`, { reason: "Not now." }))

let counter = 0
const fresh = (what: string) => `${what} ${(counter += 1)}`

/**
 * Sends `reads` other requests, and then writes the entity. Because of this delay, some writes happen in the middle of
 * an approval.
 */
const belated = async (at: Case, reads: number) => {
  for (let read = 0; read < reads; read += 1) await at.pod.owner.send("GET", "/livez")
  const description = fresh("a moment later")
  await direct({ description }, { description })(at)
}

/** The actions of a case. The first action approves the content that the proposal had when it was filed. */
const actions: ReadonlyArray<(at: Case) => Promise<void>> = [
  (at) => approve(at, [...at.contents.keys()][0]),
  async (at) => {
    const { body } = await proposal(at)
    at.contents.set(body.contentHash, effectOf(body.data.data))
    await approve(at, body.contentHash)
  },
  (at) => edit(({ agent }) => agent, { description: fresh("edited by the agent") })(at),
  (at) => edit(({ pod }) => pod.owner, { description: fresh("edited by the person") })(at),
  rejecting(({ pod }) => pod.owner),
  rejecting(({ agent }) => agent),
  async (at) => {
    const answer = await at.pod.owner.mutate("apiKeys.revoke", { keyId: at.agent.id })
    assert.strictEqual(answer.status, 200)
    if (!at.hasSuccessor) at.endedAt = Math.min(at.endedAt, at.clock++)
  },
  async (at) => {
    // The new key takes over the proposals of the old key. So when the old key is revoked after this, no proposal ends.
    at.hasSuccessor = true
    await at.pod.owner.mutate("apiKeys.rotate", { keyId: at.agent.id })
  },
  (at) => {
    const description = fresh("written meanwhile")
    return direct({ description }, { description })(at)
  },
  (at) => {
    const b = fresh("b")
    return direct({ properties: { b } }, { b })(at)
  },
  (at) => {
    const title = fresh("title")
    return direct({ title }, { title })(at)
  }
]

const ok = (answer: Answer) => {
  assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}

/** Returns the state of the entity after all changes in the event log, applied in their order. */
const replayed = async (at: Case, start: Required<Effects>): Promise<Required<Effects>> => {
  const { result } = ok(await at.pod.owner.query("events.list", { type: "entity.note.update", limit: 100 }))
  const updates = (result.data as ReadonlyArray<any>)
    .filter(({ subjectId }) => subjectId === at.entityId)
    .toSorted((one, other) => one.seq - other.seq)
  const asFiled = [...at.contents.values()][0]
  return updates.reduce<Required<Effects>>((state, { correlationId }) => {
    const effects = at.effects.get(correlationId)
    assert.isDefined(effects, "every change must come from a request of this case")
    // The first content of the proposal sets the description, based on the initial entity. If another request changes
    // the description before the approval, the approval must fail. Otherwise the change of that request would be lost.
    if (effects === asFiled) assert.strictEqual(state.description, start.description, "a lost update")
    return { ...state, ...effects }
  }, start)
}

/**
 * Runs one random case. The seed decides which requests the case has and in which order they run. Fails if the applied
 * change was not approved, or was applied more than once.
 */
export const interleaving = async (pod: TestPod, agentId: string, seed: number): Promise<Outcome> => {
  const random = randomFrom(seed)
  const start = { title: "t", description: "d", a: 0, b: 0 }
  const made = ok(
    await pod.owner.send("POST", "/api/hub/entities", {
      title: start.title,
      description: start.description,
      properties: { a: 0, b: 0 }
    })
  )
  const agent = await pod.aKey(pod.owner, { agentId })
  const asked = ok(
    await agent.send("PATCH", `/api/hub/entities/${made.id}`, {
      description: fresh("p"),
      properties: { a: fresh("p") }
    })
  )
  const at: Case = {
    pod,
    entityId: made.id,
    proposalId: asked.proposalId,
    agent,
    effects: new Map(),
    contents: new Map(),
    approvals: [],
    endedAt: Infinity,
    clock: 0,
    hasSuccessor: false
  }
  const filed = ok(await proposal(at))
  at.contents.set(filed.contentHash, effectOf(filed.data.data))

  // Each case has at least two approvals, so that they compete. The other actions are random. Some actions run at the
  // same time, and some run one after another.
  const chosen = [
    actions[0],
    actions[1],
    ...Array.from({ length: 2 + random(4) }, () => actions[random(actions.length)])
  ]
  const order = shuffled(chosen, random)
  if (random(2) === 0) await Promise.all([actions[0](at), belated(at, random(12))])
  while (order.length > 0) {
    await Promise.all(order.splice(0, 1 + random(4)).map((action) => action(at)))
  }

  const { status } = ok(await proposal(at))
  const applied = at.approvals.filter(({ answer }) => answer.status === 200)
  assert.isAtMost(applied.length, 1, "a proposal is applied at most once")
  assert.strictEqual(status === "approved", applied.length === 1, `the proposal is ${status}`)
  for (const { startedAt } of applied)
    assert.isBelow(startedAt, at.endedAt, "an approval must start before the proposal ended")
  const now = ok(await pod.owner.send("GET", `/api/hub/entities/${at.entityId}`))
  assert.deepStrictEqual(
    { title: now.title, description: now.description, a: now.properties.a, b: now.properties.b },
    await replayed(at, start)
  )
  return applied.length === 1 ? "applied" : status === "pending" ? "still pending" : "settled otherwise"
}

/**
 * Runs this many random cases. The seed decides what happens in the cases. Returns how many cases had each outcome. If
 * a case fails, the error names its seed.
 */
export const interleavings = async (
  pod: TestPod,
  seed: number,
  cases: number
): Promise<Readonly<Record<Outcome, number>>> => {
  const agent = ok(await pod.owner.mutate("agents.create", { name: "Scribe", capabilities: ["*"] }))
  const counts = { applied: 0, "settled otherwise": 0, "still pending": 0 }
  for (let each = 0; each < cases; each += 1) {
    try {
      counts[await interleaving(pod, agent.result.data.id, seed + each)] += 1
    } catch (error) {
      throw new Error(`interleaving with seed ${seed + each}: ${String(error)}`, { cause: error })
    }
  }
  return counts
}
