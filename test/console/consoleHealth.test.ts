/** The health screen in a browser, and what its diagnostics leave out. */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { assert, it as plainly } from "vitest"
import { diagnosticsOf, redact } from "../../src/console/screens/health/diagnostics.ts"
import { aMoment } from "../support/aMoment.ts"
import { ownerEmail, ownerPassword } from "../support/pod.ts"
import { asOwner } from "../support/stores.ts"
import { assertScreenFits, describeConsole, it } from "./consoleScene.ts"

plainly(
  "the diagnostics that a person can copy contain no name, address, id, key or secret, however deeply such a value is nested",
  () => {
    const text = diagnosticsOf({
      reason: "ada@example.com asked https://db.internal:5432/pod with svc_user_abcdefghijklmnop from 10.0.0.7:5432",
      deep: [{ id: "0190a5e2-7b1c-7c3d-8e4f-5a6b7c8d9e0f", sessionSecret: "0123456789", apiKey: "x" }],
      headers: "Authorization: Bearer abc.def.ghi",
      host: "models.example.com:8080"
    })
    for (const secret of [
      "ada",
      "db.internal",
      "svc_user",
      "10.0.0.7",
      "0190a5e2",
      "0123456789",
      "abc.def",
      "models."
    ]) {
      assert.notInclude(text, secret)
    }
    assert.include(text, "(set)")
  }
)

plainly("the diagnostics that a person can copy keep versions, numbers and states", () => {
  const facts = {
    version: "1.2.3",
    state: "down",
    latencyMs: 12,
    isOn: true,
    none: null,
    at: "2026-01-02T03:04:05.000Z"
  }
  assert.deepStrictEqual(redact(facts), facts)
})

/**
 * Changes the answer of one procedure. If the console calls several procedures in one request, their answers stay
 * unchanged.
 */
const replaceAnswer = (page: Page, procedure: string, change: (data: never) => unknown) =>
  page.route(
    (url) => url.pathname.includes("/trpc/") && url.pathname.includes(procedure),
    async (route) => {
      const names = (new URL(route.request().url()).pathname.split("/").at(-1) ?? "").split(",")
      const response = await route.fetch()
      const answers = [await response.json()].flat()
      const place = names.indexOf(procedure)
      answers[place] = { result: { data: change(answers[place].result?.data as never) } }
      await route.fulfill({ response, json: names.length === 1 ? answers[0] : answers })
    }
  )

