/**
 * The setup page in a real browser, on a pod without an owner: its messages without a link, with a bad link, and for
 * the new owner.
 */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { assert } from "@effect/vitest"
import { Context, Effect, Exit, Layer, ManagedRuntime, Redacted, Scope } from "effect"
import { spawn } from "node:child_process"
import { text } from "node:stream/consumers"
import { afterAll, beforeAll, it } from "vitest"
import { People } from "../../src/features/people/People.ts"
import { layerPglite } from "../../src/platform/Embedded.ts"
import * as Pod from "../../src/Pod.ts"
import * as Serve from "../../src/Serve.ts"
import { Server } from "../../src/surfaces/Server.ts"
import { anEmbedded } from "../support/pgliteImage.ts"
import { aSettings } from "../support/settings.ts"
import { aBrowser, type Browser, describeBrowser, type Tab } from "./chromium.ts"
import { assertNothingSideways } from "./sideways.ts"

/** A pod without an owner; the pods of other suites have one. */
const anUnclaimedPod = async () => {
  const settings = aSettings({ port: 0 })
  const runtime = ManagedRuntime.make(
    Pod.layer({
      pepper: Redacted.make("a pepper for tests, of no less than 32 bytes"),
      sessionSecret: Redacted.make("0123456789abcdefghijklmnopqrstuvwxyzABCDEF"),
      encryptionKey: Redacted.make("9876456789abcdefghijklmnopqrstuvwxyzABCDEF"),
      sessionSeconds: 3600,
      isProduction: false,
      baseUrl: "http://localhost",
      rateLimitPerMinute: 1_000_000,
      searchMemoryBytes: 64 * 1024 * 1024
    }).pipe(Layer.provideMerge(layerPglite(Effect.promise(() => anEmbedded()))))
  )
  const scope = Effect.runSync(Scope.make())
  const served = Layer.buildWithScope(Layer.provide(Serve.layer(settings), NodeFileSystem.layer), scope)
  const { port } = await runtime.runPromise(Effect.map(served, Context.get(Server)))
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    aLinkToken: () =>
      runtime.runPromise(Effect.flatMap(People, ({ setupLink }) => Effect.map(setupLink, Redacted.value))),
    stop: async () => {
      await Effect.runPromise(Scope.close(scope, Exit.void))
      await runtime.dispose()
    }
  }
}

/** The output of shell commands that read this input. */
const typed = async (commands: string, input: string): Promise<string> => {
  const shell = spawn("bash", ["-c", commands], { stdio: ["pipe", "pipe", "inherit"] })
  shell.stdin.end(input)
  return text(shell.stdout)
}

describeBrowser("the setup page in a browser", () => {
  let pod: Awaited<ReturnType<typeof anUnclaimedPod>>
  let browser: Browser
  beforeAll(async () => {
    pod = await anUnclaimedPod()
    browser = await aBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await pod?.stop()
  })

  const opened = async (token: string): Promise<Tab> => {
    const tab = await browser.tab()
    await tab.look({ width: 375, isDark: false })
    await tab.open(`${pod.baseUrl}/setup${token === "" ? "" : `#${token}`}`)
    await tab.until(`document.querySelector("section:not([hidden])")`)
    return tab
  }
  const state = `document.querySelector("section:not([hidden])").id`
  const until = (tab: Tab, expected: string) => tab.until(`${state} === ${JSON.stringify(expected)}`)
  const fill = async (tab: Tab, email: string, password: string) => {
    for (const [id, text] of [
      ["email", email],
      ["password", password]
    ] as const) {
      await tab.read(`document.getElementById(${JSON.stringify(id)}).value = ""`)
      await tab.click(`#${id}`)
      await tab.type(text)
    }
    await tab.press("Enter")
  }

  const email = "o'neil@example.com"
  const password = `a "quoted" back\\slash & 100% of it`

  it("the setup page without a link says where to find the link, and shows no form", async () => {
    const tab = await opened("")
    assert.strictEqual(await tab.read(state), "no-token")
    assert.include(await tab.read<string>("document.body.innerText"), "in the terminal where it was started")
    assert.strictEqual(await tab.read(`document.querySelector("form").checkVisibility()`), false)
  })

  it("the setup page removes the token from the address at once, and never sends the token as part of an address", async () => {
    const token = await pod.aLinkToken()
    const tab = await opened(token)
    assert.strictEqual(await tab.read("location.href"), `${pod.baseUrl}/setup`)
    assert.strictEqual(await tab.read("history.length"), 2) // the blank tab and this page
    // DevTools reports the fragment separately; the requested address does not contain it.
    assert.deepStrictEqual(
      tab.asked.filter((url) => url.includes(token) || !url.startsWith(`${pod.baseUrl}/`)),
      []
    )
  })

  it("the setup page shows a message beside each missing or malformed value, whether the page or the pod found it", async () => {
    const tab = await opened(await pod.aLinkToken())
    await fill(tab, email, "short")
    await tab.until(`!document.getElementById("password-problem").hidden`)
    assert.strictEqual(await tab.read("document.activeElement.id"), "password")
    await fill(tab, "nobody", password)
    await tab.until(`document.getElementById("email-problem").textContent.includes("not an e-mail address")`)
    assert.strictEqual(await tab.read(state), "claim")
  })

  it("the setup page refuses a password of 11 characters without asking the pod, and sends a password of 12 characters to the pod", async () => {
    const tab = await opened("A".repeat(43))
    await fill(tab, email, "p".repeat(11))
    await tab.until(`document.getElementById("password-problem").textContent === "Use 12 to 128 characters."`)
    assert.notInclude(tab.asked, `${pod.baseUrl}/setup/claim`)
    await fill(tab, email, "p".repeat(12))
    await until(tab, "used")
    assert.include(tab.asked, `${pod.baseUrl}/setup/claim`)
  })

  it("the setup page says whether a link is unknown, used or expired", async () => {
    const tab = await opened("A".repeat(43))
    await fill(tab, email, password)
    await until(tab, "used")
  })

  it("a valid setup link creates the owner of the pod, and the commands on the page create a key that works", async () => {
    const token = await pod.aLinkToken()
    const tab = await opened(token)
    await fill(tab, email, password)
    await until(tab, "done")
    assert.deepStrictEqual(tab.complaints, [])
    await assertNothingSideways(tab, "the commands for the first key")
    assert.strictEqual(await tab.read(`document.getElementById("password").value`), "")
    const commands = await tab.read<ReadonlyArray<string>>(
      `[...document.querySelectorAll("#done pre")].map((code) => code.textContent)`
    )
    const answer = await typed(commands.join("\n"), `${password}\n`)
    const { key } = JSON.parse(answer.slice(answer.indexOf("{"))).result.data
    const response = await fetch(`${pod.baseUrl}/api/hub/entities`, { headers: { authorization: `Bearer ${key}` } })
    assert.strictEqual(response.status, 200)

    const again = await opened(token)
    await fill(again, "other@example.com", password)
    await again.until(`["used", "owned"].includes(${state})`)
  })

  it("a second setup link for a pod that has an owner creates no second owner", async () => {
    const tab = await opened(await pod.aLinkToken())
    await fill(tab, "other@example.com", password)
    await until(tab, "owned")
  })
})
