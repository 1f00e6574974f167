/**
 * A write that is repeated with the same idempotency key has one effect and one answer. The repetition can come at the
 * same moment, later, or after a crash.
 */
import { assert, describe, it } from "@effect/vitest"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll } from "vitest"
import { aFolder, type BuiltPod, type Folder, startPod } from "../support/builtPod.ts"
import { ask, type RequestHeaders, createKey, type Reply, signInOwner } from "../support/client.ts"
import { aPreparedFolder } from "../support/podPair.ts"
import { connected } from "../support/postgresServer.ts"
import { aDatabaseOn, describePostgres, type TestDatabase } from "../support/postgres.ts"

// The test crashes the pod only once, because each new start takes time. The long test run has more crashes.
const crashes = 1

interface Place {
  readonly folder: Folder
  readonly environment: Readonly<Record<string, string>>
  readonly pods: number
  /** Makes every stored answer older by this number of hours. Absent if the test cannot reach the database directly. */
  readonly age?: (hours: number) => Promise<unknown>
  readonly remove: () => Promise<void>
}

const suite = (prepare: () => Promise<Place>) => {
  let place: Place
  const pods: Array<BuiltPod> = []
  let folders: ReadonlyArray<Folder> = []
  let session: RequestHeaders
  let key: RequestHeaders

  const start = (which: number) =>
    startPod({ dataDir: (folders[which] ?? place.folder).path, environment: place.environment })
  /** Kills the first pod, and starts it again. Meanwhile another pod on the same database keeps running. */
  const restart = async () => {
    await pods[0].kill()
    pods[0] = await start(0)
  }
  beforeAll(async () => {
    place = await prepare()
    folders = [place.folder, ...Array.from({ length: place.pods - 1 }, aFolder)]
    for (const which of folders.keys()) pods.push(await start(which))
    session = await signInOwner(pods[0].baseUrl)
    key = (await createKey(pods[0].baseUrl, session)).headers
  })
  afterAll(async () => {
    await Promise.all(pods.map((pod) => pod.kill()))
    for (const folder of folders) folder.remove()
    await place.remove()
  })

  const create = (which: number, headers: RequestHeaders, once: string, title: string): Promise<Reply> =>
    ask(
      pods[which % pods.length].baseUrl,
      "POST",
      "/api/hub/entities",
      { ...headers, "idempotency-key": once },
      { title, profileSlug: "note" }
    )
  const stored = async (title: string): Promise<number> => {
    const { body } = await ask(pods[0].baseUrl, "GET", "/api/hub/entities?limit=200", session)
    return (body as ReadonlyArray<{ readonly title: string }>).filter((entity) => entity.title === title).length
  }
  const isReplay = ({ headers }: Reply) => headers.get("x-idempotent-replay") === "true"

  it("a request with an invalid idempotency key is refused, and nothing is stored", async () => {
    const title = randomUUID()
    for (const once of ["1234567", "x".repeat(257), "with a space"]) {
      assert.strictEqual((await create(0, key, once, title)).status, 400)
    }
    assert.strictEqual(await stored(title), 0)
  })

  it("fifty equal requests at the same moment create one entity, and forty-nine answers have the header `x-idempotent-replay`", async () => {
    const title = randomUUID()
    const replies = await Promise.all(Array.from({ length: 50 }, (_, which) => create(which, key, title, title)))
    assert.deepStrictEqual([...new Set(replies.map(({ status }) => status))], [200])
    assert.strictEqual(new Set(replies.map(({ body }) => JSON.stringify(body))).size, 1)
    assert.strictEqual(replies.filter(isReplay).length, 49)
    assert.strictEqual(await stored(title), 1)
  })

  it("a request with the same idempotency key and another body, caller or route counts as a new request", async () => {
    const once = randomUUID()
    const first = await create(0, key, once, once)
    const otherBody = await create(0, key, once, `${once} other`)
    const otherKey = (await createKey(pods[0].baseUrl, session)).headers
    const otherPrincipal = await create(0, otherKey, once, once)
    const body = { title: once, profileSlug: "note" }
    const path = `/api/hub/entities/${first.body.id}`
    const otherRoute = await ask(
      pods[0].baseUrl,
      "PATCH",
      path,
      { ...key, "idempotency-key": once },
      { title: `${once} changed` }
    )
    assert.deepStrictEqual(
      [first, otherBody, otherPrincipal, otherRoute].map((reply) => [reply.status, isReplay(reply)]),
      [0, 1, 2, 3].map(() => [200, false])
    )
    assert.strictEqual(new Set([first, otherBody, otherPrincipal].map((reply) => reply.body.id)).size, 3)
    assert.strictEqual(otherRoute.body.version, 2)
    assert.strictEqual(isReplay(await ask(pods[0].baseUrl, "POST", "/api/hub/entities", key, body)), false)
  })

  it("if the pod refuses a request with an idempotency key, it stores no answer, and a repetition is processed as a new request", async () => {
    const once = randomUUID()
    const narrow = await createKey(pods[0].baseUrl, session, { grant: { permissions: ["entity.note.read"] } })
    const refused = await create(0, narrow.headers, once, once)
    const again = await create(0, narrow.headers, once, once)
    assert.deepStrictEqual([refused.status, again.status, isReplay(again)], [403, 403, false])
  })

  it("a repeated request to create a key creates no second key and does not show the secret again", async () => {
    const once = { "idempotency-key": randomUUID() }
    const keyName = randomUUID()
    const order = { keyName, scope: ["hub-protocol.read"], grant: { permissions: ["*"] } }
    const make = () => ask(pods[0].baseUrl, "POST", "/trpc/apiKeys.create", { ...session, ...once }, order)
    const [first, second] = [await make(), await make()]
    assert.deepStrictEqual([first.status, second.status], [200, 409])
    assert.notInclude(JSON.stringify(second.body), "svc_")
    const { body } = await ask(pods[0].baseUrl, "GET", "/trpc/apiKeys.list", session)
    const named = (body.result.data as ReadonlyArray<{ readonly keyName: string }>).filter(
      (made) => made.keyName === keyName
    )
    assert.strictEqual(named.length, 1)
  })

  it("the pod stores the answer to a request with an idempotency key for one day and no longer", async (context) => {
    const { age } = place
    if (age === undefined) return context.skip("only its pod can reach the embedded database")
    const title = randomUUID()
    await create(0, key, title, title)
    await age(23)
    assert.strictEqual(isReplay(await create(0, key, title, title)), true)
    await age(2)
    assert.strictEqual(isReplay(await create(0, key, title, title)), false)
    assert.strictEqual(await stored(title), 2)
  })

  it("if a client repeats a request after a crash of the pod, the request has exactly one effect, whenever the crash happened", async () => {
    const before = randomUUID()
    const first = await create(0, key, before, before)
    for (let round = 0; round < crashes; round++) {
      const titles = Array.from({ length: 24 }, () => randomUUID())
      let answered = 0
      let begin = () => {}
      const busy = new Promise<void>((resolve) => (begin = resolve))
      const asked = titles.map((title, which) =>
        create(which, key, title, title).then(
          ({ status }) => {
            answered += 1
            if (answered === 3) begin()
            return status
          },
          () => undefined
        )
      )
      await busy
      await restart()
      await Promise.all(asked)
      const repeated = await Promise.all(titles.map((title, which) => create(which, key, title, title)))
      assert.deepStrictEqual([...new Set(repeated.map(({ status }) => status))], [200])
      const { body } = await ask(pods[0].baseUrl, "GET", "/api/hub/entities?limit=200", session)
      const found = (body as ReadonlyArray<{ readonly title: string }>).map(({ title }) => title)
      assert.deepStrictEqual(
        titles.map((title) => found.filter((each) => each === title).length),
        titles.map(() => 1)
      )
    }
    // A request that was answered before the crash gets the same stored answer after the crash.
    const again = await create(0, key, before, before)
    assert.deepStrictEqual([again.status, isReplay(again)], [200, true])
    assert.deepStrictEqual(again.body, first.body)
    assert.strictEqual(await stored(before), 1)
  })
}

describe("requests with an idempotency key to one pod on PGlite", () => {
  suite(async () => ({ folder: await aPreparedFolder(), environment: {}, pods: 1, remove: async () => undefined }))
})

describePostgres("requests with an idempotency key to two pods on PostgreSQL", (server) => {
  suite(async () => {
    const database: TestDatabase = await aDatabaseOn(server)
    return {
      folder: aFolder(),
      environment: { POD_DATABASE_URL: database.url },
      pods: 2,
      age: (hours) =>
        connected(database.url, (client) =>
          client.query("UPDATE idempotency_keys SET created_at = created_at - $1 * interval '1 hour'", [hours])
        ),
      remove: database.drop
    }
  })
})
