/**
 * The sample data in the console: a person repairs the failed deliveries of the sample, and the owner removes the
 * sample.
 */
import type { Page } from "playwright-core"
import { assert } from "vitest"
import { makeSample } from "../../src/shared/Sample.ts"
import type { SampleCaller } from "../../src/shared/SampleCalls.ts"
import { aColleague } from "../support/membership.ts"
import { anEmbedded } from "../support/pgliteImage.ts"
import { aReceiver, quickWebhooks } from "../support/receiver.ts"
import { assertScreenFits, describeConsole, it } from "./consoleScene.ts"

describeConsole(
  "the sample data",
  ({ open, pod }) => {
    const asOwner: SampleCaller = async (method, path, body, key) => {
      const by = key === undefined ? pod().owner : pod().as({ authorization: `Bearer ${key}` })
      const answer = await by.send(method, path, body)
      assert.strictEqual(answer.status, 200, `${method} ${path}: ${JSON.stringify(answer.body)}`)
      return answer.body
    }

    it("the settings offer the removal of the sample data only while the pod has sample data, and only to the owner of the pod", async () => {
      const page = await open("/settings")
      await page.getByRole("heading", { name: "This pod" }).waitFor()
      await page.waitForLoadState("networkidle")
      assert.strictEqual(await page.getByRole("heading", { name: "Sample data" }).count(), 0)
      await makeSample(asOwner)
      await page.reload()
      await page.getByRole("heading", { name: "Sample data" }).waitFor()
      await assertScreenFits(page, "settings-sample")
      const other = await pod().aPerson()
      const theirs = await open("/settings", { session: other.headers["x-session-token"] ?? "" })
      await theirs.getByRole("heading", { name: "Password" }).waitFor()
      await theirs.waitForLoadState("networkidle")
      assert.strictEqual(await theirs.getByRole("heading", { name: "Sample data" }).count(), 0)
    })

    it("the checklist of the first week counts no key, call or proposal of the sample data", async () => {
      const page = await open("/")
      await page.getByRole("heading", { name: "Your first week" }).waitFor()
      await page.getByText("1 of 5 done").waitFor()
    })

    it("while the owner hides the sample data, the home screen, the inbox and the choice of workspaces do not show this data", async () => {
      await pod().aWorkspace(pod().owner, "Harbour")
      const home = await open("/")
      const choice = home.getByLabel("Working in")
      const isOffered = (name: string) => choice.getByRole("option", { name }).count()
      const waiting = home.locator("section").filter({ hasText: "Waiting for your decision" })
      await waiting.getByRole("listitem").first().waitFor()
      await home.getByLabel("6 waiting").waitFor()
      await home.getByText("in Acme demo").first().waitFor()
      await home.getByText("Warehouse (sample)").waitFor()
      await choice.selectOption({ label: "Acme demo" })

      const settings = await open("/settings")
      await settings.getByRole("button", { name: "Hide the sample" }).click()
      await settings.getByText("It is hidden from Home, from the inbox and from the choice of workspaces.").waitFor()
      await assertScreenFits(settings, "settings-sample-hidden")

      await home.reload()
      await waiting.getByText("Nothing waits.").waitFor()
      await home.getByText("No webhook fails.").waitFor()
      await home.getByText("in Harbour").first().waitFor()
      assert.strictEqual(await home.getByText("in Acme demo").count(), 0)
      assert.strictEqual(await home.getByLabel("6 waiting").count(), 0)
      assert.deepStrictEqual([await isOffered("Acme demo"), await isOffered("Harbour")], [0, 1])
      assert.strictEqual(await choice.inputValue(), "")
      const inbox = await open("/inbox")
      await inbox.getByText("Nothing waits for you.").waitFor()
      const workspaces = await open("/workspaces")
      await workspaces.getByRole("link", { name: "Acme demo" }).waitFor()
      assert.strictEqual(await workspaces.getByText("sample", { exact: true }).count(), 1)

      // The answer that says what is hidden arrives last. Until then the page shows nothing of the sample.
      const sampleTexts = ["Acme demo", "Warehouse (sample)", "parcel", "6 waiting"]
      const shown = async () => {
        const page = (await home.locator("body").innerText()) + (await choice.allInnerTexts()).join()
        return sampleTexts.filter((text) => page.includes(text))
      }
      let release = () => {}
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      await home.route("**/preferences.get*", async (route) => {
        await released
        await route.continue()
      })
      const others = ["proposals", "notifications", "webhooks", "workspaces", "events"].map((name) =>
        home.waitForResponse((response) => response.url().includes(`/api/hub/${name}`))
      )
      await home.reload({ waitUntil: "commit" })
      await Promise.all(others)
      await home.getByText("You see 2 workspaces").waitFor()
      assert.deepStrictEqual(await shown(), [])
      release()
      await waiting.getByText("Nothing waits.").waitFor()
      await home.unrouteAll()

      await settings.getByRole("button", { name: "Show it again" }).click()
      await settings.getByRole("button", { name: "Hide the sample" }).waitFor()
      await home.reload()
      await waiting.getByRole("listitem").first().waitFor()
      await choice.getByRole("option", { name: "Acme demo" }).waitFor({ state: "attached" })
    })

    it("a member of the sample workspace hides the sample data from themselves alone, and cannot remove it", async () => {
      const { workspaces } = (await pod().owner.send("GET", "/api/hub/workspaces")).body
      const sample = workspaces.find(({ name }: { readonly name: string }) => name === "Acme demo").id as string
      const storage = { kind: "pglite", open: anEmbedded } as const
      const member = await aColleague(pod(), storage, sample, "editor", "member-of-the-sample")
      const session = member.headers["x-session-token"] ?? ""
      const settings = await open("/settings", { session })
      await settings.getByText("You are in a workspace with sample data: “Acme demo”.").waitFor()
      assert.strictEqual(await settings.getByRole("button", { name: "Remove the sample" }).count(), 0)
      await settings.getByRole("button", { name: "Hide the sample" }).click()
      await settings.getByRole("button", { name: "Show it again" }).waitFor()
      await assertScreenFits(settings, "settings-sample-member")
      const offered = async (page: Page) => {
        await page.getByRole("link", { name: "Acme demo" }).waitFor()
        await page.waitForLoadState("networkidle")
        return page.getByLabel("Working in").getByRole("option", { name: "Acme demo" })
      }
      const theirs = await offered(await open("/workspaces", { session }))
      assert.strictEqual(await theirs.count(), 0)
      await (await offered(await open("/workspaces"))).waitFor({ state: "attached" })
    })

    it("the webhook of the sample data has a delivery that failed twice and then arrived", async () => {
      const page = await open("/webhooks")
      await page.getByRole("link", { name: "Warehouse (sample)" }).click()
      const table = page.getByRole("region", { name: "Deliveries of Warehouse (sample)" })
      const repaired = table.getByRole("row").filter({ hasText: "success" })
      await repaired.getByRole("link", { name: "parcel.sent" }).click()
      const calls = page.getByRole("region", { name: "Calls of the delivery" })
      await calls.getByText("HTTP 200").waitFor()
      await calls.getByText("HTTP 503").waitFor()
      await calls.getByText("The receiver refused the connection.").waitFor()
    })

    it("a person repairs a failed delivery of the sample data by giving the webhook another address and sending the delivery again", async () => {
      const receiver = await aReceiver()
      const page = await open("/webhooks")
      await page.getByRole("link", { name: "Warehouse (sample)" }).click()
      const table = page.getByRole("region", { name: "Deliveries of Warehouse (sample)" })
      await table
        .getByRole("row")
        .filter({ hasText: "parcel.sent" })
        .first()
        .getByText(/failed|pending/)
        .waitFor()
      await page.getByRole("button", { name: "Edit" }).click()
      const form = page.getByRole("form", { name: "Edit Warehouse (sample)" })
      await form.getByLabel("Address").fill(receiver.url)
      await form.getByRole("button", { name: "Save" }).click()
      await form.waitFor({ state: "detached" })
      await table.getByRole("link", { name: "parcel.sent" }).first().click()
      const drawer = page.getByRole("dialog", { name: "Delivery" })
      await drawer.getByRole("button", { name: "Send this again" }).click()
      await receiver.until(({ body }) => body.type === "parcel.sent")
      await drawer.getByText("success", { exact: true }).waitFor()
      await receiver.stop()
    })

    it("the owner removes the sample data in the settings, and the workspace, the webhook and the key of the sample data are gone", async () => {
      const page = await open("/settings")
      await page.getByRole("button", { name: "Remove the sample" }).click()
      const dialog = page.getByRole("dialog", { name: "Remove the sample data?" })
      await dialog.getByRole("button", { name: "Remove the sample" }).click()
      await page.getByText("The sample data are removed.").waitFor()
      await page.getByRole("heading", { name: "Sample data" }).waitFor({ state: "detached" })
      const { workspaces } = (await pod().owner.send("GET", "/api/hub/workspaces")).body
      assert.notInclude(
        (workspaces as ReadonlyArray<{ readonly name: string }>).map(({ name }) => name),
        "Acme demo"
      )
      for (const [procedure, gone] of [
        ["webhooks.list", "Warehouse (sample)"],
        ["apiKeys.list", "Demo assistant (sample)"]
      ] as const) {
        const { data } = (await pod().owner.query(procedure, {})).body.result
        const rows: ReadonlyArray<Record<string, unknown>> = Array.isArray(data) ? data : data.items
        const left = rows.filter(({ isActive, keyName, name }) => [name, keyName].includes(gone) && isActive !== false)
        assert.deepStrictEqual(left, [])
      }
    })
  },
  { webhooks: quickWebhooks() }
)
