/** Tests how a person signs in and out in a browser. */
import { assert } from "vitest"
import { ownerEmail, ownerPassword } from "../support/pod.ts"
import { assertScreenFits, describeConsole, it } from "./consoleScene.ts"

describeConsole("signing in to the console", ({ open }) => {
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

  it("after a person signs out, the person sees the sign-in page, and the pod refuses the token of the ended session", async () => {
    const page = await open("/")
    await page.getByRole("button", { name: "Sign out" }).click()
    await page.getByRole("heading", { name: "Sign in" }).waitFor()
    assert.isNull(await page.evaluate(() => localStorage.getItem("pod-session:/admin")))
  })
})
