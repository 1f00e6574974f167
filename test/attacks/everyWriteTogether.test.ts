/**
 * Attack: the same write is sent several times at the same moment, once without and once with an idempotency key. The
 * test does this with every write of the pod, and compares the answers with the event log. Each event contains the id
 * of the request that caused it.
 */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { uuidv7 } from "../../src/platform/Ids.ts"
import { makeThings, type Things } from "../doors/things.ts"
import { type Known, sampleFor } from "../doors/samples.ts"
import { type Approach, ask, type CallResult, nameOf } from "../doors/surfaces.ts"
import { allApproaches } from "../doors/walk.ts"
import { everyNth } from "../support/everyNth.ts"
import { brokenLaws } from "../support/integrity.ts"
import { aPod, type Caller, ownerEmail, ownerPassword, type TestPod } from "../support/pod.ts"
import { connected } from "../support/postgresServer.ts"
import { aDatabaseOn, describePostgres, type TestDatabase } from "../support/postgres.ts"

const callers = [0, 1, 2, 3]

/** These writes end the credential of the caller. */
const endsTheCaller = new Set(["auth.signOut", "people.changePassword", "sessions.end", "sessions.endOthers"])

/**
 * These writes end something, so only one of several equal calls can succeed. A rotation is included, because it ends
 * the old key or secret.
 */
const ends = /\.(?:delete|remove|revoke|withdraw|unfile|approve|reject|revert|rotate)$/
/**
 * Each rotation replaces the calendar address that is current at that moment. So several equal calls can all succeed.
 */
const replacesTheLast = new Set(["calendar.rotate"])

/** Two records cannot have the same value in these fields. */
const distinct = () => {
  const text = `n${uuidv7().replaceAll("-", "").slice(-20)}`
  return { name: text, title: text, slug: text, key: text, goal: text, displayName: text, targetEntityId: undefined }
}

