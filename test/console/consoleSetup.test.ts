/** The setup screen in a browser, on a pod without an owner: without a link, with a bad link, and for the new owner. */
import { afterAll, assert, beforeAll } from "vitest"
import type { Page } from "playwright-core"
import { assertScreenFits, describeConsole, it } from "./consoleScene.ts"
import { anUnclaimedPod, type UnclaimedPod } from "./unclaimedPod.ts"

describeConsole("the setup screen", (scene) => {
  let pod: UnclaimedPod
  beforeAll(async () => {
    pod = await anUnclaimedPod()
  })
  afterAll(() => pod?.stop())

  const opened = (token: string, path = "/setup") =>
    scene.open(`${path}${token === "" ? "" : `#${token}`}`, { at: pod.baseUrl, session: null })
  const fill = async (page: Page, email: string, password: string) => {
    await page.getByLabel("E-mail address").fill(email)
    await page.getByLabel("Password", { exact: true }).fill(password)
    await page.getByLabel("Password", { exact: true }).press("Enter")
  }
  const heading = (page: Page, name: string) => page.getByRole("heading", { name }).waitFor()

  const email = "o'neil@example.com"
  const password = `a "quoted" back\\slash & 100% of it`

  it("the setup screen without a link says where to find the link, and shows no form", async () => {
    const page = await opened("")
    await heading(page, "This pod has no owner yet")
    const text = await page.innerText("main")
    for (const place of [
      "in the terminal where the pod was started",
      "the file setup-link",
      "pod setup-link",
      "npx pod"
    ]) {
      assert.include(text, place)
    }
    assert.strictEqual(await page.getByRole("textbox").count(), 0)
    await assertScreenFits(page, "setup-unclaimed")
  })

  it("the sign-in screen says that the pod has no owner yet, and does not ask for a password", async () => {
    const page = await opened("", "/sign-in")
    await heading(page, "This pod has no owner yet")
    assert.strictEqual(await page.getByLabel("Password").count(), 0)
  })

  it("the setup screen removes the token from the address bar at once, and the browser never sends the token in the URL of a request", async () => {
    const token = await pod.aLinkToken()
    const page = await opened("")
    const asked: Array<string> = []
    page.on("request", (request) => asked.push(request.url()))
    await page.goto(`${pod.baseUrl}/setup#${token}`)
    await heading(page, "Become its owner")
    assert.strictEqual(page.url(), `${pod.baseUrl}/admin/setup`)
    assert.deepStrictEqual(
      asked.filter((url) => new URL(url).pathname.includes(token) || new URL(url).search.includes(token)),
      []
    )
    await page.goBack()
    assert.notInclude(page.url(), token)
    await page.goForward()
    assert.notInclude(page.url(), token)
  })

  it("the setup screen says how hard the typed password is to guess, and shows the password only on request", async () => {
    const page = await opened(await pod.aLinkToken())
    const field = page.getByLabel("Password", { exact: true })
    await field.fill("aaaaaaaaaaaaaaaa")
    await page.getByText("Strength: weak.").waitFor()
    await field.fill("correct horse battery staple")
    await page.getByText("Strength: strong.").waitFor()
    assert.strictEqual(await field.getAttribute("type"), "password")
    await page.getByRole("button", { name: "Show" }).click()
    assert.strictEqual(await field.getAttribute("type"), "text")
    await assertScreenFits(page, "setup-form")
  })

  it("the setup screen shows a message next to a value that the page or the pod refuses, and keeps the typed values", async () => {
    const page = await opened(await pod.aLinkToken())
    const asked: Array<string> = []
    page.on("request", (request) => asked.push(request.url()))
    await fill(page, "nobody@nowhere", "p".repeat(11))
    await page.getByText("Use a password of 12 to 128 characters.").waitFor()
    assert.strictEqual(await page.evaluate("document.activeElement?.getAttribute('name')"), "password")
    assert.notInclude(asked, `${pod.baseUrl}/setup/claim`)
    await fill(page, "nobody@nowhere", password)
    await page.getByRole("alert").waitFor()
    assert.strictEqual(await page.getByLabel("E-mail address").inputValue(), "nobody@nowhere")
    assert.strictEqual(await page.getByLabel("E-mail address").getAttribute("aria-invalid"), "true")
    await assertScreenFits(page, "setup-faults")
  })

  it("for an unknown and for an expired link, the setup screen says what happened, and which command makes a new link", async () => {
    for (const [token, what] of [
      ["A".repeat(43), "This setup link is not valid."],
      [await pod.anExpiredToken(), "This setup link has expired"]
    ] as const) {
      const page = await opened(token) // The page checks the link when it opens, before the person has typed anything.
      await heading(page, "This setup link does not work")
      await page.getByRole("alert").getByText(what).waitFor()
      const text = await page.innerText("main")
      assert.include(text, "The pod has no owner yet, and nothing was changed.")
      assert.include(text, "Make a new link on the server:")
      await page.getByText("pod setup-link", { exact: true }).last().waitFor()
      await assertScreenFits(page, "setup-used")
    }
  })

  it("with a setup link and the keyboard alone, a person becomes the owner, is signed in, and opens the screen that makes the first key", async () => {
    const token = await pod.aLinkToken()
    const page = await opened(token)
    await heading(page, "Become its owner")
    for (const text of ["Ada", email, password]) {
      await page.keyboard.press("Tab")
      await page.keyboard.type(text)
    }
    await page.keyboard.press("Tab") // Tab moves the focus to the button that shows the password.
    await page.keyboard.press("Tab")
    await page.keyboard.type("<b>Harbour</b> office")
    await page.keyboard.press("Enter")
    await heading(page, "You own this pod")
    await assertScreenFits(page, "setup-done")
    await page.getByRole("link", { name: "Create the first key" }).focus()
    await page.keyboard.press("Enter")
    await page.waitForURL(/\/admin\/keys\/new/)
    await page.getByText("Ada", { exact: true }).waitFor()
    await page.getByRole("banner").getByRole("link", { name: "<b>Harbour</b> office" }).waitFor()
    assert.strictEqual(await page.title(), "New key · <b>Harbour</b> office")
    const stranger = await opened("", "/sign-in")
    await stranger.getByText("<b>Harbour</b> office", { exact: true }).waitFor()
    assert.strictEqual(await stranger.title(), "Sign in · <b>Harbour</b> office")

    const again = await opened(token)
    await heading(again, "This pod has an owner already")
    await again.getByText("The setup link was used").waitFor()
    await again.getByText("pod owner reset-password", { exact: true }).last().waitFor()
    await assertScreenFits(again, "setup-owned")
  })

  it("if the pod has an owner, the setup screen shows no form for a second setup link", async () => {
    const page = await opened(await pod.aLinkToken())
    await heading(page, "This pod has an owner already")
    assert.strictEqual(await page.getByRole("textbox").count(), 0)
  })
})

describeConsole("the sample data of a new pod", ({ open }) => {
  const claimed = async (pod: UnclaimedPod, breaks?: (page: Page) => Promise<unknown>) => {
    const page = await open(`/setup#${await pod.aLinkToken()}`, { at: pod.baseUrl, session: null })
    await breaks?.(page)
    await page.getByLabel("E-mail address").fill("owner@example.com")
    await page.getByLabel("Password", { exact: true }).fill("correct horse battery staple")
    await page.getByLabel("Add sample data").focus()
    await page.keyboard.press("Space")
    await assertScreenFits(page, "setup-sample")
    await page.getByRole("button", { name: "Create the owner" }).press("Enter")
    await page.getByRole("heading", { name: "You own this pod" }).waitFor()
    return page
  }

  it("a new owner who asks for sample data sees the progress, and then finds the sample workspace and its proposals", async () => {
    const pod = await anUnclaimedPod()
    try {
      const page = await claimed(pod)
      await page.getByRole("progressbar").waitFor()
      await page.getByText("The sample data are there").waitFor()
      await assertScreenFits(page, "setup-sample-made")
      await page.getByRole("link", { name: "Workspaces" }).click()
      await page.getByRole("main").getByText("Acme demo").first().waitFor()
      await page.getByLabel("6 waiting").waitFor()
    } finally {
      await pod.stop()
    }
  })

  it("if the sample data cannot be created, the page shows a message about this, and the person still becomes the owner", async () => {
    const pod = await anUnclaimedPod()
    try {
      const page = await claimed(pod, (opened) =>
        opened.route("**/api/hub/projects", (route) =>
          route.fulfill({ status: 503, json: { error: "The disk is full." } })
        )
      )
      await page.getByText("The sample data are not complete: The disk is full.").waitFor()
      await page.getByRole("link", { name: "Go to Home" }).click()
      await page.getByRole("heading", { name: "Your first week" }).waitFor()
    } finally {
      await pod.stop()
    }
  })
})
