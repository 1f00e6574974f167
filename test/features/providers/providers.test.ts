/**
 * Model providers over HTTP: who configures them, where the pod sends their key, and that a switch applies without a
 * restart.
 */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { Option } from "effect"
import { anAttackScene, assertOk, assertRefused, procedureData } from "../../attacks/attackScene.ts"
import { aModelStub, type ModelStub, replies } from "../../support/modelStub.ts"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { aMoment } from "../../support/aMoment.ts"
import { onOneStorage, onPostgres } from "../../support/storages.ts"

const secret = "sk-of-a-provider-5521"
const question = "When was the crane on the quay inspected?"
const at = "/api/hub/providers"

const ask = async (caller: Caller) => assertOk(await caller.send("POST", "/api/hub/knowledge/answer", { question }))

const aNote = async (caller: Caller) =>
  assertOk(
    await caller.send("POST", "/api/hub/entities", {
      profileSlug: "note",
      title: "Crane",
      description: "The crane on the quay was inspected in March 2026."
    })
  )

const aKeyEntry = async (owner: Caller, url: string): Promise<string> =>
  procedureData(await owner.mutate("secretsVault.create", { name: "Model key", value: secret, url })).id

const create = async (owner: Caller, url: string, more: object = {}) =>
  assertOk(await owner.send("POST", at, { name: "Local", url, model: "small", ...more }))

/** Returns a vector with one number for each of two topics: lifting and floods. */
const byTopic = (text: string) => [/crane|hoist/i.test(text) ? 1 : 0.01, /tide|flood/i.test(text) ? 1 : 0.01]

/**
 * Searches for a word that no text contains. Returns the titles that were found, and the parts of the search that did
 * not answer.
 */
const search = async (
  caller: Caller
): Promise<{ readonly titles: ReadonlyArray<string>; readonly degraded: ReadonlyArray<string> }> => {
  const { answers, degraded } = assertOk(await caller.send("POST", "/api/hub/knowledge/search", { query: "hoist" }))
  return { titles: answers[0].items.map(({ title }: { readonly title: string }) => title), degraded }
}