describePostgres("attack: every write is sent several times at the same moment", (server) => {
  let pod: TestPod
  let database: TestDatabase
  let things: Things
  let ways: ReadonlyArray<Approach>
  let key: Caller
  beforeAll(async () => {
    database = await aDatabaseOn(server)
    pod = await aPod({ kind: "postgres", url: database.url })
    ways = await allApproaches(pod, false)
    things = await makeThings(pod, { ...pod.owner, id: pod.ownerId }, ways)
    key = await pod.aKey(pod.owner)
  }, 120_000)
  afterAll(async () => {
    await pod?.stop()
    await database?.drop()
  })

  const fitting = (): Known => ({
    ...things.known(),
    url: "https://receiver.example/",
    baseUrl: "https://receiver.example/",
    credentialId: null,
    templateSlug: "meeting-notes",
    content: "A text",
    baseRevision: 1,
    revision: 1,
    eventTypes: ["track.create"],
    entityIds: [things.known()["entityId"]],
    scope: { kind: "pod" },
    profileId: "00000000-0000-7000-8000-000000000001",
    valueType: "text",
    constraints: {},
    uiHints: {},
    since: new Date(Date.now() - 3_600_000).toISOString(),
    until: new Date().toISOString(),
    email: ownerEmail,
    password: ownerPassword
  })

  /**
   * Makes an input for the operation. If the operation creates a record, the record gets a new name. Otherwise the test
   * first makes a new record that the operation can use.
   */
  const inputFor = async (way: Approach): Promise<unknown> => {
    const [group, verb] = way.operation.name.split(".")
    if (group === "proposals") await things.propose()
    const known: Known = { ...fitting(), ...(group === "proposals" ? { id: things.known()["proposalId"] } : {}) }
    const create = ways.find(({ operation, place }) => operation.name === `${group}.create` && place !== "bridge")
    if (create === undefined || verb === "create") return sampleFor(way, { ...known, ...distinct() }, "the least")
    const created = await ask(pod.owner, create, sampleFor(create, { ...known, ...distinct() }, "the least"))
    const { body } = created as { readonly body: any }
    const record = body?.result?.data?.subscription ?? body?.result?.data ?? body
    const own = record?.id ?? record?.invitation?.id
    if (own === undefined) return sampleFor(way, known, "the least")
    const named = group === "agents" ? { agentId: own } : { keyId: own, roleId: own, ruleId: own, subscriptionId: own }
    return sampleFor(way, { ...known, id: own, ...named }, "the least")
  }

  interface Sent {
    readonly requestId: string
    readonly heard: CallResult
  }

  const sendAll = async (way: Approach, input: unknown, headers: Readonly<Record<string, string>>) => {
    const caller = way.place === "mcp" ? key : pod.owner
    return Promise.all(
      callers.map(async (): Promise<Sent> => {
        const requestId = uuidv7()
        return { requestId, heard: await ask(caller, way, input, { ...headers, "x-request-id": requestId }) }
      })
    )
  }

  /** Returns the types of the events that each of these requests caused, without the events about refusals. */
  const writtenBy = (sent: ReadonlyArray<Sent>) =>
    connected(database.url, async (client) => {
      const { rows } = await client.query<{ readonly request_id: string; readonly types: ReadonlyArray<string> }>(
        `SELECT request_id, array_agg(type) AS types FROM events
         WHERE request_id = ANY ($1) AND type <> 'access.refused' GROUP BY request_id`,
        [sent.map(({ requestId }) => requestId)]
      )
      return new Map(rows.map(({ request_id, types }) => [request_id, types]))
    })

  const heardIn = ({ heard: { code, verdict } }: Sent) => (code === undefined ? verdict : `${verdict} ${code}`)
  const isDone = ({ heard }: Sent) => heard.verdict === "answered"

  const faultsOf = (way: Approach, sent: ReadonlyArray<Sent>, written: ReadonlyMap<string, unknown>) => {
    const context = `${nameOf(way)}: ${sent.map(heardIn).join(", ")}`
    return [
      ...(sent.some(({ heard }) => heard.verdict.startsWith("status 5")) ? [`${context}: a fault of the pod`] : []),
      ...(sent.some((each) => !isDone(each) && written.has(each.requestId))
        ? [`${context}: a refused call has written something`]
        : [])
    ]
  }

  const writes = () =>
    ways.filter(
      ({ operation, place }) =>
        operation.kind === "mutation" && place !== "bridge" && !endsTheCaller.has(operation.name)
    )

  it("if every write is sent several times at the same moment, no call ends with an internal error, a refused call stores nothing, and only one call can delete or revoke a record", async () => {
    const faults: Array<string> = []
    let done = 0
    for (const way of writes()) {
      const sent = await sendAll(way, await inputFor(way), {}).catch((cause) => String(cause))
      if (typeof sent === "string") {
        faults.push(sent)
        continue
      }
      const written = await writtenBy(sent)
      if (sent.some(isDone)) done += 1
      faults.push(...faultsOf(way, sent, written))
      if (ends.test(way.operation.name) && !replacesTheLast.has(way.operation.name) && written.size > 1)
        faults.push(`${nameOf(way)}: ${written.size} calls have written ${JSON.stringify([...written.values()])}`)
    }
    assert.deepStrictEqual(faults, [])
    assert.isAbove(done, 100, "most inputs fit their operations")
  }, 600_000)

  it("if several simultaneous calls have the same idempotency key, only one of them writes, and all of them get the same answer", async () => {
    const faults: Array<string> = []
    for (const way of everyNth(writes(), 0, 3)) {
      if (way.place === "mcp" || way.operation.door._tag === "Public") continue
      const headers = { "idempotency-key": uuidv7() }
      const sent = await sendAll(way, await inputFor(way), headers).catch((cause) => String(cause))
      if (typeof sent === "string") {
        faults.push(sent)
        continue
      }
      const written = await writtenBy(sent)
      faults.push(...faultsOf(way, sent, written))
      const context = `${nameOf(way)}: ${sent.map(heardIn).join(", ")}`
      if (written.size > 1) faults.push(`${context}: ${written.size} calls have written something`)
      const answers = new Set(sent.filter(isDone).map(({ heard }) => JSON.stringify(heard.body)))
      if (answers.size > 1) faults.push(`${context}: ${[...answers].join(" and ")}`)
      const isRefused = sent.some((each) => !isDone(each))
      if (answers.size === 1 && isRefused && !way.operation.answersSecret)
        faults.push(`${context}: equal calls got different answers`)
    }
    assert.deepStrictEqual(faults, [])
  }, 600_000)

  it("after many simultaneous writes, the rows in the database agree with the event log of the pod", async () => {
    const broken = await connected(database.url, (client) =>
      brokenLaws((text) => client.query<Record<string, unknown>>(text).then(({ rows }) => rows))
    )
    // One rule requires an entity for each event of the type `entity.…`. Events about knowledge entries have such a
    // type too, but no entity. So the test leaves out this rule.
    assert.deepStrictEqual(
      broken.filter((each) => !each.startsWith("the entity of every entity event exists")),
      []
    )
  })
})
