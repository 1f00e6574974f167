/**
 * The API reference in the console: a person searches and reads it, tries operations, and sees which of their keys may
 * call an operation.
 */
import { assert, it as plainly } from "vitest"
import { limitsOf, sample, typeOf } from "../../src/console/api/schemaWords.ts"
import { rankOf, type Entry } from "../../src/console/api/reference.ts"
import { assertScreenFits, describeConsole, it } from "./consoleScene.ts"

const api = {
  components: {
    schemas: {
      Node: { type: "object", required: ["name"], properties: { name: { type: "string", maxLength: 10 } } },
      Both: {
        allOf: [{ $ref: "#/components/schemas/Node" }, { type: "object", properties: { age: { type: "integer" } } }]
      }
    }
  }
}

plainly(
  "the API screen describes a schema in words, and the sample of the schema contains only the required fields",
  () => {
    assert.strictEqual(typeOf(api, { $ref: "#/components/schemas/Node" }), "Node")
    assert.strictEqual(typeOf(api, { type: "array", items: { type: "string", format: "uuid" } }), "list of uuid")
    assert.strictEqual(typeOf(api, { type: ["string", "null"] }), "text or null")
    assert.strictEqual(typeOf(api, { enum: ["a", "b"] }), '"a" or "b"')
    assert.deepStrictEqual(limitsOf({ type: "string", minLength: 1, maxLength: 5 }), ["1 to 5 characters"])
    assert.deepStrictEqual(sample(api, { $ref: "#/components/schemas/Both" }), { name: "text" })
  }
)

plainly(
  "the search of the API screen ranks an exact name above a prefix, a word, a part of a word, and a match in the description",
  () => {
    const entry = (name: string, summary: string): Entry => ({
      api,
      surface: "procedure",
      kind: "query",
      id: name,
      name,
      title: name,
      group: "g",
      summary,
      isDeprecated: false,
      door: "",
      credentials: [],
      scope: null,
      permissions: [],
      parameters: [],
      body: undefined,
      isStream: false
    })
    const ranks = [
      rankOf(entry("entities.list", ""), "entities.list"),
      rankOf(entry("entities.list", ""), "entit"),
      rankOf(entry("all.entitiesOf", ""), "entities"),
      rankOf(entry("all.subentities", ""), "entities"),
      rankOf(entry("views.list", "List entities."), "entities"),
      rankOf(entry("views.list", "List."), "entities")
    ]
    assert.deepStrictEqual(ranks, [0, 1, 2, 3, 4, undefined])
  }
)

