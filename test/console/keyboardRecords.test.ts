/**
 * A person uses records, memory, events and webhooks with the keyboard alone: Tab reaches every control, and the focus
 * is always visible.
 */
import type { Page } from "playwright-core"
import { afterEach, assert } from "vitest"
import { aReceiver, quickWebhooks, type Receiver } from "../support/receiver.ts"
import { describeConsole, it } from "./consoleScene.ts"
import { keyboardOf } from "./keyboardScene.ts"

const dialogOf = (page: Page, name: string | RegExp) => page.getByRole("dialog", { name })
const buttonIn = (place: Pick<Page, "getByRole">, name: string | RegExp) =>
  place.getByRole("button", { name, exact: typeof name === "string" })

describeConsole(
  "records, memory, events and webhooks by keyboard alone",
  ({ open, pod }) => {
    const receivers: Array<Receiver> = []
    afterEach(async () => {
      for (const receiver of receivers.splice(0)) await receiver.stop()
    })

    it("with the keyboard alone a person creates a record, changes it, reads its history, archives it, and searches for it", async () => {
      const page = await open("/explore?kind=note")
      const keyboard = keyboardOf(page)
      await keyboard.skipToContent()
      await keyboard.press(buttonIn(page, "New Note").first(), dialogOf(page, "New Note"))
      const fresh = page.getByRole("form", { name: "New Note" })
      await keyboard.write(fresh.getByLabel("Title (required)"), "Tides")
      await keyboard.press(buttonIn(fresh, "Create Note"), page.getByRole("heading", { name: "Tides", level: 1 }))
      const form = page.getByRole("form", { name: "Edit Tides" })
      await keyboard.write(form.getByLabel("Description"), "High at noon.")
      await keyboard.press(buttonIn(form, "Save"), page.getByText("version 2"))
      await keyboard.to(page.getByRole("tab", { name: "Record" }), "Shift+Tab")
      await keyboard.keys(["ArrowRight", "ArrowRight", "Enter"], page.getByRole("link", { name: "entity.note.update" }))
      await keyboard.press(buttonIn(page, "Archive"), dialogOf(page, "Archive Tides?"))
      await keyboard.press(
        buttonIn(dialogOf(page, "Archive Tides?"), "Archive"),
        page.getByRole("heading", { name: "Explore", level: 1 })
      )
      await keyboard.to(page.getByRole("tab", { name: "Browse" }))
      await keyboard.keys(["ArrowRight", "Enter"], page.getByText("Ask the pod a question."))
      await keyboard.write(page.getByRole("searchbox", { name: "Question" }), "tides")
      await keyboard.keys(["Enter"], page.getByRole("heading", { name: "How the question was answered" }))
    })

    it("with the keyboard alone a person finds a fact, reads its history, forgets it, and restores it with Undo", async () => {
      for (const fact of ["The pilot is Anna.", "The lock opens at six."]) {
        assert.strictEqual((await pod().owner.send("POST", "/api/hub/memory", { fact })).status, 200)
      }
      const page = await open("/memory")
      const keyboard = keyboardOf(page)
      await keyboard.skipToContent()
      await keyboard.write(page.getByLabel("Words"), "pilot")
      await keyboard.keys(["Enter"], page.getByText("The pilot is Anna."))
      await page.getByText("The lock opens at six.").waitFor({ state: "detached" })
      await keyboard.press(buttonIn(page, "History of The pilot is Anna."), dialogOf(page, "History of the fact"))
      await keyboard.keys(["Escape"], page.locator("button:focus", { hasText: "History" }))
      await keyboard.press(buttonIn(page, "Forget The pilot is Anna."), page.getByText("No fact matches “pilot”."))
      await keyboard.press(buttonIn(page, "Undo"), page.getByText("The pilot is Anna."))
      await keyboard.press(buttonIn(page, "Forget everything about …"), dialogOf(page, /^Forget everything/))
      await keyboard.write(dialogOf(page, /^Forget everything/).getByLabel("Words"), "lock")
      await keyboard.keys(["Enter"], page.getByText("1 fact would be forgotten:"))
      await keyboard.keys(["Escape"], page.locator("button:focus", { hasText: "Forget everything" }))
    })

    it("with the keyboard alone a person filters the events, opens an event, lists the events of the same request, and opens the cause of the event", async () => {
      const root = (await pod().owner.mutate("events.log", { type: "ship.arrived" })).body.result.data.id as string
      await pod().owner.mutate("events.log", { type: "ship.unloaded", causationId: root })
      const page = await open("/events")
      const keyboard = keyboardOf(page)
      await keyboard.skipToContent()
      await keyboard.write(page.getByLabel("Type"), "ship.unloaded")
      await keyboard.keys(["Enter"], page.getByText("1 event shown").or(page.getByText("1 events shown")))
      const drawer = dialogOf(page, "Event")
      await keyboard.press(page.getByRole("link", { name: /ship\.unloaded/ }), drawer)
      await keyboard.to(drawer.getByRole("tab", { name: "Payload" }))
      await keyboard.keys(
        ["ArrowRight", "ArrowRight", "ArrowRight", "Enter"],
        drawer.getByRole("list", { name: "Events of the request" })
      )
      await keyboard.keys(["ArrowRight", "Enter"], drawer.getByRole("list", { name: "Tree of causes" }))
      await keyboard.press(
        drawer.getByRole("link", { name: "ship.arrived" }),
        drawer.getByRole("heading", { name: "ship.arrived" })
      )
      await keyboard.keys(["Escape"], page.locator("a:focus, h1:focus"))
    })

    it("with the keyboard alone a person makes a webhook, tests it, sends a call again, rotates the secret, and pauses and deletes the webhook", async () => {
      const receiver = await aReceiver()
      receivers.push(receiver)
      const page = await open("/webhooks")
      const keyboard = keyboardOf(page)
      await keyboard.skipToContent()
      await keyboard.press(buttonIn(page, "New webhook").first(), page.getByRole("form", { name: "New webhook" }))
      const form = page.getByRole("form", { name: "New webhook" })
      await keyboard.write(form.getByLabel("Name"), "crane")
      await keyboard.write(form.getByLabel("Address"), receiver.url)
      await keyboard.write(form.getByLabel("Types of events"), "crane.moved")
      await keyboard.press(buttonIn(form, "Create the webhook"), page.getByRole("region", { name: "the secret" }))
      await keyboard.press(buttonIn(page, "I stored it"), page.getByRole("heading", { name: "crane" }))
      const table = page.getByRole("region", { name: "Deliveries of crane" })
      await keyboard.press(buttonIn(page, "Send test"), table.getByText("success"))
      await keyboard.press(table.getByRole("link").first(), dialogOf(page, "Delivery"))
      await keyboard.press(buttonIn(dialogOf(page, "Delivery"), "Send this again"), page.getByText("HTTP 204").nth(1))
      await keyboard.keys(["Escape"], page.locator("a:focus"))
      const question = dialogOf(page, "Create a new secret for crane?")
      await keyboard.press(buttonIn(page, "Rotate secret"), question)
      await keyboard.press(buttonIn(question, "Rotate secret"), page.getByRole("region", { name: "the secret" }))
      await keyboard.press(buttonIn(page, "I stored it"), page.locator("button:focus"))
      await keyboard.press(buttonIn(page, "Pause"), buttonIn(page, "Resume"))
      await keyboard.press(buttonIn(page, "Delete"), dialogOf(page, "Delete crane?"))
      await keyboard.press(buttonIn(dialogOf(page, "Delete crane?"), "Delete"), page.getByText("No webhook yet."))
    })
  },
  { webhooks: quickWebhooks() }
)
