/**
 * Webhooks: who may create them, which addresses they may call, and who sees which webhooks, over REST and procedures.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"

const draft = { name: "Deploys", url: "https://hooks.example.com/in", eventTypes: ["entity.note.create", "*.delete"] }

for (const [where, storage] of storages) {
  describe(`webhooks ${where}`, () => {
    let pod: TestPod
    beforeAll(async () => void (pod = await aPod(storage)), 60_000)
    afterAll(() => pod?.stop())

    const make = async (more: object = {}, caller: Caller = pod.owner) => {
      const { body, status } = await caller.mutate("webhooks.create", { ...draft, ...more })
      assert.strictEqual(status, 200, JSON.stringify(body))
      return body.result.data
    }
    const seen = async (caller: Caller): Promise<ReadonlyArray<string>> => {
      const { body, status } = await caller.send("GET", "/api/hub/webhooks")
      assert.strictEqual(status, 200, JSON.stringify(body))
      return body.map(({ id }: { readonly id: string }) => id)
    }

    const since = new Date(Date.now() - 3_600_000).toISOString()
    /** Every mutation of one webhook, with a valid input. */
    const mutationsOf = (id: string) =>
      [
        ["webhooks.update", { id, active: false }],
        ["webhooks.rotateSecret", { id }],
        ["webhooks.recover", { id, since }],
        ["webhooks.replay", { id, since }],
        ["webhooks.test", { id }],
        ["webhooks.resend", { subscriptionId: id, deliveryId: id }],
        ["webhooks.delete", { id }]
      ] as const

    it("an agent cannot create, change or delete a webhook, not even by a proposal", async () => {
      const made = await pod.owner.mutate("agents.create", { name: "Scribe", capabilities: ["*"] })
      const agent = await pod.aKey(pod.owner, { agentId: made.body.result.data.id })
      const { subscription } = await make()
      for (const [procedure, input] of [["webhooks.create", draft], ...mutationsOf(subscription.id)] as const) {
        const { body, status } = await agent.mutate(procedure, input)
        assert.deepStrictEqual([status, body.error.data.reason], [403, "PEOPLE_ONLY"], procedure)
      }
      assert.strictEqual((await pod.owner.send("GET", "/api/hub/proposals?status=all")).body.total, 0)
    })

    it("attack: a webhook cannot be created with a private address, and its address cannot be changed to a private address", async () => {
      const { subscription } = await make()
      for (const url of [
        "http://127.0.0.1/x",
        "https://10.0.0.7",
        "http://169.254.169.254/latest",
        "http://[::ffff:7f00:1]/",
        "http://2130706433/",
        "https://0.0.0.0",
        "https://localhost",
        "https://user@hooks.example.com",
        "ftp://hooks.example.com"
      ]) {
        assert.strictEqual((await pod.owner.mutate("webhooks.create", { ...draft, url })).status, 400, url)
        assert.strictEqual((await pod.owner.mutate("webhooks.update", { id: subscription.id, url })).status, 400, url)
      }
    })

    it("a webhook with an invalid name, event type, secret or retry configuration is refused", async () => {
      for (const fields of [
        { name: "" },
        { name: "x".repeat(101) },
        { eventTypes: [] },
        { eventTypes: ["entity.*.create"] },
        { eventTypes: ["drop table"] },
        { secret: "short" },
        { retryConfig: { maxRetries: 21 } }
      ]) {
        assert.strictEqual(
          (await pod.owner.mutate("webhooks.create", { ...draft, ...fields })).status,
          400,
          JSON.stringify(fields)
        )
      }
    })

    it("attack: the pod shows the secret of a webhook only in its answers to the requests that create the webhook and rotate the secret", async () => {
      const { secret, subscription } = await make()
      assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
      const own = await make({ secret: "a secret of my own, long enough" })
      assert.strictEqual(own.secret, "a secret of my own, long enough")
      const rotated = await pod.owner.mutate("webhooks.rotateSecret", { id: own.subscription.id })
      const { secret: next, subscription: after } = rotated.body.result.data
      assert.match(next, /^whsec_[A-Za-z0-9+/]{43}=$/)
      assert.notInclude([secret, own.secret], next)
      const { body: shown } = await pod.owner.send("GET", "/api/hub/webhooks")
      const { body: listed } = await pod.owner.query("webhooks.list", {})
      const { body: events } = await pod.owner.query("events.list", { limit: 100 })
      for (const body of [subscription, after, shown, listed, events]) {
        for (const hidden of [secret, own.secret, next, 'ecret":']) assert.notInclude(JSON.stringify(body), hidden)
      }
      assert.notProperty(subscription, "keyId")
    })

    it("a person sees only their own webhooks, and a key with a narrow grant sees only the webhooks that it created", async () => {
      const other = await pod.aPerson()
      const { subscription } = await make()
      const grant = { permissions: ["webhook"] }
      const [key, sibling] = [await pod.aKey(pod.owner, { grant }), await pod.aKey(pod.owner, { grant })]
      const { subscription: keys } = await make({ name: "By a key" }, key)
      assert.deepStrictEqual(await seen(key), [keys.id])
      assert.deepStrictEqual(await seen(sibling), [])
      assert.deepStrictEqual(await seen(other), [])
      assert.deepStrictEqual((await seen(pod.owner)).slice(0, 2), [keys.id, subscription.id])
      const reader = await pod.aKey(pod.owner, { grant: { permissions: ["entity.note.read"] } })
      assert.deepStrictEqual(await seen(reader), [])
      for (const [procedure, input] of mutationsOf(subscription.id)) {
        for (const stranger of [other, sibling]) {
          assert.strictEqual((await stranger.mutate(procedure, input)).status, 404, procedure)
        }
        assert.strictEqual((await reader.mutate(procedure, input)).status, 403, procedure)
      }
    })

    it("a request for webhook deliveries with an invalid time is refused, and a request for deliveries or for a replay is refused if its time range ends before it begins", async () => {
      const { subscription } = await make()
      const [early, late] = [since, new Date().toISOString()]
      const { id } = subscription
      const list = (range: object) => pod.owner.query("webhooks.deliveries", { subscriptionId: id, ...range })
      const get = (range: object) =>
        pod.owner.send("GET", `/api/hub/webhooks/${id}/deliveries?${new URLSearchParams({ ...range }).toString()}`)
      for (const range of [{ since: "yesterday" }, { until: "" }, { since: "+020000-01-01T00:00:00Z" }]) {
        assert.deepStrictEqual(
          [(await list(range)).status, (await get(range)).status],
          [400, 400],
          JSON.stringify(range)
        )
      }
      const backwards = { since: late, until: early }
      for (const { body, status } of [
        await list(backwards),
        await get(backwards),
        await pod.owner.mutate("webhooks.replay", { id, ...backwards })
      ]) {
        assert.strictEqual(status, 400)
        assert.include(JSON.stringify(body), "Use a time that is not before the time in `since`.")
      }
      assert.deepStrictEqual((await list({ since: early, until: early })).body.result.data, [])
      assert.deepStrictEqual((await get({ since: early, until: late })).body, [])
    })

    it("a change of a webhook keeps the fields that are not in the change, and listings do not show a deleted webhook", async () => {
      const { subscription } = await make()
      assert.deepInclude(subscription, {
        ...draft,
        active: true,
        retryConfig: { maxRetries: 3 },
        lastTriggeredAt: null
      })
      const { body } = await pod.owner.mutate("webhooks.update", { id: subscription.id, active: false, name: "Paused" })
      assert.deepInclude(body.result.data, { active: false, name: "Paused", url: draft.url })
      assert.strictEqual((await pod.owner.mutate("webhooks.delete", { id: subscription.id })).status, 200)
      assert.notInclude(await seen(pod.owner), subscription.id)
    })
  })
}