describeConsole("the API reference in the console", ({ open, pod }) => {
  it("the API screen lists every operation, and a search shows the matching operations, the best match first", async () => {
    const page = await open("/api")
    const { body: rest } = await pod().stranger.send("GET", "/openapi.json")
    const { body: catalog } = await pod().stranger.send("GET", "/docs/catalog.json")
    const methods: ReadonlyArray<object> = Object.values(rest.paths)
    const count = methods.reduce((sum, each) => sum + Object.keys(each).length, 0) + catalog.operations.length
    await page.getByText(`${count} of ${count} operations`).waitFor()
    await assertScreenFits(page, "api")
    await page.getByLabel("Search", { exact: true }).fill("apiKeys.create")
    await page.waitForURL(/q=apiKeys\.create/)
    await page.getByText(`of ${count} operations`).waitFor()
    await page.getByRole("navigation", { name: "Operations" }).getByRole("link").first().click()
    await page.getByRole("heading", { name: "apiKeys.create" }).waitFor()
    assert.match(page.url(), /op=/)
    await assertScreenFits(page, "api-operation")
  })

  it("the API screen filters its list by surface (such as REST or MCP), and a search without a match shows a message", async () => {
    const page = await open("/api?surface=tool")
    await page.getByRole("navigation", { name: "Operations" }).getByText("svc_create_entity").waitFor()
    assert.strictEqual(await page.getByText("apiKeys.create", { exact: true }).count(), 0)
    await page.getByLabel("Search", { exact: true }).fill("xyzzy nothing")
    await page.getByText("No operation matches").waitFor()
    await assertScreenFits(page, "api-nothing")
  })

  it("the API screen shows who may call an operation and which fields the operation has, as formatted text", async () => {
    const page = await open("/api?op=entities.create")
    await page.getByText("entity.create", { exact: true }).waitFor()
    await page.getByText("hub-protocol.write", { exact: true }).waitFor()
    await page.getByText("Fields of the input").click()
    await page.getByText("profileSlug", { exact: true }).first().waitFor()
    assert.notInclude(await page.innerText("main section p"), "`")
  })

  it("with the keyboard alone a person tries a read operation on the API screen with their own session", async () => {
    const page = await open("/api?op=users.me")
    await page.getByRole("button", { name: "Send" }).focus()
    await page.keyboard.press("Enter")
    await page.getByRole("region", { name: "the answer" }).getByText(pod().ownerId).waitFor()
    await page.getByText(/^done 200 in \d+ ms/).waitFor()
    await assertScreenFits(page, "api-answer")
  })

  it("on the API screen a person tries a write and an operation with a path parameter, and sees the HTTP status if the pod refuses the call", async () => {
    const page = await open("/api?op=entities.create")
    await page.getByLabel("Body").fill('{"title":"Tried","profileSlug":"note"}')
    await page.getByRole("button", { name: "Send for real" }).click()
    await page.getByRole("region", { name: "the answer" }).getByText("Tried").waitFor()
    await page.getByLabel("Body").fill("{ no JSON")
    await page.getByRole("button", { name: "Send for real" }).click()
    await page.getByText(/^failed 400/).waitFor()
    await page.goto(page.url().replace(/op=.*/, "op=entities.get"))
    await page.getByLabel("id (path)").fill("0190a5e2-7b1c-7c3d-8e4f-5a6b7c8d9e0f")
    await page.getByRole("button", { name: "Send" }).click()
    await page.getByText(/^failed 404/).waitFor()
  })

  it("on the API screen a person calls a REST operation and a tool with a pasted key, and a reload of the page removes the key from the screen", async () => {
    const key = await pod().aKey(pod().owner, { keyName: "Pasted" })
    const page = await open("/api?op=users.me")
    const sent: Array<string | undefined> = []
    page.on("request", (request) => {
      if (/users\/me$|apiKeys\.list|\/mcp$/.test(request.url())) sent.push(request.headers()["authorization"])
    })
    await page.getByLabel("Try with a key").fill(key.secret)
    await page.getByRole("button", { name: "Send" }).click()
    await page.getByText(/^done 200/).waitFor()
    await page.getByLabel("Search", { exact: true }).fill("svc_get_entities")
    await page.getByRole("navigation", { name: "Operations" }).getByRole("link").first().click()
    await page.getByRole("heading", { name: "svc_get_entities" }).waitFor()
    await page.getByRole("button", { name: "Send for real" }).click()
    await page.getByText(/^done 200/).waitFor()
    assert.includeMembers(sent, [`Bearer ${key.secret}`])
    assert.notInclude(await page.getByRole("region", { name: "the curl command" }).innerText(), key.secret)
    await page.reload()
    await page.getByLabel("Try with a key").waitFor()
    assert.strictEqual(await page.getByLabel("Try with a key").inputValue(), "")
    const stored = await page.evaluate("JSON.stringify([Object.values(localStorage), Object.values(sessionStorage)])")
    assert.notInclude(String(stored), key.secret)
  })

  it("the API screen shows which of the person's keys may call an operation, and says for each of the other keys why the pod refuses the call", async () => {
    await pod().aKey(pod().owner, {
      keyName: "Reader",
      scope: ["hub-protocol.read"],
      grant: { permissions: ["entity.note.read"] }
    })
    const page = await open("/api?op=entities.create")
    await page.getByText("Which of my keys may call it?").click()
    await page.getByText(/^may not Reader/).waitFor()
    await page.getByText(/^may Pasted/).waitFor()
    await assertScreenFits(page, "api-keys")
    const choice = page.getByLabel("Mark what this key may call")
    const value = await choice.locator("option", { hasText: "Reader" }).getAttribute("value")
    await choice.selectOption(value)
    await page.getByLabel("Show only what it may call").check()
    await page.waitForURL(/open=true/)
    const list = page.getByRole("navigation", { name: "Operations" })
    await list.getByText("may", { exact: true }).first().waitFor()
    assert.strictEqual(await list.getByText("may not").count(), 0)
  })

  it("a person can download openapi.json on the API screen, and the screen shows a message for an unknown operation", async () => {
    const page = await open("/api?op=nothing.like.this")
    await page.getByText("This pod has no such operation.").waitFor()
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "openapi.json" }).click()
    ])
    assert.strictEqual(file.suggestedFilename(), "openapi.json")
  })
})