onOneStorage("model providers", (storage) => {
  let pod: TestPod
  let first: ModelStub
  let second: ModelStub
  beforeAll(async () => {
    first = await aModelStub()
    second = await aModelStub()
    pod = await aPod(storage, { webhookAllow: ["127.0.0.1"], languageModelUrl: Option.none() })
    await aNote(pod.owner)
  })
  afterAll(async () => {
    await pod.stop()
    await first.stop()
    await second.stop()
  })

  it("the pod uses the model provider that the owner activated last, and uses the pod's own settings again after the owner deactivates this provider", async () => {
    const { owner } = pod
    first.reply(replies.saying("In March [1]."))
    second.reply(replies.saying("In March 2026 [1]."))
    assert.strictEqual((await ask(owner)).failure.code, "not_entitled")
    const credentialId = await aKeyEntry(owner, first.url)
    const one = await create(owner, first.url, { credentialId })
    const other = await create(owner, second.url, { name: "Other" })
    assert.strictEqual((await ask(owner)).failure.code, "not_entitled")
    assert.isTrue(assertOk(await owner.send("POST", `${at}/${one.id}/activate`)).isActive)
    assert.strictEqual((await ask(owner)).answer, "In March [1].")
    assert.strictEqual(first.asked()[0].headers.authorization, `Bearer ${secret}`)
    assertOk(await owner.send("POST", `${at}/${other.id}/activate`))
    assert.strictEqual((await ask(owner)).answer, "In March 2026 [1].")
    assert.isUndefined(second.asked()[0].headers.authorization)
    const listed = assertOk(await owner.send("GET", at))
    assert.deepStrictEqual(
      listed.map(({ isActive, name }: { readonly isActive: boolean; readonly name: string }) => [name, isActive]),
      [
        ["Other", true],
        ["Local", false]
      ]
    )
    assert.notInclude(JSON.stringify(listed), secret)
    assertOk(await owner.send("POST", `${at}/${other.id}/deactivate`))
    assert.strictEqual((await ask(owner)).failure.code, "not_entitled")
    for (const { id } of [one, other]) assertOk(await owner.send("DELETE", `${at}/${id}`))
  })

  it("a probe of a model provider says whether the service accepts the key, and the pod does not call a model provider whose key was deleted", async () => {
    const { owner } = pod
    const credentialId = await aKeyEntry(owner, first.url)
    const { id } = await create(owner, first.url, { credentialId })
    first.reply(replies.json(200, { data: [] }))
    assert.isTrue(assertOk(await owner.send("POST", `${at}/${id}/probe`)).isReady)
    first.reply(replies.refusing(401))
    assert.strictEqual(assertOk(await owner.send("POST", `${at}/${id}/probe`)).code, "provider_auth")
    assertOk(await owner.send("POST", `${at}/${id}/activate`))
    assertOk(await owner.mutate("secretsVault.delete", { id: credentialId }))
    first.reply(replies.saying("In March [1]."))
    assert.isFalse(assertOk(await owner.send("POST", `${at}/${id}/probe`)).isReady)
    assert.strictEqual((await ask(owner)).failure.code, "provider_auth")
    assert.strictEqual(first.asked().length, 0)
    assertOk(await owner.send("DELETE", `${at}/${id}`))
  })

  it("after a switch of the embedding model, searches compare only words until the new model has read all texts", async () => {
    const { owner } = pod
    const embedding = (stub: ModelStub, vectorOf: (text: string) => ReadonlyArray<number>) =>
      stub.reply((response, asked) =>
        asked.path.endsWith("/models")
          ? replies.json(200, { data: [] })(response, asked)
          : replies.vectors(vectorOf)(response, asked)
      )
    const byMeaning = async (): Promise<void> => {
      while ((await search(owner)).degraded.length > 0) await aMoment()
      assert.include((await search(owner)).titles, "Crane")
    }
    const health = async () => {
      const { dependencies } = assertOk(await owner.send("GET", "/api/hub/health/dependencies"))
      return dependencies.find(({ name }: { readonly name: string }) => name === "embedding-service")
    }
    assert.deepStrictEqual(await search(owner), { titles: [], degraded: [] })
    assert.strictEqual((await health()).state, "not_configured")
    embedding(first, byTopic)
    const one = await create(owner, first.url, { kind: "embedding", model: "topics" })
    const other = await create(owner, second.url, { kind: "embedding", model: "topics" })
    assertOk(await owner.send("POST", `${at}/${one.id}/activate`))
    await byMeaning()
    assert.strictEqual((await health()).state, "ok")
    // The second service returns vectors of another length, and answers only after `release` was called.
    let release = () => {}
    const isReleased = new Promise<void>((resolve) => (release = resolve))
    second.reply((response, asked) => {
      if (asked.path.endsWith("/models")) return replies.json(200, { data: [] })(response, asked)
      void isReleased.then(() => replies.vectors((text) => [...byTopic(text), 0.5])(response, asked))
    })
    assertOk(await owner.send("POST", `${at}/${other.id}/activate`))
    const during = await search(owner)
    assert.deepStrictEqual(during, { titles: [], degraded: ["semantic:vector-down"] })
    release()
    await byMeaning()
    embedding(first, byTopic)
    assertOk(await owner.send("POST", `${at}/${one.id}/activate`))
    await byMeaning()
    assert.isEmpty(first.asked().filter(({ body, path }) => path.endsWith("/embeddings") && body.input[0] !== "hoist"))
    assertOk(await owner.send("POST", `${at}/${one.id}/deactivate`))
    assert.deepStrictEqual(await search(owner), { titles: [], degraded: [] })
    for (const { id } of [one, other]) assertOk(await owner.send("DELETE", `${at}/${id}`))
  })

  it("attack: the pod sends the key of a model provider only to the host of this key, and refuses a private address, a redirect and a key for another host", async () => {
    const { owner } = pod
    const credentialId = await aKeyEntry(owner, first.url)
    assertRefused(await owner.send("POST", at, { name: "x", model: "m", url: second.url, credentialId }), 400)
    const { id } = await create(owner, first.url, { credentialId })
    assertRefused(await owner.send("PATCH", `${at}/${id}`, { url: second.url }), 400)
    for (const url of [
      "http://10.0.0.1/v1",
      "http://169.254.169.254/",
      "file:///etc/passwd",
      "http://user@example.com",
      "http://[::1]:1/"
    ]) {
      assertRefused(await owner.send("POST", at, { name: "x", model: "m", url }), 400)
    }
    first.reply((response) => void response.writeHead(302, { location: `${second.url}/models` }).end())
    second.reply(replies.json(200, { data: [] }))
    assert.isFalse(assertOk(await owner.send("POST", `${at}/${id}/probe`)).isReady)
    assert.strictEqual(second.asked().length, 0)
    assertOk(await owner.send("DELETE", `${at}/${id}`))
  })

  it("attack: another person, an agent, a key with a narrow grant and a key without the needed scope cannot configure a model provider", async () => {
    const scene = await anAttackScene({ kind: "memory" })
    const { agent, owner, pod: own, victim, workspaceId } = scene
    const url = "https://models.example.com/v1"
    const { id } = assertOk(await owner.send("POST", at, { name: "Local", url, model: "small" }))
    const callers = [
      victim,
      agent,
      await own.aKey(victim),
      await own.aKey(owner, { scope: ["hub-protocol.read", "hub-protocol.write"] }),
      await own.aKey(owner, { grant: { permissions: ["provider"] } }),
      await own.aKey(owner, { grant: { permissions: ["*"], workspaceIds: [workspaceId] } })
    ]
    for (const caller of callers) {
      assertRefused(await caller.send("POST", at, { name: "Theirs", url, model: "theirs" }), 403)
      for (const deed of ["activate", "deactivate", "probe"]) {
        assertRefused(await caller.send("POST", `${at}/${id}/${deed}`), 403)
      }
      assertRefused(await caller.send("PATCH", `${at}/${id}`, { model: "theirs" }), 403)
      assertRefused(await caller.send("DELETE", `${at}/${id}`), 403)
    }
    const key = await own.aKey(owner, { scope: ["providers.write"] })
    assertOk(await key.send("POST", `${at}/${id}/activate`))
    assert.lengthOf(assertOk(await key.send("GET", at)), 1)
    await own.stop()
  })
})

