/** A person invites, joins and changes the password in a browser. */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { writeFileSync } from "node:fs"
import { anEmbedded } from "../support/pgliteImage.ts"
import { aPod, ownerEmail, ownerPassword, type TestPod } from "../support/pod.ts"
import { aBrowser, type Browser, describeBrowser, type Tab } from "./chromium.ts"

const guestEmail = "guest@example.com"
const nextPassword = "another correct horse battery"
const narrow = 375 // pixels, a small phone

/** POD_PICTURES names a folder for pictures of the pages, for somebody who wants to look at them. */
const pictured = async (tab: Tab, name: string) => {
  const folder = process.env["POD_PICTURES"]
  if (folder !== undefined) writeFileSync(`${folder}/${name}.png`, await tab.picture())
}

describeBrowser("the pages for people in a browser", () => {
  let pod: TestPod
  let browser: Browser
  beforeAll(async () => {
    pod = await aPod({ kind: "pglite", open: anEmbedded })
    browser = await aBrowser()
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    await pod?.stop()
  })

  const opened = async (path: string): Promise<Tab> => {
    const tab = await browser.tab()
    await tab.look({ width: narrow, isDark: false })
    await tab.open(pod.baseUrl + path)
    return tab
  }
  const fill = async (tab: Tab, fields: Readonly<Record<string, string>>) => {
    for (const [id, text] of Object.entries(fields)) {
      await tab.read(`document.getElementById(${JSON.stringify(id)}).value = ""`)
      await tab.click(`#${id}`)
      await tab.type(text)
    }
    await tab.press("Enter")
  }
  const isShown = (id: string) => `document.getElementById(${JSON.stringify(id)}).checkVisibility()`
  const fits = async (tab: Tab) =>
    assert.isAtMost(await tab.read<number>("document.documentElement.scrollWidth"), narrow)

  let link = ""

  it("the owner signs in on the start page, creates an invitation link, and sees it in the list of open invitations", async () => {
    const tab = await opened("/")
    await fits(tab)
    await pictured(tab, "home")
    await fill(tab, { email: ownerEmail, password: "not the password" })
    await tab.until(isShown("problem"))
    await fill(tab, { email: ownerEmail, password: ownerPassword })
    await tab.until(isShown("owner"))
    await fill(tab, { note: "Ada" })
    await tab.until(`document.querySelector("#link pre") && document.querySelectorAll("#invitations li").length === 1`)
    link = await tab.read<string>(`document.querySelector("#link pre").textContent`)
    assert.match(link, new RegExp(`^${pod.baseUrl}/join#[\\w-]{43}$`))
    assert.include(await tab.read<string>(`document.getElementById("people").innerText`), "Owner")
    await fits(tab)
    assert.notInclude(await tab.read<string>("document.body.innerText"), "no owner yet")
    await tab.read(`document.getElementById("owner").scrollIntoView()`)
    await pictured(tab, "invite")
    await tab.click("#sign-out")
    await tab.until(isShown("sign-in"))
    assert.isFalse(await tab.read(isShown("link")))
    // The wrong password is an answer of 401, which the browser notes.
    assert.deepStrictEqual(
      tab.complaints.filter((said) => !said.includes("/auth/sign-in")),
      []
    )
  })

  it("the join page without a link says that a link is missing, and refuses an invented link", async () => {
    const bare = await opened("/join")
    await bare.until(isShown("no-token"))
    await pictured(bare, "join-bare")
    const tab = await opened(`/join#${"A".repeat(43)}`)
    await tab.until(isShown("join"))
    await fill(tab, { email: guestEmail, password: ownerPassword })
    await tab.until(isShown("used"))
  })

  it("a person who opens the invitation link can join, and the page removes the token from the address at once", async () => {
    const tab = await opened(link.slice(pod.baseUrl.length))
    await tab.until(isShown("join"))
    assert.strictEqual(await tab.read("location.href"), `${pod.baseUrl}/join`)
    await fill(tab, { email: guestEmail, password: "short" })
    await tab.until(isShown("password-problem"))
    await fill(tab, { email: ownerEmail, password: ownerPassword })
    await tab.until(isShown("email-problem"))
    await fits(tab)
    await pictured(tab, "join")
    await fill(tab, { email: guestEmail, password: ownerPassword })
    await tab.until(isShown("done"))
    await pictured(tab, "joined")
    const token = link.split("#")[1] ?? ""
    assert.deepStrictEqual(
      tab.asked.filter((url) => url.includes(token) && !url.endsWith(`#${token}`)),
      []
    )
  })

  it("a person changes the password on the account page with the current password, and the old password no longer works", async () => {
    const tab = await opened("/account")
    await fill(tab, { email: guestEmail, current: "not the password", password: nextPassword })
    await tab.until(isShown("problem"))
    await pictured(tab, "account")
    await fill(tab, { email: guestEmail, current: ownerPassword, password: nextPassword })
    await tab.until(isShown("done"))
    await fits(tab)
    assert.include(await tab.read<string>(`document.getElementById("told").textContent`), "Your password is changed.")
    const signIn = (password: string) => pod.stranger.send("POST", "/auth/sign-in", { email: guestEmail, password })
    assert.deepStrictEqual([(await signIn(ownerPassword)).status, (await signIn(nextPassword)).status], [401, 200])
  })

  it("the start page tells a person who does not own the pod that only the owner can use it, and the owner can suspend that person on it", async () => {
    const theirs = await opened("/")
    await fill(theirs, { email: guestEmail, password: nextPassword })
    await theirs.until(isShown("problem"))
    assert.include(await theirs.read<string>(`document.getElementById("problem").textContent`), "Only the pod's owner")
    const tab = await opened("/")
    // Both lists come at once: one that came later would move the buttons that somebody is about to press.
    await tab.read(
      `new MutationObserver(() => { window.halves = (window.halves ?? 0) + (document.getElementById("people").childElementCount > 0 && document.getElementById("no-invitations").hidden && document.getElementById("invitations").childElementCount === 0) }).observe(document.getElementById("owner"), { childList: true, subtree: true })`
    )
    await fill(tab, { email: ownerEmail, password: ownerPassword })
    await tab.until(`document.querySelector("#people button")`)
    assert.strictEqual(await tab.read("window.halves"), 0)
    await tab.click("#people button")
    await tab.until(`document.querySelector("#people button").textContent === "Let in again"`)
    await tab.read(`document.getElementById("people").scrollIntoView()`)
    await pictured(tab, "people")
    const { body } = await pod.owner.send("GET", "/api/hub/people")
    assert.isTrue(body.find((person: { email: string }) => person.email === guestEmail).isSuspended)
  })
})
