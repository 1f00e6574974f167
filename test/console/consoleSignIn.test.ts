/** Tests how a person signs in and out in a browser. */
import type { Page } from "playwright-core"
import { assert } from "vitest"
import { ownerEmail, ownerPassword } from "../support/pod.ts"
import { assertScreenFits, describeConsole, it } from "./consoleScene.ts"

describeConsole("signing in to the console", ({ open, pod }) => {
  const signIn = async (page: Page, email: string) => {
    await page.getByLabel("E-mail address").fill(email)
    await page.getByLabel("Password", { exact: true }).fill(ownerPassword)
    await page.getByRole("button", { name: "Sign in" }).click()
  }

  it("a person who is not signed in gets the sign-in page first, and after the sign-in the page that the person asked for", async () => {
    const page = await open("/connections", { session: null })
    await page.getByRole("heading", { name: "Sign in" }).waitFor()
    await assertScreenFits(page, "sign-in")
    await page.getByLabel("E-mail address").fill(ownerEmail)
    await page.getByLabel("Password").fill(ownerPassword)
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "Connections" }).waitFor()
    assert.match(page.url(), /\/admin\/connections$/)
  })

  it("the sign-in screen shows the message of the pod if the password is wrong", async () => {
    const page = await open("/sign-in", { session: null })
    await page.getByLabel("E-mail address").fill(ownerEmail)
    await page.getByLabel("Password").fill("not the password")
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.getByRole("alert").waitFor()
    assert.include(await page.getByRole("alert").innerText(), "password")
  })

  it("the sign-in screen ignores the address in the parameter `next` of its URL if this address is on another origin", async () => {
    const page = await open("/sign-in?next=https%3A%2F%2Fevil.example%2F", { session: null })
    await page.getByLabel("E-mail address").fill(ownerEmail)
    await page.getByLabel("Password").fill(ownerPassword)
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.getByRole("heading", { name: "Home" }).waitFor()
  })

  it("after a person signs out, the person sees the sign-in page, and the browser no longer keeps the token of the session", async () => {
    const page = await open("/")
    await page.getByRole("button", { name: "Sign out" }).click()
    await page.getByRole("heading", { name: "Sign in" }).waitFor()
    assert.isNull(await page.evaluate(() => localStorage.getItem("pod-session:/admin")))
  })

  it("after a person signs out, the tab keeps no draft of a new key", async () => {
    const page = await open("/sign-in", { session: null })
    await signIn(page, ownerEmail)
    await page.getByRole("link", { name: "Create a key" }).click()
    const name = page.getByLabel("Name of the key")
    await name.fill("Secret plan")
    const stored = () =>
      page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }, history.state]))
    await page.waitForFunction(() => JSON.stringify({ ...sessionStorage }).includes("Secret plan"))
    await page.getByRole("button", { name: "Sign out" }).click()
    await page.getByRole("heading", { name: "Sign in" }).waitFor()
    assert.notInclude(await stored(), "Secret plan")
    await signIn(page, ownerEmail)
    await name.waitFor()
    assert.strictEqual(await name.inputValue(), "")
    await page.goBack()
    await page.getByRole("heading", { name: "Sign in" }).waitFor()
    await page.goBack()
    await name.waitFor()
    assert.strictEqual(await name.inputValue(), "")
  })

  it("a person who signs in after another person in the same tab sees nothing that the other person had read", async () => {
    await pod().aKey(pod().owner, { keyName: "Key of the owner" })
    await pod().aPerson("second@example.com")
    const page = await open("/sign-in", { session: null })
    await signIn(page, ownerEmail)
    const connections = page.getByRole("link", { name: "Connections", exact: true })
    await connections.click()
    await page.getByRole("button", { name: "Key of the owner", exact: true }).waitFor()
    await page.getByRole("button", { name: "Sign out" }).click()
    let letThrough: () => void = () => undefined
    const answered = new Promise<void>((resolve) => {
      letThrough = resolve
    })
    await page.route("**/trpc/**", async (route) => {
      await answered
      await route.continue()
    })
    await signIn(page, "second@example.com")
    await page.getByRole("heading", { name: "Connections", level: 1 }).waitFor()
    await page.getByText("Reading your connections").waitFor()
    assert.strictEqual(await page.getByText("Key of the owner").count(), 0)
    letThrough()
    await page.getByText("You have no key yet.").waitFor()
  })
})
