/**
 * The API drawer shows the call of a view as curl, fetch, tRPC and MCP, with exactly the filters of the view. If one of
 * these forms does not exist, the drawer says why.
 */
import { assert, it as plainly } from "vitest"
import { counterparts, procedureFor, toolFor, toolForProcedure } from "../../src/console/api/counterparts.ts"
import type { Route } from "../../src/console/api/hub.ts"
import type { Catalog } from "../../src/console/api/reference.ts"
import { describeApi, describeCatalog } from "../../src/Description.ts"
import { assertScreenFits, describeConsole, it } from "./consoleScene.ts"

const catalog = describeCatalog() as unknown as Catalog
const has = (name: string) => catalog.operations.some((each) => each.name === name)

plainly(
  "every procedure and MCP tool that the console shows as the counterpart of a route exists in the catalog of the pod",
  () => {
    const named = Object.values(counterparts).flatMap(({ procedure, tool }) => [procedure, tool])
    assert.deepStrictEqual(
      named.filter((name) => name !== undefined && !has(name)),
      []
    )
  }
)

plainly(
  "every read route has the procedure of the same name as its counterpart, except the route of the event stream",
  () => {
    const routes = Object.entries(describeApi().paths).flatMap(([path, methods]) => {
      const { operationId } = (methods as Record<string, { operationId: string }>)["get"] ?? { operationId: "" }
      return has(operationId) ? [{ route: `GET ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`, operationId }] : []
    })
    const followed = "events.stream" // The procedure of this name is a subscription and no counterpart of the route.
    for (const { operationId, route } of routes.filter((each) => each.operationId !== followed)) {
      assert.strictEqual(counterparts[route as Route]?.procedure, operationId, route)
    }
  }
)

plainly(
  "a call of a procedure or tool in the API drawer contains the filters of the screen under the field names of that operation, with values of the right types",
  () => {
    const input = { query: { status: "pending", limit: "5", offset: 0, workspaceId: undefined } }
    assert.deepStrictEqual(procedureFor(catalog, "GET /api/hub/proposals", input), {
      name: "proposals.list",
      input: { status: "pending", limit: 5 },
      omittedFields: [],
      missing: []
    })
    assert.deepStrictEqual(toolFor(catalog, "GET /api/hub/documents/:id", { params: { id: "d" } })?.input, {
      documentId: "d"
    })
    assert.deepStrictEqual(toolForProcedure(catalog, "views.listViews", { limit: 3 })?.input, { limit: 3 })
  }
)

plainly(
  "a call of a procedure or tool in the API drawer lists the filters that the operation does not accept and the required fields for which the screen has no value",
  () => {
    const entities = procedureFor(catalog, "GET /api/hub/entities", {
      query: { profileSlug: "note", q: "ore", offset: 50 }
    })
    assert.deepStrictEqual(entities?.omittedFields, ["q", "offset"])
    const memory = toolFor(catalog, "GET /api/hub/memory", { query: { limit: 50 } })
    assert.deepStrictEqual(memory?.missing, ["query"])
    assert.deepStrictEqual(toolFor(catalog, "GET /api/hub/memory", { query: { q: "tea" } })?.input, { query: "tea" })
  }
)

plainly("for a route without a counterpart, the API drawer shows neither a procedure nor a tool", () => {
  assert.isUndefined(procedureFor(catalog, "GET /api/hub/health", {}))
  assert.isUndefined(toolFor(catalog, "GET /api/hub/health", {}))
})

describeConsole("the API drawer of a view", ({ open, pod }) => {
  it("the API drawer shows the request for a filtered list as a curl command, as a fetch call, as a procedure call and as a tool call", async () => {
    const id = await pod().aWorkspace(pod().owner)
    const page = await open(`/explore?kind=note&workspaceId=${id}`)
    await page.getByRole("button", { name: "API", exact: true }).click()
    const drawer = page.getByRole("dialog", { name: "The same over the API" })
    const shown = async (tab: string) => {
      await drawer.getByRole("tab", { name: tab }).click()
      // While the tabs change, the panel of the former tab is still on the page for a moment.
      return drawer.getByRole("tabpanel", { name: tab, exact: true }).innerText()
    }
    assert.match(await shown("curl"), new RegExp(`/api/hub/entities\\?profileSlug=note&workspaceId=${id}&limit=50`))
    assert.match(
      await shown("fetch"),
      new RegExp(`await fetch\\("[^"]+/api/hub/entities\\?profileSlug=note&workspaceId=${id}`)
    )
    assert.match(
      await shown("tRPC"),
      new RegExp(
        `pod\\.entities\\.getEntities\\.query\\(\\{"profileSlug":"note","workspaceId":"${id}","limit":50\\}\\)`
      )
    )
    assert.match(
      await shown("MCP"),
      new RegExp(`"name": "svc_get_entities",\\s+"arguments": \\{\\s+"profileSlug": "note",\\s+"workspaceId": "${id}"`)
    )
    await assertScreenFits(page, "api-preview")
  })

  it("a tab of the API drawer says if an operation has no procedure or no tool, and which fields of the request a procedure does not have", async () => {
    const page = await open("/health")
    await page.getByRole("button", { name: "API", exact: true }).click()
    const drawer = page.getByRole("dialog", { name: "The same over the API" })
    await drawer.getByRole("tab", { name: "tRPC" }).click()
    await drawer.getByText("No procedure answers the same as GET /api/hub/health. Use curl or fetch.").waitFor()
    await drawer.getByRole("tab", { name: "MCP" }).click()
    await drawer.getByText("No MCP tool answers the same as health.metrics.").waitFor()
    await drawer.getByRole("tab", { name: "fetch" }).click()
    assert.match(await drawer.getByRole("tabpanel", { name: "fetch" }).innerText(), /trpc\/health\.metrics/)
    const words = await open("/explore?kind=note&q=ore")
    await words.getByRole("button", { name: "API", exact: true }).click()
    await words.getByRole("tab", { name: "tRPC" }).click()
    await words.getByText("entities.getEntities has no field q, so this form leaves it out.").waitFor()
  })

  it("if the memory screen has no search text, its API drawer says that the MCP tool needs a query", async () => {
    const page = await open("/memory")
    await page.getByRole("button", { name: "API", exact: true }).click()
    await page.getByRole("tab", { name: "MCP" }).click()
    await page.getByText("svc_recall needs query, and this screen has no value for it.").waitFor()
  })
})
