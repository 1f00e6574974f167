/**
 * On PostgreSQL the pod must make all embedding vectors, even if the pod is killed during the work or its embedding
 * model is changed.
 */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { aFolder, type BuiltPod, startPod } from "../support/builtPod.ts"
import { ask, type RequestHeaders, signInOwner } from "../support/client.ts"
import { aModelStub, type ModelStub, replies } from "../support/modelStub.ts"
import { aDatabaseOn, describePostgres, type TestDatabase } from "../support/postgres.ts"
import { aMoment } from "../support/aMoment.ts"

const notes = 120 // These are more events than one batch contains, because a batch has 50 events.

/** Makes a vector from the number in the text. Near numbers get near vectors. */
const byNumber = (text: string): ReadonlyArray<number> => {
  const angle = (Number(/\d+/.exec(text)?.[0] ?? 0) / notes) * Math.PI
  return [Math.cos(angle), Math.sin(angle)]
}

describePostgres("the vectors of a pod on PostgreSQL", (server) => {
  let stub: ModelStub
  let database: TestDatabase
  const folder = aFolder()
  const pods: Array<BuiltPod> = []
  const start = async (model?: string): Promise<readonly [BuiltPod, RequestHeaders]> => {
    const models = model === undefined ? {} : { POD_EMBEDDING_URL: stub.url, POD_EMBEDDING_MODEL: model }
    const pod = await startPod({ dataDir: folder.path, environment: { POD_DATABASE_URL: database.url, ...models } })
    pods.push(pod)
    return [pod, await signInOwner(pod.baseUrl)]
  }
  const search = async ({ baseUrl }: BuiltPod, session: RequestHeaders) => {
    const { body } = await ask(baseUrl, "POST", "/api/hub/knowledge/search", session, { query: "60", limit: 3 })
    const items: ReadonlyArray<{ readonly title: string }> = body.answers[0].items
    return { degraded: body.degraded, titles: items.map(({ title }) => title) }
  }
  const whole = async (pod: BuiltPod, session: RequestHeaders) => {
    for (;;) {
      const answer = await search(pod, session)
      if (answer.degraded.length === 0) return answer
      await aMoment()
    }
  }

  beforeAll(async () => {
    stub = await aModelStub()
    database = await aDatabaseOn(server)
  })
  afterAll(async () => {
    await Promise.all(pods.map(({ kill }) => kill()))
    await stub.stop()
    await database.drop()
    folder.remove()
  })

  it("a restarted pod continues to make vectors where the killed pod stopped, and makes all vectors again if the embedding model changes", async () => {
    const [writer, session] = await start()
    for (let at = 0; at < notes; at++) {
      const note = { profileSlug: "note", title: `Note${at}` }
      assert.strictEqual((await ask(writer.baseUrl, "POST", "/api/hub/entities", session, note)).status, 200)
    }
    await writer.kill()

    // The embedding service answers the first two calls, but not the third. The test kills the pod while the pod waits
    // for the third answer.
    stub.reply(replies.vectors(byNumber), replies.vectors(byNumber), replies.silent)
    const [killed] = await start("one")
    await stub.askedTimes(3)
    const before = stub
      .asked()
      .slice(0, 2)
      .flatMap(({ body }) => body.input)
    await killed.kill()

    // The embedding service answers search questions at once. It answers all other calls only after the test calls
    // `letGo`.
    let letGo: () => void = () => undefined
    const gate = new Promise<void>((resolve) => (letGo = resolve))
    stub.reply((response, asked) => {
      const answer = () => replies.vectors(byNumber)(response, asked)
      if (asked.body.input[0] === "60") answer()
      else void gate.then(answer)
    })
    const [second, sessionOfSecond] = await start("one")
    const unready = await search(second, sessionOfSecond)
    assert.deepStrictEqual([unready.degraded, unready.titles], [["semantic:vector-down"], []])
    letGo()
    const found = await whole(second, sessionOfSecond)
    const texts: ReadonlyArray<string> = stub.asked().flatMap(({ body }) => body.input)
    const later = texts.filter((text) => text.startsWith("Note"))
    const early = before.filter((text: string) => text.startsWith("Note"))
    assert.isAbove(early.length, 0)
    assert.deepStrictEqual(
      later.filter((text) => early.includes(text)),
      []
    )
    assert.strictEqual(new Set([...early, ...later]).size, notes)
    assert.strictEqual(found.titles[0], "Note60")

    stub.reply(replies.vectors(byNumber))
    await second.kill()
    const [third, sessionOfThird] = await start("two")
    const again = await whole(third, sessionOfThird)
    assert.deepStrictEqual(again, found)
    const asked = stub.asked().flatMap(({ body }) => body.input)
    assert.strictEqual(new Set(asked.filter((text: string) => text.startsWith("Note"))).size, notes)
  })
})