describeConsole("health in the console", ({ open, pod }) => {
  it("the health screen lists the deprecated operations, and the keys that recently called these operations", async () => {
    const old = await pod().aKey(pod().owner, { keyName: "an old script", scope: ["hub-protocol.read"] })
    const { status } = await old.send("GET", "/api/hub/knowledge/search?q=anything")
    assert.strictEqual(status, 200)
    // The pod stores calls once a second, so the test waits until the call is stored.
    const calls = async () => (await pod().owner.query("apiKeys.usage", { keyId: old.id })).body.result.data.calls
    while ((await calls()).length === 0) await aMoment()
    const page = await open("/health")
    const row = page.getByRole("row", { name: /GET \/api\/hub\/knowledge\/search/ })
    await row.getByRole("link", { name: "an old script" }).waitFor()
    await page
      .getByRole("row", { name: /POST \/api\/hub\/entities\/retrieve/ })
      .getByText("none")
      .waitFor()
  })

  it("if the health screen has no deprecated operation or no changed setting to show, it offers to show all operations or all settings", async () => {
    const page = await open("/health")
    await page.route("**/openapi.json", async (route) => {
      const response = await route.fetch()
      await route.fulfill({
        response,
        body: (await response.text()).replaceAll('"deprecated":true', '"deprecated":false')
      })
    })
    await replaceAnswer(page, "system.getSettings", (settings: ReadonlyArray<object>) =>
      settings.map((setting) => ({ ...setting, source: "default" }))
    )
    await page.reload()
    await page.getByText("Every setting has its default.").waitFor()
    await page.getByRole("button", { name: "Show all settings" }).click()
    await page.getByRole("row", { name: /POD_ADMIN_PATH/ }).waitFor()
    await page.getByText("This version has no deprecated operation.").waitFor()
    await page.getByRole("link", { name: "See every operation" }).click()
    await page.waitForURL(/\/api$/)
  })

  it("the health screen says that the pod is ready, and shows the services that the pod needs and the setup of the pod", async () => {
    const page = await open("/health")
    await page.getByText("ready", { exact: true }).waitFor()
    await page.getByRole("region", { name: "What the pod depends on" }).waitFor()
    await page.getByText(/migrations applied/).waitFor()
    await page.getByRole("heading", { name: "Limits" }).waitFor()
    await page.getByText("Events in 24 h").waitFor()
    await page.getByText("This pod has no backup.").waitFor()
    await page
      .getByText("Every setting has its default.")
      .or(page.getByRole("columnheader", { name: "From" }))
      .waitFor()
    await assertScreenFits(page, "health")
  })

  it("the health screen shows the age of the last backup to the owner, and nothing about backups to other people", async () => {
    await pod().run(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`INSERT INTO backups (file, size_bytes) VALUES ('x', 3145728)`
      ).pipe(asOwner)
    )
    const page = await open("/health")
    await page.getByText(/The last one was made just now, 3.0 MB./).waitFor()
    const member = await pod().aPerson()
    assert.strictEqual((await member.query("system.getBackups", {})).status, 403)
    const theirs = await open("/health", { session: member.headers["x-session-token"] ?? "" })
    await theirs.getByText("Only the owner of the pod sees its settings.").waitFor()
    await theirs.getByText("Ask the owner").waitFor()
    assert.strictEqual(await theirs.getByRole("heading", { name: "Backups" }).count(), 0)
  })

  it("the health screen tells only the owner about the pod's own secrets, and says whether the pod still needs a former value of a secret", async () => {
    const page = await open("/health")
    await page.getByText("Each secret has only its current value, and nothing needs a former value.").waitFor()
    const changing = [
      { name: "POD_KEY_PEPPER", values: 2, older: [{ of: "keys", count: 3 }] },
      { name: "POD_SESSION_SECRET", values: 2, older: [{ of: "sessions", count: 0 }] },
      { name: "POD_ENCRYPTION_KEY", values: 1, older: [{ of: "vaults", count: 0 }] }
    ]
    await replaceAnswer(page, "health.secrets", () => changing)
    await page.reload()
    await page.getByText("A former value is still needed (keys: 3): keep it in POD_KEY_PEPPER.").waitFor()
    await page.getByText("Nothing needs the former value: remove it from POD_SESSION_SECRET.").waitFor()
    assert.strictEqual(await page.getByText("POD_ENCRYPTION_KEY.").count(), 0)
    await assertScreenFits(page, "health-secrets")
    const member = await pod().aPerson()
    assert.strictEqual((await member.query("health.secrets", {})).status, 403)
    const theirs = await open("/health", { session: member.headers["x-session-token"] ?? "" })
    await theirs.getByText("Only the owner of the pod sees its settings.").waitFor()
    assert.strictEqual(await theirs.getByRole("heading", { name: "Secrets" }).count(), 0)
  })

  it("the health screen shows why a service does not answer, and checks the service again when the person asks for a new check", async () => {
    const page = await open("/sign-in", { session: null })
    await page.getByLabel("E-mail address").fill(ownerEmail)
    await page.getByLabel("Password").fill(ownerPassword)
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "Home" }).waitFor()
    let answers = 0
    await page.route("**/api/hub/health/dependencies", async (route) => {
      answers += 1
      const down = {
        name: "mail",
        state: "down",
        reachable: false,
        reason: "It does not answer.",
        endpoint: null,
        serviceId: null,
        httpStatus: null,
        latencyMs: 0
      }
      const { body } = await pod().owner.send("GET", "/api/hub/health/dependencies")
      await route.fulfill({ json: { ...body, status: "degraded", dependencies: [down] } })
    })
    await page.getByRole("link", { name: "Health" }).click()
    await page.getByText("A configured service does not answer.").waitFor()
    await page.getByText("It does not answer.").waitFor()
    await page.getByRole("button", { name: "Check again" }).click()
    await page.getByRole("button", { name: "Check again", disabled: false }).waitFor()
    assert.isAtLeast(answers, 2)
    await assertScreenFits(page, "health-degraded")
  })

  it("if a part of the health screen cannot be read, the screen shows a message for this part and shows the other parts", async () => {
    const page = await open("/health")
    await page.route("**/api/hub/pod/config", (route) =>
      route.fulfill({ status: 503, json: { error: "The database is busy.", code: "UNAVAILABLE", requestId: "r-1" } })
    )
    await page.reload()
    await page.getByText("ready", { exact: true }).waitFor()
    await page.getByText("The database is busy.").waitFor()
    await page.getByText("r-1").waitFor()
    await page.unroute("**/api/hub/pod/config")
    await page.getByRole("button", { name: "Retry" }).click()
    await page.getByRole("heading", { name: "Limits" }).waitFor()
  })

  it("a person can copy the diagnostics with the keyboard alone, and the diagnostics contain neither the owner's e-mail address nor a network address", async () => {
    const page = await open("/health")
    await page.getByText(/migrations applied/).waitFor()
    await page.getByRole("heading", { name: "Limits" }).waitFor()
    await page.getByRole("button", { name: "Copy diagnostics" }).focus()
    await page.keyboard.press("Enter")
    const text = await page.getByRole("region", { name: "the diagnostics" }).innerText()
    await assertScreenFits(page, "health-diagnostics")
    assert.include(text, '"version"')
    for (const secret of [ownerEmail, pod().ownerId, "127.0.0.1", "localhost"]) assert.notInclude(text, secret)
  })
})
