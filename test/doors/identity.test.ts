/**
 * The holder of the credential is always the actor. No field of a request changes that, and a new agent can only read.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { afterAll, beforeAll } from "vitest"
import { eventTable } from "../../src/features/events/EventTable.ts"
import { MemoryDatabase } from "../../src/platform/MemoryDatabase.ts"
import { aPod, type Caller, openingScopes, type TestPod } from "../support/pod.ts"
import { everyNth } from "../support/everyNth.ts"
import { aStoredKey } from "./callers.ts"
import { ledgerOf } from "./ledger.ts"
import { type Approach, ask, type CallResult, nameOf, namesItsPerson, startsWork } from "./surfaces.ts"
import { type Known, sampleFor, withFields } from "./samples.ts"
import { type Things, makeThings } from "./things.ts"
import { allApproaches } from "./walk.ts"
import { aRow } from "./world.ts"

let pod: TestPod
let ways: ReadonlyArray<Approach>
let maker: Caller & { readonly id: string }
let victim: Caller & { readonly id: string }
let agent: Caller
let key: Caller
let things: Things
let known: Known
beforeAll(async () => {
  pod = await aPod({ kind: "memory" })
  ways = (await allApproaches(pod, false)).filter(({ operation }) => operation.door._tag !== "Public")
  maker = await pod.aPerson("someone@example.com")
  victim = await pod.aPerson("another@example.com")
  const { body } = await maker.mutate("agents.create", { name: "Scribe" })
  const bearer = (secret: string) => pod.as({ authorization: `Bearer ${secret}` })
  agent = bearer((await aStoredKey(pod, maker.id, { agentId: body.result.data.id, scopes: openingScopes })).secret)
  key = bearer((await aStoredKey(pod, maker.id, { scopes: openingScopes })).secret)
  await aRow(victim, victim.id, { workspaceId: null, kind: "note", title: "the victim's" })
  things = await makeThings(pod, maker, ways)
  known = things.known()
})
afterAll(() => pod.stop())

const isWrite = ({ operation: { kind, door } }: Approach) =>
  kind === "mutation" && door._tag !== "Session" && door._tag !== "Operator"

/**
 * Returns the number of events that are in the person's space, were written in the person's name, or have the person as
 * actor.
 */
const deedsOf = (id: string) =>
  pod.run(
    Effect.map(
      Effect.flatMap(MemoryDatabase, ({ rows }) => rows),
      ({ all }) =>
        all(eventTable).filter(({ spaceId, event }) => [spaceId, event.userId, event.actorId].includes(id)).length
    )
  )

/** Codes of refusals that depend only on the caller and not on the input. */
const forAgents = new Set(["CAPABILITY_MISSING", "OWNER_ONLY", "PEOPLE_ONLY"])
const provenLeast = 0.8 // The share of writes that must succeed. The other samples are invalid or name a missing record.

it("an agent without capabilities cannot change anything through any operation, even with inputs that succeed with a person's key", async () => {
  const ledger = ledgerOf(pod, { kind: "memory" })
  const writes = ways.filter((way) => isWrite(way) && way.place !== "session")
  await things.propose()
  const inputs = new Map<Approach, unknown>()
  for (const way of writes) inputs.set(way, await things.inputFor(way))
  let before = await ledger.digest()
  const heard = new Map<Approach, CallResult>()
  const faults: Array<string> = []
  for (const [way, input] of inputs) {
    heard.set(way, await ask(agent, way, input))
    const after = await ledger.digest()
    if (after !== before) faults.push(`${nameOf(way)}: changed what is kept`)
    before = after
  }
  const unproven: Array<string> = []
  for (const [way, input] of inputs) {
    const { verdict, code = "" } = heard.get(way)!
    if (verdict === "refused" && forAgents.has(code)) continue
    const forPerson = await ask(key, way, input)
    if (verdict === "answered") faults.push(`${nameOf(way)}: answered to an agent`)
    if (verdict !== "refused" || forPerson.verdict === "refused") unproven.push(`${nameOf(way)}: ${verdict} ${code}`)
  }
  assert.deepStrictEqual(faults, [])
  assert.isAtMost(unproven.length, inputs.size * (1 - provenLeast), unproven.join("\n"))
})

