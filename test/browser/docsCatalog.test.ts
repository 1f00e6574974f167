/**
 * Tests the API page with procedures and tools. The page finds and calls them, and creates a key for a person who signs
 * in.
 */
import { assert } from "@effect/vitest"
import { it } from "vitest"
import { ownerEmail, ownerPassword } from "../support/pod.ts"
import { describeBrowser } from "../support/playwrightBrowser.ts"
import { anApiPageScene } from "./apiPage.ts"
import type { Tab } from "./tab.ts"

describeBrowser("procedures, tools and keys on the API page", () => {
  const scene = anApiPageScene()
  const { opened } = scene
  const shown = `[...document.querySelectorAll(".operation")].filter((card) => card.checkVisibility()).map((card) => card.id)`
  const search = async (tab: Tab, text: string): Promise<ReadonlyArray<string>> => {
    await tab.click("#search")
    await tab.press("Escape")
    await tab.type(text)
    return tab.read(shown)
  }
  const isShown = (id: string) => `document.getElementById(${JSON.stringify(id)}).checkVisibility()`
  const verdict = (id: string) => `document.querySelector("[id='${id}'] .verdict")?.textContent`
  const answer = (id: string) => `document.querySelector("[id='${id}'] .answer").innerText`
  const complaintsBeyond = (tab: Tab, path: string) => tab.complaints.filter((complaint) => !complaint.includes(path))

  it("the API page has one list of REST operations, procedures and tools, and a filter that reduces the list to one of these types", async () => {
    const tab = await opened()
    const all = await tab.read<ReadonlyArray<string>>(shown)
    for (const [surface, prefix] of [
      ["procedure", "procedure:"],
      ["tool", "tool:"]
    ] as const) {
      await tab.click(`#surfaces [value=${surface}]`)
      assert.deepStrictEqual(
        await tab.read(shown),
        all.filter((id) => id.startsWith(prefix))
      )
      assert.match(
        await tab.read<string>(`document.getElementById("status").textContent`),
        /^\d+ (procedures|tools) fit/
      )
    }
    await tab.click(`#surfaces [value=rest]`)
    assert.deepStrictEqual(
      await tab.read(shown),
      all.filter((id) => !id.includes(":"))
    )
    // If REST has operations of the same group, the procedures of the group are below the same heading.
    assert.strictEqual(
      await tab.read(
        `document.getElementById("profiles.list").parentElement === document.getElementById("procedure:profiles.list")?.parentElement`
      ),
      false
    )
    await tab.click(`#surfaces [value=all]`)
    assert.strictEqual(
      await tab.read(
        `document.getElementById("profiles.list").parentElement === document.getElementById("procedure:profiles.list").parentElement`
      ),
      true
    )
    assert.deepStrictEqual(await tab.read(shown), all)
  })

  it("a search on the API page lists an exact name first, then a prefix, a whole word, a part of a word, and a match in the description", async () => {
    const tab = await opened()
    for (const [asked, first] of [
      ["svc_get_entity", "tool:svc_get_entity"],
      ["svc_get_entit", "tool:svc_get_entities"],
      ["entities.getEntities", "procedure:entities.getEntities"],
      ["apikeys", "procedure:apiKeys.create"],
      ["revert", "proposals.revert"],
      ["/documents", "documents.list"],
      ["runs", "procedure:automations.listRuns"],
      ["agent", "procedure:agents.create"],
      ["entities", "entities.list"]
    ] as const) {
      const found = await search(tab, asked)
      assert.strictEqual(found[0], first, `${asked}: ${found.slice(0, 4).join(", ")}`)
    }
    const found = await search(tab, "revoke")
    const named = (id: string) => id.toLowerCase().includes("revoke")
    assert.isAbove(found.filter(named).length, 1)
    assert.deepStrictEqual(
      found.map(named),
      found.map(named).toSorted((one, other) => Number(other) - Number(one))
    )
  })

  it("the first result of a search on the API page is visible without scrolling, and a link to an operation outside the results ends the search", async () => {
    const tab = await opened()
    await search(tab, "svc_list_tracks")
    const top = `document.getElementById("tool:svc_list_tracks").getBoundingClientRect()`
    assert.isTrue(await tab.read(`${top}.top >= 0 && ${top}.bottom <= innerHeight`))
    await tab.read(`location.hash = "#entities.create"`)
    await tab.until(`document.getElementById("entities.create")?.open`)
    assert.strictEqual(await tab.read(`document.getElementById("search").value`), "")
  })

  it("if no operation on the API page contains the searched words, the page shows a message and a button that shows all operations again", async () => {
    const tab = await opened()
    assert.deepStrictEqual(await search(tab, "no such thing anywhere"), [])
    await tab.until(isShown("none"))
    await tab.click("#clear")
    assert.isAbove((await tab.read<ReadonlyArray<string>>(shown)).length, 100)
  })

  it("if an operation accepts several alternative inputs, the API page shows the fields of each alternative", async () => {
    const tab = await opened("/docs#procedure:apiKeys.create")
    await tab.until(`document.querySelector("[id='procedure:apiKeys.create'] .inside")`)
    const text = await tab.read<string>(`document.getElementById("procedure:apiKeys.create").innerText`)
    for (const part of ["Either:", "keyName", "Or:", "expiresAt"]) assert.include(text, part)
  })

  it("a signed-in person creates a key on the API page, tries a REST operation, a procedure and a tool with the key, and revokes it", async () => {
    const tab = await opened("/docs#own-key")
    await tab.until(isShown("email"))
    await tab.press("Tab")
    await tab.click("#email")
    await tab.press("Enter")
    await tab.until(isShown("email-problem"))
    await tab.type(ownerEmail)
    await tab.click("#password")
    await tab.type("not the password")
    await tab.press("Enter")
    await tab.until(isShown("sign-in-problem"))
    await tab.read(`document.getElementById("password").value = ""`)
    await tab.click("#password")
    await tab.type(ownerPassword)
    await tab.press("Enter")
    await tab.until(isShown("make-key"))
    assert.strictEqual(await tab.read(`document.getElementById("password").value`), "")

    // Until there is a key, the page uses the session. Only a session may list keys.
    const list = "procedure:apiKeys.list"
    await tab.read(`document.getElementById("${list}").open = true`)
    await tab.until(`document.querySelector("[id='${list}'] .inside")`)
    await tab.click(`[id='${list}'] [type=submit]`)
    await tab.until(`${verdict(list)}?.startsWith("200")`)

    await tab.read(`document.getElementById("key-permissions").value = "bananas.read"`)
    await tab.click("#make-key-button")
    await tab.until(isShown("key-permissions-problem"))
    await tab.read(`document.getElementById("key-permissions").value = "entity.read *"`)
    await tab.read(`document.querySelectorAll("#scopes input").forEach((box) => (box.checked = false))`)
    await tab.click("#make-key-button")
    await tab.until(isShown("key-scopes-problem"))
    await tab.click(`#scopes [value="hub-protocol.read"]`)
    await tab.click(`#scopes [value="mcp.read"]`)
    await tab.click("#make-key-button")
    await tab.until(isShown("new-key"))
    const secret = await tab.read<string>(`document.querySelector("#new-key-secret code").textContent`)
    assert.match(secret, /^svc_/)
    assert.strictEqual(await tab.read(`document.getElementById("credential-secret").value`), secret)
    const me = await scene.pod.as({ authorization: `Bearer ${secret}` }).send("GET", "/api/hub/auth/status")
    assert.deepStrictEqual(me.body.scopes, ["hub-protocol.read", "mcp.read"])
    assert.strictEqual(me.body.name, "Trying the API")

    for (const id of ["users.me", "procedure:svc.me", "procedure:entities.getEntities", "tool:svc_get_entities"]) {
      await tab.read(`document.getElementById("${id}").open = true`)
      await tab.until(`document.querySelector("[id='${id}'] .inside")`)
      await tab.click(`[id='${id}'] [type=submit]`)
      await tab.until(`${verdict(id)}?.startsWith("200 OK in")`)
    }
    assert.include(await tab.read<string>(answer("tool:svc_get_entities")), `"structuredContent"`)
    assert.include(await tab.read<string>(answer("procedure:svc.me")), scene.pod.ownerId)

    // A stream does not end, so the page shows only its beginning.
    for (const [id, beginning] of [
      ["events.stream", "event: heartbeat"],
      ["procedure:events.stream", "event: connected"]
    ]) {
      await tab.read(`document.getElementById("${id}").open = true`)
      await tab.until(`document.querySelector("[id='${id}'] .inside")`)
      await tab.click(`[id='${id}'] [type=submit]`)
      await tab.until(`${verdict(id)}?.startsWith("200 OK in")`)
      assert.include(await tab.read<string>(answer(id)), beginning)
    }

    // If a tool refuses a call, the page shows the refusal, although MCP answers with status 200.
    const refused = "tool:svc_get_entity"
    await tab.read(`document.getElementById("${refused}").open = true`)
    await tab.until(`document.querySelector("[id='${refused}'] .inside")`)
    await tab.click(`[id='${refused}'] [type=submit]`)
    await tab.until(`${verdict(refused)}?.startsWith("200 OK, refused")`)

    assert.strictEqual(await tab.read("localStorage.length + sessionStorage.length + document.cookie.length"), 0)
    assert.deepStrictEqual(
      tab.asked.filter((url) => url.includes(secret) || url.includes("password")),
      []
    )
    await tab.click("#revoke-key")
    await tab.until(`document.getElementById("new-key-told").textContent.includes("is revoked")`)
    assert.strictEqual(
      (await scene.pod.as({ authorization: `Bearer ${secret}` }).send("GET", "/api/hub/users/me")).status,
      401
    )
    assert.notInclude(await tab.read<string>("document.body.innerText"), secret)

    await tab.click("#sign-out")
    await tab.until(isShown("sign-in"))
    assert.strictEqual(await tab.read(`document.getElementById("credential-secret").value`), "")
    // The browser reports refused sign-ins and refused keys as failed requests, as expected.
    assert.deepStrictEqual(
      complaintsBeyond(tab, "/auth/sign-in").filter((complaint) => !complaint.includes("/trpc/apiKeys.create")),
      []
    )
  })

  it("every control of the API page has a name for screen readers, and the filter is announced as one group of choices", async () => {
    const tab = await opened("/docs#own-key")
    await tab.read(`document.querySelectorAll("form[hidden], [id=new-key]").forEach((each) => (each.hidden = false))`)
    await tab.read(
      `for (const id of ["entities.create", "procedure:apiKeys.create", "tool:svc_create_entity"]) document.getElementById(id).open = true`
    )
    await tab.until(`document.querySelectorAll(".inside").length === 3`)
    assert.deepStrictEqual(
      await tab.read(
        `[...document.querySelectorAll("input, select, textarea, button")].filter((each) => !(each.labels?.length > 0 || each.ariaLabel || (each.tagName === "BUTTON" && each.textContent.trim() !== ""))).map((each) => each.outerHTML)`
      ),
      []
    )
    assert.deepStrictEqual(
      await tab.read(`(() => {
        const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id)
        return ids.filter((id, at) => ids.indexOf(id) !== at)
      })()`),
      []
    )
    assert.strictEqual(await tab.read(`document.querySelector("#surfaces legend").textContent`), "Show")
    assert.deepStrictEqual(
      await tab.read(
        `[...document.querySelectorAll("[aria-describedby]")].flatMap((each) => each.getAttribute("aria-describedby").split(" ")).filter((id) => document.getElementById(id) === null)`
      ),
      []
    )
  })
})
