/**
 * Tests the public API page in the states that people see, on a phone and on a large screen. No page scrolls sideways,
 * and all texts have enough contrast.
 */
import { assert } from "@effect/vitest"
import { mkdirSync, writeFileSync } from "node:fs"
import { afterAll, beforeAll, it } from "vitest"
import { aPod, ownerEmail, ownerPassword, type TestPod } from "../support/pod.ts"
import { describeBrowser } from "../support/playwrightBrowser.ts"
import { aBrowser, type Browser, type Tab } from "./tab.ts"
import { assertNothingSideways } from "./sideways.ts"

/** The folder for pictures of the pages. Undefined unless a developer sets it. */
const pictures = process.env["POD_PICTURES"]

export interface Look {
  readonly width: number
  readonly isDark: boolean
}

/** A text without any place for a line break, such as a path or a token. */
const endless = "x".repeat(400)
const longName = endless.slice(0, 120)

/**
 * Finds the lowest contrast between a visible text and its background, and the element with this text (WCAG 2.2,
 * 1.4.3).
 */
const leastContrast = `(() => {
  const parts = (color) => color.match(/[\\d.]+/g).map(Number)
  const light = ([r, g, b]) => [r, g, b].map((each) => each / 255)
    .map((each) => (each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4))
    .reduce((sum, each, at) => sum + each * [0.2126, 0.7152, 0.0722][at], 0)
  const ground = (each) => {
    for (let at = each; at !== null; at = at.parentElement) {
      const [r, g, b, a = 1] = parts(getComputedStyle(at).backgroundColor)
      if (a === 1) return [r, g, b]
    }
    return [255, 255, 255]
  }
  let least = { ratio: 21, where: "" }
  for (const each of document.body.querySelectorAll("*")) {
    const hasText = [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "")
    if (!hasText || !each.checkVisibility() || each.closest(".unseen, :disabled")) continue
    const [one, other] = [light(parts(getComputedStyle(each).color)), light(ground(each))].sort((a, b) => b - a)
    const ratio = (one + 0.05) / (other + 0.05)
    if (ratio < least.ratio) least = { ratio, where: each.tagName + "." + each.className + " " + each.textContent.slice(0, 40) }
  }
  return least
})()`

export const isReadable = (looks: ReadonlyArray<Look>): void =>
  describeBrowser("the layout of the API page", () => {
    let pod: TestPod
    let browser: Browser
    let key: Awaited<ReturnType<TestPod["aKey"]>>
    beforeAll(async () => {
      pod = await aPod({ kind: "memory" })
      key = await pod.aKey(pod.owner)
      const { status } = await key.send("PUT", `/api/hub/knowledge/${longName}`, { value: { text: endless } })
      assert.strictEqual(status, 200)
      browser = await aBrowser()
    })
    afterAll(async () => {
      await browser?.close()
      await pod?.stop()
    })

    const isShown = (id: string) => `document.getElementById(${JSON.stringify(id)}).checkVisibility()`

    const signIn = async (tab: Tab) => {
      await tab.click("#email")
      await tab.type(ownerEmail)
      await tab.click("#password")
      await tab.type(ownerPassword)
      await tab.press("Enter")
    }

    const opened = (id: string) => `document.querySelector("[id='${id}'] .inside")`

    const makingKeys = async (tab: Tab) => {
      await tab.click("#own-key > summary")
      await signIn(tab)
      await tab.until(isShown("make-key"))
    }

    /** Sends a request with a long path, and waits until the page shows the answer, which contains a long text. */
    const endlessAttempt = async (tab: Tab) => {
      await tab.until(opened("knowledge.get"))
      await tab.click("#credential-secret")
      await tab.type(key.secret)
      await tab.click("[id='knowledge.get-path-key']")
      await tab.type(longName)
      await tab.click("[id='knowledge.get'] [type=submit]")
      await tab.until(`document.querySelector("[id='knowledge.get'] .answer").textContent.includes("${endless}")`)
    }

    const states: ReadonlyArray<{
      readonly name: string
      readonly path: string
      readonly prepare?: (tab: Tab) => Promise<void>
    }> = [
      { name: "docs", path: "/docs" },
      { name: "errors", path: "/docs/errors#SCOPE_MISSING" },
      { name: "docs-rest", path: "/docs#entities.create", prepare: (tab) => tab.until(opened("entities.create")) },
      {
        name: "docs-procedure",
        path: "/docs#procedure:apiKeys.create",
        prepare: (tab) => tab.until(opened("procedure:apiKeys.create"))
      },
      {
        name: "docs-tool",
        path: "/docs#tool:svc_create_entity",
        prepare: (tab) => tab.until(opened("tool:svc_create_entity"))
      },
      { name: "docs-endless", path: "/docs#knowledge.get", prepare: endlessAttempt },
      {
        name: "docs-nothing",
        path: "/docs",
        prepare: async (tab) => {
          await tab.press("/")
          await tab.type(endless)
          await tab.until(isShown("none"))
        }
      },
      { name: "docs-make-key", path: "/docs", prepare: makingKeys },
      {
        name: "docs-new-key",
        path: "/docs",
        prepare: async (tab) => {
          await makingKeys(tab)
          await tab.click("#make-key-button")
          await tab.until(isShown("new-key"))
        }
      }
    ]

    it.each(looks)(
      "at a width of $width px, the API page does not scroll sideways and all its text has enough contrast (dark colours: $isDark)",
      async (look) => {
        for (const { name, path, prepare } of states) {
          const tab = await browser.tab()
          await tab.look(look)
          await tab.open(pod.baseUrl + path)
          await tab.until(`document.querySelector(".operation, .errors")`)
          await prepare?.(tab)
          if (pictures !== undefined) {
            mkdirSync(pictures, { recursive: true })
            writeFileSync(
              `${pictures}/${name}-${look.width}-${look.isDark ? "dark" : "light"}.png`,
              await tab.picture()
            )
          }
          await assertNothingSideways(tab, name)
          const { ratio, where } = await tab.read<{ ratio: number; where: string }>(leastContrast)
          assert.isAtLeast(ratio, 4.5, `${name}: ${where}`)
          await tab.close()
        }
      },
      120_000
    )
  })