it("if the input of a write contains the id of another person, the pod never writes in the name of that person", async () => {
  const names = { userId: victim.id, agentUserId: victim.id, ownerUserId: victim.id, author: victim.id }
  const session = pod.as(maker.headers)
  let before = await deedsOf(victim.id)
  const faults: Array<string> = []
  for (const [turn, [who, caller]] of Object.entries({ key, agent, session }).entries()) {
    for (const way of everyNth(ways.filter(isWrite), turn, 3)) {
      const heard = await ask(caller, way, withFields(way, sampleFor(way, known), names))
      const name = `${nameOf(way)} by the ${who}`
      if (JSON.stringify(heard.body).includes(`"userId":"${victim.id}"`)) faults.push(`${name}: acted as another`)
      const after = await deedsOf(victim.id)
      if (after !== before) faults.push(`${name}: left an event in another's name`)
      before = after
    }
  }
  assert.deepStrictEqual(faults, [])
})

it("if a person sends the id of their agent in the field `agentUserId` of a write, the refusal says that a person must leave this field out", async () => {
  const { id } = (await maker.mutate("agents.create", { name: "Clerk" })).body.result.data
  const { body, status } = await key.send("POST", "/api/hub/entities", { title: "By the clerk", agentUserId: id })
  assert.strictEqual(status, 403)
  assert.include(body.error, "A person leaves this field out.")
})

it("a read that contains the id of another person is refused, or gets the same answer as the read without this id", async () => {
  const names = { userId: victim.id, agentUserId: victim.id }
  const isSteady = ({ name }: Approach["operation"]) => !namesItsPerson.has(name) && !startsWork.has(name)
  const reads = ways.filter(({ operation }) => operation.kind === "query" && isSteady(operation))
  for (const [turn, way] of reads.entries()) {
    for (const [who, caller] of everyNth(Object.entries({ key, agent, session: pod.as(maker.headers) }), turn, 3)) {
      const name = `${nameOf(way)} by the ${who}`
      const input = sampleFor(way, known)
      const plain = await ask(caller, way, input)
      const named = await ask(caller, way, withFields(way, input, names))
      // If an operation is public or accepts only sessions, its input has no field for another person. The pod refuses
      // such a field as unknown.
      if (way.operation.door._tag === "Session" || way.operation.door._tag === "Public") {
        assert.notStrictEqual(named.verdict, "answered", name)
        continue
      }
      const steady = ({ verdict, body }: typeof plain) => [
        verdict,
        JSON.stringify(body)
          .replaceAll(/\d{4}-[\d-]+T[\d:.]+Z/g, "")
          .replaceAll(/"(?:decisionId|requestId)":"[0-9a-f-]{36}"|"latencyMs":\d+/g, "")
      ]
      assert.deepStrictEqual(steady(named), steady(plain), name)
    }
  }
})

describe("two credentials in one request", () => {
  it("a request with a bearer key and a session token has only the access of the key, even if the session has more access", async () => {
    const both = pod.as({ ...victim.headers, ...key.headers })
    const me = await both.send("GET", "/api/hub/users/me")
    assert.strictEqual(me.body.id, maker.id)
    const listed = await both.send("GET", "/api/hub/entities?limit=1000")
    assert.notInclude(JSON.stringify(listed.body), "the victim's")
    const dead = pod.as({ ...victim.headers, authorization: "Bearer svc_user_nothing" })
    assert.strictEqual((await dead.send("GET", "/api/hub/users/me")).status, 401)
    assert.strictEqual((await both.send("GET", "/trpc/svc.me")).status, 401)
  })
})

it("a filter can only reduce the records that a request may read, and the pod refuses a filter that is given twice", async () => {
  const workspaceId = known["workspaceId"] as string
  const { secret } = await aStoredKey(pod, maker.id, {
    grant: { permissions: ["entity.read"], workspaceIds: [workspaceId], projectIds: null, entityIds: null }
  })
  const narrow = pod.as({ authorization: `Bearer ${secret}` })
  const all = await narrow.send("GET", "/api/hub/entities?limit=1000")
  const statuses: Record<string, number> = {
    "?scope=pod": 200,
    "?includePodWide=true": 200,
    "?includePodWide=yes": 400,
    [`?workspaceId=${maker.id}`]: 403,
    [`?workspaceId=${victim.id}`]: 403,
    [`?workspaceId=${workspaceId}&workspaceId=${victim.id}`]: 400,
    "?workspaceId=": 400,
    "?workspaceId=*": 400,
    "?workspaceId=[]": 400,
    "?workspaceId=null": 400,
    "?projectId=[]": 400,
    "?workspaceIds[]=*": 400,
    "?q=row": 403
  }
  for (const [query, status] of Object.entries(statuses)) {
    const heard = await narrow.send("GET", `/api/hub/entities${query}`)
    assert.strictEqual(heard.status, status, query)
    if (status !== 200) continue
    for (const row of heard.body) assert.deepInclude(all.body, row, query)
  }
})
