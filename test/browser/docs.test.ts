/**
 * Tests the API page in a real browser. The page loads nothing from other origins, filters the operations, copies
 * commands, and sends calls.
 */
import { assert } from "@effect/vitest"
import { it } from "vitest"
import { describeBrowser } from "../support/playwrightBrowser.ts"
import { isLong } from "../support/storages.ts"
import { anApiPageScene } from "./apiPage.ts"
import { assertNothingSideways } from "./sideways.ts"

describeBrowser("the API page in a browser", () => {
  const scene = anApiPageScene()
  const { opened } = scene

  // Chromium needs half a minute to lay out every operation at once, so `npm test` opens only every fifth operation.
  const openOnes = `[...document.querySelectorAll(".operation")].filter((_, at) => at % ${isLong ? 1 : 5} === 0)`

  const visible = `[...document.querySelectorAll(".operation")].filter((card) => card.checkVisibility()).map((card) => card.id)`

  it("the API page loads everything from the pod and does not violate the content security policy of the page", async () => {
    const tab = await opened()
    await tab.read(`${openOnes}.forEach((card) => (card.open = true))`)
    await tab.until(`document.querySelectorAll(".operation .inside").length > 10`)
    assert.isAbove(tab.asked.length, 5)
    assert.deepStrictEqual(
      tab.asked.filter((url) => !url.startsWith(`${scene.pod.baseUrl}/`)),
      []
    )
    assert.deepStrictEqual(tab.complaints, [])
  })

  it("the API page shows names in summaries and descriptions as code, and no backtick is visible", async () => {
    const tab = await opened()
    await tab.read(`${openOnes}.forEach((card) => (card.open = true))`)
    await tab.until(`${openOnes}.every((card) => card.querySelector(".inside"))`)
    await tab.read(`document.querySelectorAll("details").forEach((part) => (part.open = true))`)
    const marked = await tab.read(
      `[...new Set(document.body.innerText.split("\\n").filter((line) => line.includes("\`")))]`
    )
    assert.deepStrictEqual(marked, [])
  })

  it("the API page runs no inline script", async () => {
    const tab = await opened()
    await tab.read(
      `document.body.append(Object.assign(document.createElement("script"), { textContent: "window.ran = true" }))`
    )
    assert.strictEqual(await tab.read("window.ran === undefined"), true)
  })

  it("the API page shows every REST operation, procedure and tool, and an unfolded operation shows the access that it needs", async () => {
    const tab = await opened()
    const { body } = await scene.pod.stranger.send("GET", "/openapi.json")
    const names = Object.values(body.paths as Record<string, Record<string, { operationId: string }>>).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId)
    )
    const catalog = (await scene.pod.stranger.send("GET", "/docs/catalog.json")).body.operations
    const others = catalog.map(
      ({ kind, name }: { kind: string; name: string }) => `${kind === "tool" ? "tool" : "procedure"}:${name}`
    )
    assert.isAbove(others.length, 50)
    assert.sameMembers(await tab.read<Array<string>>(visible), [...names, ...others])
    await tab.click("[id='entities.create'] > summary")
    await tab.until(`document.querySelector("[id='entities.create'] .inside")`)
    const text: string = await tab.read(`document.getElementById("entities.create").innerText`)
    for (const part of ["hub-protocol.write", "entity.create", "API key or sign-in session", "title", "403"]) {
      assert.include(text, part)
    }
  })

  it("on the API page the key `/` moves the focus to the search field, typed text filters the operations, and the key Escape shows all operations again", async () => {
    const tab = await opened()
    const all: ReadonlyArray<string> = await tab.read(visible)
    await tab.press("/")
    await tab.type("knowledge delete")
    assert.deepStrictEqual(await tab.read(visible), ["knowledge.delete"])
    await tab.press("Enter")
    await tab.until(`document.querySelector("[id='knowledge.delete'] .inside")`)
    assert.strictEqual(await tab.read(`document.activeElement.parentElement.id`), "knowledge.delete")
    await tab.click("#search")
    await tab.press("Escape")
    assert.deepStrictEqual(await tab.read(visible), all)
  })

  it("in the search field of the API page, the Enter key opens the operation with exactly the typed name, or else the best other match", async () => {
    const tab = await opened()
    for (const [asked, best] of [
      ["entities.get", "entities.get"],
      ["/api/hub/projects", "projects.list"],
      ["views.create", "views.create"],
      ["brands", "brands.kit"]
    ] as const) {
      await tab.click("#search")
      await tab.press("Escape")
      await tab.type(asked)
      await tab.press("Enter")
      const found = await tab.read<string>(`document.activeElement.parentElement.id`)
      assert.isTrue(found === best || found.startsWith(`${best.split(".")[0]}.`), `${asked} opened ${found}`)
      if (asked.includes(".")) assert.strictEqual(found, best)
    }
  })

  it("the API page on which many operations are unfolded needs no horizontal scrolling at a width of 375 px", async () => {
    const tab = await opened()
    await tab.look({ width: 375, isDark: false })
    await tab.read(`${openOnes}.forEach((card) => (card.open = true))`)
    await tab.until(`${openOnes}.every((card) => card.querySelector(".inside"))`)
    await tab.read(`document.querySelectorAll("details.inner").forEach((each) => (each.open = true))`)
    await assertNothingSideways(tab, "many operations open")
  })

  it("the page that lists the errors of the pod has a header with the same layout as the header of the API page", async () => {
    const layout = `(({ alignItems, display, padding }) => ({ alignItems, display, padding }))(getComputedStyle(document.querySelector("header")))`
    const wanted = await (await opened()).read(layout)
    const errors = await scene.browser.tab()
    await errors.look({ width: 1280, isDark: false })
    await errors.open(`${scene.pod.baseUrl}/docs/errors`)
    assert.deepStrictEqual(await errors.read(layout), wanted)
    await assertNothingSideways(errors, "the page of errors")
  })

  it("a URL with the name of an operation after `#` opens this operation on the API page", async () => {
    const tab = await opened("/docs#entities.list")
    await tab.until(`document.getElementById("entities.list").open`)
  })

  it("the API page sends a request with the key that the user typed, and forgets the key when the page is loaded again", async () => {
    const key = await scene.pod.aKey(scene.pod.owner)
    const tab = await opened("/docs#users.me")
    await tab.until(`document.querySelector("[id='users.me'] .inside")`)
    await tab.click("[id='users.me'] [type=submit]")
    await tab.until(`document.querySelector("[id='users.me'] .verdict")?.textContent.startsWith("401")`)
    await tab.click("#credential-secret")
    await tab.type(key.secret)
    await tab.click("[id='users.me'] [type=submit]")
    await tab.until(`document.querySelector("[id='users.me'] .verdict")?.textContent.startsWith("200")`)
    assert.include(
      await tab.read<string>(`document.querySelector("[id='users.me'] .answer").innerText`),
      scene.pod.ownerId
    )
    assert.notInclude(
      await tab.read<string>(`document.querySelector("[id='users.me'] .copyable").innerText`),
      key.secret
    )
    assert.strictEqual(await tab.read("localStorage.length + sessionStorage.length + document.cookie.length"), 0)
    await tab.open(`${scene.pod.baseUrl}/docs`)
    assert.strictEqual(await tab.read(`document.querySelector("#credential-secret").value`), "")
  })

  it("the API page sends the path, query, idempotency key and body that the user typed in its form", async () => {
    const key = await scene.pod.aKey(scene.pod.owner)
    const tab = await opened("/docs#knowledge.put")
    await tab.until(`document.querySelector("[id='knowledge.put'] .inside")`)
    await tab.click("#credential-secret")
    await tab.type(key.secret)
    await tab.click("[id='knowledge.put-path-key']")
    await tab.type("it's a/key")
    await tab.click("[id='knowledge.put-header-Idempotency-Key']")
    await tab.type("a-key-of-mine")
    const curl: string = await tab.read(`document.querySelector("[id='knowledge.put'] .copyable code").textContent`)
    assert.include(curl, "/api/hub/knowledge/it'\\''s%20a%2Fkey'")
    assert.include(curl, `-H "Authorization: Bearer $POD_KEY"`)
    assert.include(curl, "Idempotency-Key: a-key-of-mine")
    await tab.click("[id='knowledge.put'] [type=submit]")
    await tab.until(`document.querySelector("[id='knowledge.put'] .verdict")?.textContent.startsWith("200")`)
    const { body } = await key.send("GET", `/api/hub/knowledge/${encodeURIComponent("it's a/key")}`)
    assert.deepStrictEqual(body.value, { branch: "main", reviewed: true })
    assert.deepStrictEqual(tab.complaints, [])
  })
})
