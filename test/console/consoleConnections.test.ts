/**
 * The list of connections in a browser: what each key may access and how it is used. A person revokes, rotates and
 * clones keys, one or many at once.
 */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { assert } from "vitest"
import { KeyUsage } from "../../src/features/usage/KeyUsage.ts"
import { asOwner } from "../support/stores.ts"
import { assertAccessible, assertScreenFits, describeConsole, it } from "./consoleScene.ts"

const rowOf = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name })
const drawerOf = (page: Page, name: string) => page.getByRole("dialog", { name })

describeConsole("connections in the console", ({ open, pod }) => {
  interface ListedKey {
    readonly id: string
    readonly keyName: string
    readonly isActive: boolean
    readonly expiresAt: string | null
    readonly revokedReason: string | null
  }
  const keys = async (): Promise<ReadonlyArray<ListedKey>> =>
    (await pod().owner.query("apiKeys.list", { limit: 500 })).body.result.data
  const keyNamed = async (name: string) => (await keys()).find(({ keyName }) => keyName === name)

  /** The pod stores the use of keys once a second. This function makes the pod store the use of keys at once. */
  const stored = () => pod().run(Effect.flatMap(KeyUsage, ({ flush }) => flush))

  it("if a person has no key, the list of connections says what to do next", async () => {
    const person = await pod().aPerson()
    const page = await open("/connections", { session: person.headers["x-session-token"] ?? "" })
    await page.getByText("You have no key yet.").waitFor()
    await assertScreenFits(page, "connections-empty")
    await page.getByRole("link", { name: "Create the first key" }).click()
    await page.getByRole("heading", { name: "New key", level: 1 }).waitFor()
  })

  it("a row in the list of connections shows what the key may access, how often it was used and refused, its expiry and its state", async () => {
    const key = await pod().aKey(pod().owner, { keyName: "Laptop", grant: { permissions: ["entity.note.read"] } })
    await key.send("GET", "/api/hub/entities?limit=1")
    await key.send("POST", "/api/hub/entities", { profileSlug: "note", title: "no" })
    await pod().aKey(pod().owner, { keyName: "Soon", expiresInDays: 3 })
    await stored()
    const page = await open("/connections")
    const row = rowOf(page, "Laptop")
    await row.getByText("Has only the permissions entity.note.read.").waitFor()
    await row.getByText("REST read").waitFor()
    await row.getByText("active").waitFor()
    await rowOf(page, "Soon")
      .getByText(/ends soon:/)
      .waitFor()
    await row.getByText("2 calls, 1 refused", { exact: true }).waitFor()
    const [whole, visible] = await page
      .getByRole("region", { name: "Connections" })
      .evaluate(({ clientWidth, scrollWidth }) => [scrollWidth, clientWidth])
    assert.isAtMost(whole ?? 0, visible ?? 0, "a window of 1280 pixels shows every column")
    await assertScreenFits(page, "connections")
  })

  it("the filters of the list of connections are in the address of the page, and an empty result has a link that removes the filters", async () => {
    await pod().aKey(pod().owner, { keyName: "Eternal", expiresInDays: null })
    const page = await open("/connections?only=forever")
    await rowOf(page, "Eternal").waitFor()
    assert.strictEqual(await rowOf(page, "Laptop").count(), 0)
    await page.getByLabel("Find").fill("nothing has this name")
    await page.getByText("No key matches “nothing has this name” and these filters.").waitFor()
    assert.match(page.url(), /only=forever/)
    assert.match(page.url(), /q=nothing/)
    await assertAccessible(page)
    await page.getByRole("button", { name: "Show all keys" }).click()
    await rowOf(page, "Laptop").waitFor()
  })

  it("the drawer of a key shows the present access, the grant and the rotations of the key, and its last calls with the result of each call", async () => {
    const key = await pod().aKey(pod().owner, {
      keyName: "Watched",
      grant: { permissions: ["document.read", "entity.note.read"] }
    })
    await key.send("GET", "/api/hub/entities?limit=1", undefined, { "user-agent": "n8n/1.2" })
    await key.send("POST", "/api/hub/entities", { profileSlug: "note", title: "no" })
    await stored()
    const page = await open("/connections")
    const drawer = drawerOf(page, "Watched")
    await rowOf(page, "Watched").getByRole("button", { name: "Watched", exact: true }).click()
    await page.waitForURL(new RegExp(`key=${key.id}`))
    await drawer.getByText("GRANT_DENIED 403").waitFor()
    await drawer.getByText("n8n 1.2").waitFor()
    await assertScreenFits(page, "connection-drawer")
    await drawer.getByLabel("Only refused or failed calls").check()
    await drawer.getByText("n8n 1.2").waitFor({ state: "detached" })
    await drawer.getByRole("tab", { name: "Access now" }).click()
    await drawer.getByText("What it reads").waitFor()
    await assertAccessible(page)
    await drawer.getByRole("tab", { name: "Grant" }).click()
    assert.isTrue(await drawer.getByRole("checkbox", { name: "document.read", exact: true }).isChecked())
    await drawer.getByRole("tab", { name: "Rotations" }).click()
    await drawer.getByText("(this key)").waitFor()
    await page.keyboard.press("Escape")
    await drawer.waitFor({ state: "detached" })
    assert.notMatch(page.url(), /key=/)
  })

  it("a person revokes a key after one confirmation that shows the name of the key, and the pod refuses the key at once", async () => {
    const key = await pod().aKey(pod().owner, { keyName: "Lost laptop" })
    const page = await open("/connections")
    await page.getByRole("button", { name: "Revoke Lost laptop" }).click()
    const dialog = drawerOf(page, "Revoke this key?")
    await dialog.getByText("There is no undo.").waitFor()
    await dialog.getByLabel("Reason").fill("The laptop was stolen.")
    await assertAccessible(page)
    await dialog.getByRole("button", { name: "Revoke Lost laptop" }).click()
    await rowOf(page, "Lost laptop").getByText("revoked").waitFor()
    assert.strictEqual((await key.send("GET", "/api/hub/entities")).status, 401)
    assert.strictEqual((await keyNamed("Lost laptop"))?.revokedReason, "The laptop was stolen.")
  })

  it("if a person answers “Cancel” to the question whether to revoke a key, the key stays valid", async () => {
    const key = await pod().aKey(pod().owner, { keyName: "Stays" })
    const page = await open("/connections")
    await page.getByRole("button", { name: "Revoke Stays" }).click()
    await page.getByRole("button", { name: "Cancel" }).click()
    await drawerOf(page, "Revoke this key?").waitFor({ state: "detached" })
    assert.strictEqual((await key.send("GET", "/api/hub/entities")).status, 200)
  })

  it("a person revokes several keys at once, after a dialog that lists the names of these keys and asks for confirmation", async () => {
    const used = await pod().aKey(pod().owner, { keyName: "Many one" })
    await pod().aKey(pod().owner, { keyName: "Many two" })
    await used.send("GET", "/api/hub/entities?limit=1", undefined, { "user-agent": "curl/8.5.0" })
    await pod().run(Effect.flatMap(KeyUsage, ({ flush }) => flush))
    const page = await open("/connections?q=many")
    await page.getByText(/^REST, curl 8\.5\.0, /).waitFor()
    await page.getByRole("checkbox", { name: /Select Many one/ }).check()
    await page.getByRole("checkbox", { name: /Select Many two/ }).check()
    await page.getByRole("button", { name: "Revoke 2 selected" }).click()
    const dialog = drawerOf(page, "Revoke these keys?")
    await dialog.getByText("Many one").waitFor()
    await dialog.getByText("Many two").waitFor()
    await dialog.getByText(/^1 call in the last hour, from /).waitFor()
    await dialog.getByText("No calls in the last hour.").waitFor()
    await dialog.getByRole("button", { name: "Revoke 2 keys" }).click()
    await dialog.waitFor({ state: "detached" })
    assert.deepStrictEqual(
      (await keys()).filter(({ keyName }) => keyName.startsWith("Many")).map(({ isActive }) => isActive),
      [false, false]
    )
  })

  it("if a person rotates a key in the console, the new key has the expiry of the old key, and the old key stays valid for a day", async () => {
    const key = await pod().aKey(pod().owner, { keyName: "Turning", expiresInDays: 40 })
    const before = await keyNamed("Turning")
    const page = await open("/connections")
    await page.getByLabel("More for Turning").click()
    await page.getByRole("button", { name: "Rotate Turning" }).click()
    const dialog = drawerOf(page, "Rotate this key")
    await dialog.getByText("The new key ends when the old key would have ended").waitFor()
    assert.isTrue(await dialog.getByLabel("in 24 hours").isChecked())
    await dialog.getByRole("button", { name: "Rotate Turning" }).click()
    const region = dialog.getByRole("region", { name: "the new key", exact: true })
    await region.waitFor()
    await assertAccessible(page)
    const secret = (await region.innerText()).trim()
    await dialog.getByText("Waiting for the first call").waitFor()
    const next = pod().as({ authorization: `Bearer ${secret}` })
    assert.strictEqual((await next.send("GET", "/api/hub/entities")).status, 200)
    assert.strictEqual((await key.send("GET", "/api/hub/entities")).status, 200)
    await dialog.getByText(/Connected:/).waitFor()
    assert.strictEqual((await keyNamed("Turning (rotated)"))?.expiresAt, before?.expiresAt)
    await dialog.getByRole("button", { name: "I stored it" }).click()
    await dialog.waitFor({ state: "detached" })
  })

  it("a person can choose in the console that the rotation of a key ends the old key at once", async () => {
    const key = await pod().aKey(pod().owner, { keyName: "Leaked" })
    const page = await open("/connections")
    await page.getByLabel("More for Leaked").click()
    await page.getByRole("button", { name: "Rotate Leaked" }).click()
    const dialog = drawerOf(page, "Rotate this key")
    await dialog.getByLabel("now").check()
    await dialog.getByRole("button", { name: "Rotate Leaked" }).click()
    await dialog.getByRole("region", { name: "the new key", exact: true }).waitFor()
    assert.strictEqual((await key.send("GET", "/api/hub/entities")).status, 401)
  })

  it("a person renames a key in its drawer, and the secret of the key stays the same", async () => {
    const key = await pod().aKey(pod().owner, { keyName: "Nameless" })
    const page = await open(`/connections?key=${key.id}`)
    await drawerOf(page, "Nameless").getByRole("button", { name: "Rename" }).click()
    const form = page.getByRole("dialog", { name: "Rename this key" })
    await form.getByLabel("Name of the key").fill("Kitchen tablet")
    await assertAccessible(page)
    await page.keyboard.press("Enter")
    await drawerOf(page, "Kitchen tablet").waitFor()
    assert.strictEqual((await keyNamed("Kitchen tablet"))?.id, key.id)
    assert.strictEqual((await key.send("GET", "/api/hub/entities")).status, 200)
  })

  it("in the list of connections a person renames a key, and opens the calls of a key that were refused", async () => {
    const key = await pod().aKey(pod().owner, { keyName: "Narrow", scope: ["hub-protocol.read"] })
    assert.strictEqual((await key.send("GET", "/api/hub/entities")).status, 200)
    assert.strictEqual((await key.send("POST", "/api/hub/entities", { title: "x" })).status, 403)
    await stored()
    const page = await open("/connections?q=Narrow")
    await page.getByLabel("More for Narrow").click()
    await page.getByRole("button", { name: "Refusals of Narrow" }).click()
    const drawer = drawerOf(page, "Narrow")
    await drawer.getByText("403").first().waitFor()
    assert.isTrue(await drawer.getByLabel("Only refused or failed calls").isChecked())
    assert.strictEqual(await drawer.getByText("answered 200").count(), 0)
    assert.match(page.url(), /refused=true/)
    await page.keyboard.press("Escape")
    await drawer.waitFor({ state: "detached" })
    assert.notMatch(page.url(), /refused/)
    await page.getByLabel("More for Narrow").click()
    await page.getByRole("button", { name: "Rename Narrow" }).click()
    await page.getByRole("dialog", { name: "Rename this key" }).getByLabel("Name of the key").fill("Narrow tablet")
    await page.keyboard.press("Enter")
    await page.getByLabel("More for Narrow tablet").waitFor()
    assert.strictEqual((await keyNamed("Narrow tablet"))?.id, key.id)
  })

  it("the list of connections counts all keys, even those that are not on the first page, and the address contains the number of the shown page", async () => {
    const person = await pod().aPerson()
    await pod().run(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`
          INSERT INTO api_keys (id, user_id, person_id, key_hash, key_prefix, last_four, key_name, key_type, scopes, created_by)
          SELECT gen_random_uuid(), ${person.id}::uuid, ${person.id}::uuid, sha256(number::text::bytea), 'svc_user_', 'abcd',
            'Many ' || number, 'user_pat', '{hub-protocol.read}', ${person.id}::uuid
          FROM generate_series(1, 505) number`
      ).pipe(asOwner)
    )
    const page = await open("/connections?page=11", { session: person.headers["x-session-token"] ?? "" })
    await page.getByText("505 of 505 keys").waitFor()
    await page.getByText("501–505 of 505").waitFor()
    assert.strictEqual(await page.getByRole("table").getByRole("row").count(), 6)
    await page.getByRole("button", { name: "Previous" }).click()
    await page.waitForURL(/page=10/)
    await page.getByText("451–500 of 505").waitFor()
    await page.getByLabel("Find").fill("Many 504")
    await page.getByText("1 of 505 keys").waitFor()
    await rowOf(page, "Many 504").waitFor()
    assert.notMatch(page.url(), /page=/)
  })

  it("if a person clones a key, the wizard for a new key opens with the rights of the cloned key", async () => {
    await pod().aKey(pod().owner, { keyName: "Source", grant: { permissions: ["document.read", "entity.note"] } })
    const page = await open("/connections")
    await page.getByLabel("More for Source").click()
    await page.getByRole("button", { name: "Clone Source" }).click()
    await page.getByRole("heading", { name: "New key", level: 1 }).waitFor()
    assert.strictEqual(await page.getByLabel("Name of the key").inputValue(), "Source (copy)")
    assert.isTrue(await page.getByRole("checkbox", { name: "document.read", exact: true }).isChecked())
    await page.getByText(/^Reads documents and notes\. /).waitFor()
  })

  it("a person can open and revoke a key with the keyboard alone", async () => {
    await pod().aKey(pod().owner, { keyName: "Keyboard" })
    const page = await open("/connections?q=keyboard")
    await page.getByRole("button", { name: "Keyboard", exact: true }).focus()
    await page.keyboard.press("Enter")
    const drawer = drawerOf(page, "Keyboard")
    await drawer.waitFor()
    await page.keyboard.press("Escape")
    await drawer.waitFor({ state: "detached" })
    await page.getByRole("button", { name: "Revoke Keyboard" }).focus()
    await page.keyboard.press("Enter")
    const dialog = drawerOf(page, "Revoke this key?")
    await dialog.getByRole("button", { name: "Revoke Keyboard" }).focus()
    await page.keyboard.press("Enter")
    await rowOf(page, "Keyboard").getByText("revoked").waitFor()
  })

  it("if a person rotates a key that another session has already revoked, the console shows the message of the pod", async () => {
    const key = await pod().aKey(pod().owner, { keyName: "Gone meanwhile" })
    const page = await open("/connections")
    await page.getByLabel("More for Gone meanwhile").click()
    await page.getByRole("button", { name: "Rotate Gone meanwhile" }).click()
    await pod().owner.mutate("apiKeys.revoke", { keyId: key.id })
    await drawerOf(page, "Rotate this key").getByRole("button", { name: "Rotate Gone meanwhile" }).click()
    await page.getByText("Only an active key can be rotated. Create a new key instead.").first().waitFor()
    const [docs] = await Promise.all([
      page.context().waitForEvent("page"),
      drawerOf(page, "Rotate this key").getByRole("link", { name: "BAD_REQUEST" }).click()
    ])
    await docs.locator("#Invalid:target").waitFor()
    await docs.close()
  })
})
