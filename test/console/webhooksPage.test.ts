/** The webhooks screen in a browser: making, watching and repairing webhooks. */
import { afterEach, assert } from "vitest"
import { aReceiver, quickWebhooks, type Receiver } from "../support/receiver.ts"
import { assertScreenFits, describeConsole, it, panelNamed } from "./consoleScene.ts"

describeConsole(
  "webhooks",
  ({ open, pod }) => {
    const receivers: Array<Receiver> = []
    afterEach(async () => {
      for (const receiver of receivers.splice(0)) await receiver.stop()
    })
    const listening = async (...answer: Parameters<typeof aReceiver>) => {
      const receiver = await aReceiver(...answer)
      receivers.push(receiver)
      return receiver
    }
    const ok = async (asked: ReturnType<ReturnType<typeof pod>["owner"]["mutate"]>) => {
      const { body, status } = await asked
      assert.strictEqual(status, 200, JSON.stringify(body))
      return body.result.data
    }
    const follow = async (name: string, url: string, more: object = {}) =>
      (await ok(pod().owner.mutate("webhooks.create", { name, url, eventTypes: [`${name}.happened`], ...more })))
        .subscription.id as string
    const log = (name: string) => ok(pod().owner.mutate("events.log", { type: `${name}.happened` }))
    const webhook = async (id: string) =>
      (await ok(pod().owner.query("webhooks.list", {}))).find((each: { id: string }) => each.id === id)

    it("the webhooks screen without a webhook offers to make one, and shows the secret of a new webhook only once", async () => {
      const receiver = await listening()
      const page = await open("/webhooks")
      await page.getByText("No webhook yet.").waitFor()
      await assertScreenFits(page, "webhooks-empty")
      await page.getByRole("button", { name: "New webhook" }).first().focus()
      await page.keyboard.press("Enter")
      const form = page.getByRole("form", { name: "New webhook" })
      await form.getByLabel("Name").focus()
      await page.keyboard.type("made")
      await form.getByLabel("Address").focus()
      await page.keyboard.type(receiver.url)
      await form.getByLabel("Types of events").fill("made.happened\n*.archive")
      await assertScreenFits(page, "webhook-new")
      await form.getByRole("button", { name: "Create the webhook" }).focus()
      await page.keyboard.press("Enter")
      const secret = await page.getByRole("region", { name: "the secret" }).innerText()
      assert.match(secret, /^whsec_/)
      await page.getByRole("button", { name: "I stored it" }).press("Enter")
      await page.getByRole("heading", { name: "made" }).waitFor()
      await page.reload()
      await page.getByRole("heading", { name: "made" }).waitFor()
      assert.notInclude(await page.content(), secret)
    })

    it("if a person types a webhook address that the pod must not call, the pod refuses the webhook, and the form keeps the typed values", async () => {
      const page = await open("/webhooks")
      await page.getByRole("button", { name: "New webhook" }).first().click()
      const form = page.getByRole("form", { name: "New webhook" })
      await form.getByLabel("Name").fill("inside")
      await form.getByLabel("Address").fill("http://10.0.0.1/in")
      await form.getByRole("button", { name: "Create the webhook" }).click()
      await form.getByRole("alert").waitFor()
      assert.strictEqual(await form.getByLabel("Address").inputValue(), "http://10.0.0.1/in")
    })

    it("a test call of a webhook arrives at the receiver, and the webhooks screen shows what the receiver answered", async () => {
      const receiver = await listening((response) => {
        response.writeHead(200, { "x-receiver": "the shop", "set-cookie": "session=secret" })
        response.end("thank you")
      })
      const id = await follow("tested", receiver.url)
      const page = await open(`/webhooks?id=${id}`)
      await page.getByText("Nothing was sent yet.").waitFor()
      await page.getByRole("button", { name: "Send test" }).click()
      const call = await receiver.until(() => true)
      const table = page.getByRole("region", { name: "Deliveries of tested" })
      await table.getByText("success").waitFor()
      await assertScreenFits(page, "webhook-deliveries")
      await table.getByRole("link").first().click()
      const drawer = page.getByRole("dialog", { name: "Delivery" })
      const calls = drawer.getByRole("region", { name: "Calls of the delivery" })
      await calls.getByText("HTTP 200").waitFor()
      await calls.getByText(/\d+ ms/).waitFor()
      await calls.getByText("thank you").first().waitFor()
      await calls.getByText("Whole answer to call 1").click()
      const answer = await calls.getByRole("region", { name: "the answer to call 1" }).innerText()
      assert.include(answer, "x-receiver: the shop")
      assert.include(answer, "thank you")
      assert.notInclude(answer, "secret")
      await assertScreenFits(page, "webhook-calls")
      await drawer.getByRole("tab", { name: "Request" }).click()
      const headers = await drawer.getByRole("region", { name: "the headers" }).innerText()
      assert.include(headers, `webhook-id: ${String(call.headers["webhook-id"])}`)
      assert.include(headers, `x-svc-event-id: ${String(call.headers["x-svc-event-id"])}`)
      await drawer.getByRole("tab", { name: "Answer" }).click()
      assert.include(await drawer.getByRole("region", { name: "the answer" }).innerText(), "thank you")
      await drawer.getByRole("tab", { name: "Verify" }).click()
      assert.include(await drawer.getByRole("region", { name: "the check" }).innerText(), "timingSafeEqual")
      await assertScreenFits(page, "webhook-delivery")
    })

    it("a person filters the list of webhooks by a text, and the address of the page keeps the text", async () => {
      await follow("alpha", "https://one.example.com/in")
      await follow("beta", "https://two.example.com/in")
      const page = await open("/webhooks?q=alph")
      const table = page.getByRole("region", { name: "Webhooks" })
      await table.getByRole("link", { name: "alpha" }).waitFor()
      assert.strictEqual(await table.getByRole("link", { name: "beta" }).count(), 0)
      await page.getByLabel("Find").fill("two.example")
      await table.getByRole("link", { name: "beta" }).waitFor()
      await page.waitForURL(/q=two/)
      assert.strictEqual(await table.getByRole("link", { name: "alpha" }).count(), 0)
    })

    it("the webhooks screen shows the headers and the body of each call as the receiver got them", async () => {
      let refusals = 1
      const receiver = await listening((response) => void response.writeHead(refusals-- > 0 ? 503 : 204).end())
      const id = await follow("bodied", receiver.url)
      await log("bodied")
      await receiver.until((_call, { length }) => length === 2)
      const page = await open(`/webhooks?id=${id}`)
      const table = page.getByRole("region", { name: "Deliveries of bodied" })
      await table.getByText("success").waitFor()
      await table.getByRole("link").first().click()
      await page.getByRole("tab", { name: "Request" }).click()
      const [first, second] = receiver.calls
      const shows = async (call: typeof first) => {
        assert.strictEqual(await page.getByRole("region", { name: "the body" }).innerText(), call.text)
        const headers = await page.getByRole("region", { name: "the headers" }).innerText()
        for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature"]) {
          assert.include(headers, `${name}: ${String(call.headers[name])}`)
        }
      }
      await page.getByText(`"attempt":2`).waitFor()
      await shows(second)
      await assertScreenFits(page, "webhook-request")
      await page.getByLabel("Call", { exact: true }).selectOption("1: HTTP 503")
      await page.getByText(`"attempt":1`).waitFor()
      await shows(first)
    })

    it("a person chooses the time of the shown deliveries, and the address of the page keeps the choice", async () => {
      const receiver = await listening()
      const id = await follow("timed", receiver.url)
      await log("timed")
      await receiver.until(() => true)
      const page = await open(`/webhooks?id=${id}&until=2020-01-01T00:00:00.000Z`)
      await page.getByText("Nothing was sent in this time.").waitFor()
      await assertScreenFits(page, "webhook-no-delivery")
      await page.getByRole("button", { name: "Show all deliveries" }).click()
      const table = page.getByRole("region", { name: "Deliveries of timed" })
      await table.getByRole("link", { name: "timed.happened" }).waitFor()
      assert.notInclude(page.url(), "until")
      const asked = page.waitForRequest((request) => /webhooks\.deliveries.*since/.test(request.url()))
      await page.getByLabel("Time", { exact: true }).selectOption("Last hour")
      await asked
      await page.waitForURL(/last=1h/)
      await page.reload()
      await table.getByRole("link", { name: "timed.happened" }).click()
      await page.getByRole("dialog", { name: "Delivery" }).waitFor()
      assert.include(page.url(), "last=1h")
    })

    it("a person sends one failed delivery of a webhook again, and then all other failed deliveries together", async () => {
      let isBroken = true
      const receiver = await listening((response) => void response.writeHead(isBroken ? 500 : 204).end())
      const id = await follow("mended", receiver.url, { retryConfig: { maxRetries: 0 } })
      for (let at = 0; at < 3; at++) await log("mended")
      const page = await open(`/webhooks?id=${id}`)
      const table = page.getByRole("region", { name: "Deliveries of mended" })
      await table.getByText("failed").nth(2).waitFor()
      await page.getByRole("row").filter({ hasText: "mended" }).getByText("0 % of 3").waitFor()
      isBroken = false
      await table.getByRole("link").first().click()
      const drawer = page.getByRole("dialog", { name: "Delivery" })
      await drawer.getByRole("button", { name: "Send this again" }).click()
      await drawer.getByText("success", { exact: true }).waitFor()
      const calls = drawer.getByRole("region", { name: "Calls of the delivery" })
      await calls.getByText("HTTP 204").waitFor()
      assert.deepStrictEqual(await calls.getByText(/^HTTP/).allInnerTexts(), ["HTTP 204", "HTTP 500"])
      await page.keyboard.press("Escape")
      await page.getByRole("button", { name: "Recover failed" }).click()
      const dialog = page.getByRole("dialog", { name: /Recover failed deliveries of mended/ })
      await dialog.getByRole("button", { name: "Recover failed" }).click()
      await page.getByText("2 deliveries are tried again.").waitFor()
      await table.getByText("success").nth(2).waitFor()
    })

    it("a person pauses and resumes a webhook, and sends the events that the webhook missed during the pause", async () => {
      const receiver = await listening()
      const id = await follow("paused", receiver.url)
      const page = await open(`/webhooks?id=${id}`)
      await page.getByRole("button", { name: "Pause" }).click()
      await page.getByRole("button", { name: "Resume" }).waitFor()
      await page.getByRole("region", { name: "Webhooks" }).getByText("paused", { exact: true }).nth(1).waitFor()
      await log("paused")
      await page.getByRole("button", { name: "Resume" }).click()
      await page.getByRole("button", { name: "Pause" }).waitFor()
      await page.getByRole("button", { name: "Replay missing" }).click()
      const dialog = page.getByRole("dialog", { name: /Replay missing events of paused/ })
      await assertScreenFits(page, "webhook-replay")
      await dialog.getByLabel("Until").fill("2100-01-01T00:00")
      await dialog.getByLabel("Only this type").fill("paused.happened")
      const asked = page.waitForRequest("**/trpc/webhooks.replay*")
      await dialog.getByRole("button", { name: "Replay missing" }).click()
      const body = String((await asked).postData())
      assert.include(body, `"eventTypes":["paused.happened"]`)
      assert.match(body, /"until":"(2099|2100)/)
      await receiver.until(({ body }) => body.type === "paused.happened")
    })

    it("after a rotation the webhooks screen shows the new secret of the webhook, and the former secret stays valid for a time", async () => {
      const receiver = await listening()
      const id = await follow("rotated", receiver.url)
      const page = await open(`/webhooks?id=${id}`)
      await page.getByRole("button", { name: "Rotate secret" }).click()
      await page
        .getByRole("dialog", { name: "Create a new secret for rotated?" })
        .getByRole("button", { name: "Rotate secret" })
        .click()
      await page.getByRole("region", { name: "the secret" }).waitFor()
      await assertScreenFits(page, "webhook-rotated")
      await page.getByRole("button", { name: "I stored it" }).click()
      assert.isString((await webhook(id)).formerSecretEnds)
    })

    it("the home screen shows a webhook whose deliveries fail while the pod still calls it, with a link to the webhook", async () => {
      const receiver = await listening((response) => void response.writeHead(500).end())
      await follow("wobbly", receiver.url)
      await log("wobbly")
      await receiver.until(() => true)
      const page = await open("/")
      await page.getByText(/1 of 1 delivery failed in 24 h|1 delivery is tried again/).waitFor()
      assert.strictEqual(await page.getByText("No webhook fails.").count(), 0)
      await assertScreenFits(page, "home-failing")
      await panelNamed(page, "What fails").getByRole("link", { name: "wobbly" }).click()
      await page.getByRole("heading", { name: "wobbly" }).waitFor()
    })

    it("if a receiver answers that it wants no further calls, the pod stops the webhook, and the webhooks screen says why", async () => {
      const receiver = await listening((response) => void response.writeHead(410).end())
      const id = await follow("gone", receiver.url)
      await log("gone")
      const page = await open(`/webhooks?id=${id}`)
      await receiver.until(() => true)
      await page.getByRole("region", { name: "Deliveries of gone" }).getByText("failed").waitFor()
      await page.getByText("The receiver answered 410 Gone").waitFor()
      await assertScreenFits(page, "webhook-stopped")
    })

    it("a person edits a webhook, and deletes the webhook after a confirmation that shows the name of the webhook", async () => {
      const receiver = await listening()
      const id = await follow("edited", receiver.url)
      const page = await open(`/webhooks?id=${id}`)
      await page.getByRole("button", { name: "Edit" }).click()
      const form = page.getByRole("form", { name: "Edit edited" })
      await form.getByLabel("Name").fill("renamed")
      await form.getByLabel("Which events").selectOption("internal")
      await form.getByRole("button", { name: "Save" }).click()
      await page.getByRole("heading", { name: "renamed" }).waitFor()
      assert.strictEqual((await webhook(id)).lens, "internal")
      await page.getByRole("button", { name: "Delete" }).click()
      await page.getByRole("dialog", { name: "Delete renamed?" }).getByRole("button", { name: "Delete" }).click()
      await page.getByRole("heading", { name: "renamed" }).waitFor({ state: "detached" })
      assert.isUndefined(await webhook(id))
    })
  },
  { webhooks: quickWebhooks() }
)