onPostgres("two pods over one database", (storage) => {
  it("if two pods share a database and one of them activates or deactivates a model provider, the other pod uses the same provider without a restart", async () => {
    const stub = await aModelStub()
    stub.reply(replies.saying("In March [1]."))
    const overrides = { webhookAllow: ["127.0.0.1"] }
    const one = await aPod(storage, overrides)
    const other = await aPod(storage, overrides)
    await aNote(one.owner)
    assert.isNull((await ask(other.owner)).answer)
    const { id } = await create(one.owner, stub.url)
    assertOk(await one.owner.send("POST", `${at}/${id}/activate`))
    const until = async (answer: string | null): Promise<void> => {
      while ((await ask(other.owner)).answer !== answer) await aMoment()
    }
    await until("In March [1].")
    assertOk(await one.owner.send("POST", `${at}/${id}/deactivate`))
    await until(null)
    await other.stop()
    await one.stop()
    await stub.stop()
  })

  it("if two pods share a database and one of them activates an embedding model, the other pod searches by meaning until the model is deactivated", async () => {
    const stub = await aModelStub()
    stub.reply((response, asked) =>
      asked.path.endsWith("/models")
        ? replies.json(200, { data: [] })(response, asked)
        : replies.vectors(byTopic)(response, asked)
    )
    const overrides = { webhookAllow: ["127.0.0.1"] }
    const one = await aPod(storage, overrides)
    const other = await aPod(storage, overrides)
    await aNote(one.owner)
    const { id } = await create(one.owner, stub.url, { kind: "embedding", model: "topics" })
    assert.deepStrictEqual(await search(other.owner), { titles: [], degraded: [] })
    assertOk(await one.owner.send("POST", `${at}/${id}/activate`))
    while (!(await search(other.owner)).titles.includes("Crane")) await aMoment()
    assertOk(await one.owner.send("POST", `${at}/${id}/deactivate`))
    while ((await search(other.owner)).titles.length > 0) await aMoment()
    assert.deepStrictEqual(await search(other.owner), { titles: [], degraded: [] })
    await other.stop()
    await one.stop()
    await stub.stop()
  })
})
