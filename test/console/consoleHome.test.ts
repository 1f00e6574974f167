/**
 * The home screen in a browser: what waits for the person, which calls failed, which keys expire soon, and the
 * checklist of the first week.
 */
import { assert } from "vitest"
import { aMoment } from "../support/aMoment.ts"
import { assertScreenFits, describeConsole, it, panelNamed } from "./consoleScene.ts"
import { aNote, anAgent, post } from "./proposalScene.ts"

describeConsole("the home screen", ({ open, pod }) => {
  it("the home screen of a new pod shows the checklist of the first week, and says that nothing waits, fails or expires", async () => {
    const page = await open("/")
    await page.getByRole("heading", { name: "Your first week" }).waitFor()
    await page.getByText("1 of 5 done").waitFor()
    await page.getByText("Nothing waits. What your agents propose arrives here.").waitFor()
    await page.getByText("No webhook fails.").waitFor()
    await page.getByText("No key ends within 14 days.").waitFor()
    await assertScreenFits(page, "home-empty")
  })

  it("with the keyboard alone a person follows a step of the checklist to the screen where the step is done", async () => {
    const page = await open("/")
    await page.getByRole("link", { name: "Create a key" }).focus()
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { level: 1, name: "New key" }).waitFor()
  })

  it("the home screen lists each key that expires within two weeks, with a link to the key", async () => {
    await pod().aKey(pod().owner, { keyName: "Short life", expiresInDays: 5 })
    const page = await open("/")
    await panelNamed(page, "What ends soon").getByText("Short life").waitFor()
    await page.getByText("in 5 days").waitFor()
    await page.getByText("2 of 5 done").waitFor()
    await panelNamed(page, "What ends soon").getByRole("link", { name: "Short life" }).click()
    await page.getByRole("dialog", { name: "Short life" }).waitFor()
  })

  it("a new waiting proposal appears on the home screen without a reload, and links to the inbox", async () => {
    const page = await open("/")
    await page.getByText("Nothing waits. What your agents propose arrives here.").waitFor()
    const scribe = await anAgent(pod(), "Scribe")
    await scribe.create({ title: "For Home" })
    const link = panelNamed(page, "Waiting for your decision").getByRole("link", { name: "For Home" })
    await link.waitFor()
    await page.getByText("by Scribe").first().waitFor()
    await link.click()
    await page.getByRole("region", { name: "Open proposal" }).waitFor()
  })

  it("the home screen shows a refused call with its operation and with a link to the key that made the call", async () => {
    const narrow = await pod().aKey(pod().owner, {
      keyName: "Narrow",
      grant: { permissions: ["entity.task.read"] }
    })
    assert.strictEqual(
      (await narrow.send("POST", "/api/hub/entities", { title: "No", profileSlug: "note" })).status,
      403
    )
    const page = await open("/")
    await page.getByText("entities.create").first().waitFor()
    await assertScreenFits(page, "home-full")
    await page.getByRole("link", { name: "Narrow" }).first().click()
    await page
      .getByRole("dialog", { name: "Narrow" })
      .getByRole("button", { name: "Can this key do it?" })
      .first()
      .waitFor()
  })

  it("the activity on the home screen leaves out the events of notifications, because Home has a list of its own for notifications", async () => {
    const events: ReadonlyArray<{ type: string }> = (await pod().owner.send("GET", "/api/hub/events?limit=100")).body
    assert.include(
      events.map(({ type }) => type),
      "notification.create"
    )
    const activity = panelNamed(await open("/"), "Activity")
    await activity.getByRole("listitem").first().waitFor()
    assert.notInclude(await activity.innerText(), "notification.")
  })

  it("the home screen lists a new event at once, with a link to the event", async () => {
    const page = await open("/")
    await page.getByRole("heading", { name: "Activity" }).waitFor()
    await aNote(pod(), { title: "An event" })
    await panelNamed(page, "Activity").getByText("An event", { exact: true }).waitFor()
    await page
      .getByText(/^entity\..*create$/)
      .first()
      .click()
    await page
      .getByRole("dialog", { name: "Event" })
      .getByRole("heading", { name: /^entity\..*create$/ })
      .waitFor()
  })

  it("if a message arrives while the home screen reads its notifications for the first time, the screen reads them again and shows the message", async () => {
    await aNote(pod(), { title: "Before the message" })
    const page = await open("/connections")
    let answer = () => {}
    const isAnswered = new Promise<void>((resolve) => (answer = resolve))
    const isRead = new Promise<void>((resolve) => {
      void page.route(
        "**/api/hub/notifications*",
        async (route) => {
          // This answer is from before the message, and it arrives after the event of the message.
          const response = await route.fetch()
          resolve()
          await isAnswered
          await route.fulfill({ response })
        },
        { times: 1 }
      )
    })
    await page.getByRole("link", { name: "Home" }).click()
    await isRead
    const activity = panelNamed(page, "Activity")
    await activity.getByText("Before the message", { exact: true }).waitFor()
    await post(pod(), "Between two reads.")
    const unread = async () => (await pod().owner.send("GET", "/api/hub/notifications?unread=true")).body
    while (!(await unread()).some(({ text }: any) => text === "Between two reads.")) await aMoment()
    // The page gets the event of this note after the event of the message.
    await aNote(pod(), { title: "After the message" })
    await activity.getByText("After the message", { exact: true }).waitFor()
    answer()
    await panelNamed(page, "Notifications").getByText("Between two reads.").waitFor()
  })

  it("the notifications on the home screen leave out the waiting proposals, because Home lists these proposals beside them", async () => {
    await post(pod(), "Two contracts end.")
    const scribe = await anAgent(pod(), "Lister")
    await scribe.create({ title: "Listed once" })
    const page = await open("/")
    await panelNamed(page, "Waiting for your decision")
      .getByRole("link", { name: /Listed once/ })
      .waitFor()
    const notifications = panelNamed(page, "Notifications")
    await notifications.getByText("Two contracts end.").waitFor()
    assert.notInclude(await notifications.innerText(), "Listed once")
  })

  it("“Mark all as read” on the home screen leaves the notifications about waiting proposals unread, because the screen does not show them", async () => {
    await post(pod(), "Read together.")
    await post(pod(), "And this one.")
    const scribe = await anAgent(pod(), "Asker")
    const proposalId = await scribe.create({ title: "Still waits" })
    const unread = async () => (await pod().owner.send("GET", "/api/hub/notifications?unread=true")).body
    const isThere = (all: ReadonlyArray<any>) =>
      all.some(({ subjectId }) => subjectId === proposalId) &&
      ["Read together.", "And this one."].every((each) => all.some(({ text }) => text === each))
    while (!isThere(await unread())) await aMoment()
    const page = await open("/")
    await panelNamed(page, "Notifications").getByText("Read together.").waitFor()
    await panelNamed(page, "Notifications").getByText("And this one.").waitFor()
    await page.getByRole("button", { name: "Mark all as read" }).click()
    await page.getByText("You have read everything.").waitFor()
    const left = await unread()
    assert.isTrue(left.some(({ subjectId }: any) => subjectId === proposalId))
    assert.deepStrictEqual([...new Set(left.map(({ kind }: any) => kind))], ["proposal_waiting"])
  })

  it("a notification on the home screen links to the event that it is about", async () => {
    await post(pod(), "Read about me.")
    const page = await open("/")
    await panelNamed(page, "Notifications").getByRole("link", { name: "Read about me." }).click()
    await page.getByRole("dialog", { name: "Event" }).waitFor()
  })

  it("on the home screen a person marks one notification after the other as read, until all are read", async () => {
    await post(pod(), "Notify me.")
    const page = await open("/")
    const read = page.getByRole("button", { name: /^Mark as read/ })
    // The notification can arrive after the page. If it arrived later, the number of notifications would not decrease.
    await panelNamed(page, "Notifications").getByRole("link", { name: "Notify me." }).waitFor()
    while ((await read.count()) > 0) {
      const before = await read.count()
      await read.first().click()
      await page.waitForFunction(
        (count) => document.querySelectorAll('[aria-label^="Mark as read"]').length < count,
        before
      )
    }
    await page.getByText("You have read everything.").waitFor()
  })

  it("the home screen hides the checklist of the first week when all of its steps are done", async () => {
    const page = await open("/")
    await page.getByRole("heading", { name: "Your first week" }).waitFor()
    await page.getByRole("button", { name: "I have a backup" }).click()
    await page.getByRole("heading", { name: "Your first week" }).waitFor({ state: "detached" })
    await page.reload()
    await page.locator("section").filter({ hasText: "Activity" }).getByRole("listitem").first().waitFor()
    assert.strictEqual(await page.getByRole("heading", { name: "Your first week" }).count(), 0)
  })

  it("if a part of the home screen cannot be read, the screen shows the reason, and the person can try again", async () => {
    const page = await open("/connections")
    await page.route("**/api/hub/webhooks*", (route) =>
      route.fulfill({
        status: 503,
        contentType: "application/json",
        body: `{"error":"The database rests.","requestId":"r-1"}`
      })
    )
    await page.getByRole("link", { name: "Home" }).click()
    await page.getByText("The database rests.").waitFor()
    await page.getByText("r-1").waitFor()
    await page.unroute("**/api/hub/webhooks*")
    await page.getByRole("button", { name: "Retry" }).click()
    await page.getByText("No webhook fails.").waitFor()
  })

  it("the API drawer of the home screen shows the API calls that the home screen makes", async () => {
    const page = await open("/")
    await page.getByRole("button", { name: "API", exact: true }).click()
    await page.getByText(/curl .*api\/hub\/orient/).waitFor()
    assert.strictEqual(await page.getByRole("button", { name: "Copy GET /api/hub/events" }).count(), 2)
  })
})
