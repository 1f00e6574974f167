/** A list whose search or filter finds no row says this, and has a button that shows the whole list again. */
import { assert } from "vitest"
import { assertScreenFits, describeConsole, it } from "./consoleScene.ts"
import { aNote, anAgent, ok } from "./proposalScene.ts"

interface List {
  readonly what: string
  /** The address of the list with a search that finds nothing. */
  readonly address: string
  readonly says: string
  readonly button: string
  /** A text of the list that appears again. */
  readonly shows: string
  readonly make: () => Promise<unknown>
}

describeConsole("a search without a match in a list of the console", ({ open, pod }) => {
  const send = async (path: string, body: object) => ok(await pod().owner.send("POST", `/api/hub/${path}`, body))
  const lists: ReadonlyArray<List> = [
    {
      what: "access roles",
      address: "/roles?q=abc+xyz",
      says: "No role matches “abc xyz”.",
      button: "Show all roles",
      shows: "Reader",
      make: () => pod().owner.mutate("roles.create", { name: "Reader", grant: { permissions: ["entity.note.read"] } })
    },
    {
      what: "agents",
      address: "/agents?q=xyz",
      says: "No agent matches “xyz”.",
      button: "Show all agents",
      shows: "Scribe",
      make: () => anAgent(pod(), "Scribe")
    },
    {
      what: "webhooks",
      address: "/webhooks?q=xyz",
      says: "No webhook matches “xyz”.",
      button: "Show all webhooks",
      shows: "Harbour alarm",
      make: async () => {
        const webhook = {
          name: "Harbour alarm",
          url: "https://alarm.acme.example/pod",
          eventTypes: ["harbour.flooded"]
        }
        ok(await pod().owner.mutate("webhooks.create", webhook))
      }
    },
    {
      what: "workspaces",
      address: "/workspaces?q=xyz",
      says: "No workspace matches “xyz”.",
      button: "Show all workspaces",
      shows: "Quay",
      make: () => pod().aWorkspace(pod().owner, "Quay")
    },
    {
      what: "keys",
      address: "/connections?q=xyz&holder=app",
      says: "No key matches “xyz” and these filters.",
      button: "Show all keys",
      shows: "Laptop",
      make: () => pod().aKey(pod().owner, { keyName: "Laptop" })
    },
    {
      what: "entities",
      address: "/explore?kind=note&q=xyz",
      says: "No Note matches “xyz”.",
      button: "Show all of this kind",
      shows: "Tide table",
      make: () => aNote(pod(), { title: "Tide table" })
    },
    {
      what: "facts",
      address: "/memory?trust=import",
      says: "No fact matches these filters.",
      button: "Show all facts",
      shows: "The pilot is Anna.",
      make: () => send("memory", { fact: "The pilot is Anna." })
    },
    {
      what: "events",
      address: "/events?type=nothing.like.this",
      says: "No event matches these filters.",
      button: "Show all events",
      shows: "entity.note.create",
      make: () => aNote(pod(), { title: "Logged" })
    },
    {
      what: "operations",
      address: "/api?q=xyzzy+nothing&surface=tool",
      says: "No operation matches “xyzzy nothing” and these filters.",
      button: "Show all operations",
      shows: "apiKeys.create",
      make: () => Promise.resolve()
    }
  ]

  for (const { address, button, make, says, shows, what } of lists) {
    it(`if a search or filter matches none of the ${what}, the list says so, and its button shows all ${what}`, async () => {
      await make()
      const page = await open(address)
      await page.getByText(says, { exact: true }).waitFor()
      assert.strictEqual(await page.getByRole("main").getByText(shows, { exact: true }).count(), 0)
      if (what === "access roles") await assertScreenFits(page, "no-match")
      await page.getByRole("button", { name: button }).click()
      await page.getByRole("main").getByText(shows, { exact: true }).first().waitFor()
      assert.notMatch(page.url(), /xyz|nothing|trust=/)
    })
  }

  it("the wizard for a new key says that no permission and no workspace matches a search", async () => {
    const page = await open("/keys/new")
    await page.getByLabel("Find a row of the table").fill("xyz")
    await page.getByText("No row matches “xyz”.").waitFor()
    await page.getByRole("button", { name: "Show all rows" }).click()
    await page.getByRole("rowheader", { name: "document", exact: true }).waitFor()
    await page.getByLabel("Find a row of the table").fill("relation def")
    await page.getByRole("rowheader", { name: "relation def", exact: true }).waitFor()
    await page.getByLabel("Only these workspaces").check()
    await page.getByLabel("Find workspaces").fill("xyz")
    await page.getByText("No workspace matches “xyz”.").waitFor()
  })
})
