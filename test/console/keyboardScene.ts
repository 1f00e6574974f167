/**
 * Acts like a person who has only a keyboard: finds a control with Tab, and acts with keys. After every key that moves
 * the focus, it checks that the focused control is visible. After every action, it checks that the focus was not lost.
 */
import type { Locator, Page } from "playwright-core"
import { assert } from "vitest"

export interface Keyboard {
  /** Uses the link that skips the navigation. The first Tab of a screen reaches this link. */
  readonly skipToContent: () => Promise<void>
  /** Presses Tab, or Shift-Tab, until the control has the focus. */
  readonly to: (target: Locator, key?: "Tab" | "Shift+Tab") => Promise<void>
  /** Goes to the control, presses the key, and waits until the page shows `outcome`. */
  readonly press: (target: Locator, outcome: Locator, key?: string) => Promise<void>
  /** Presses the keys without moving the focus first, and waits until the page shows `outcome`. */
  readonly keys: (keys: ReadonlyArray<string>, outcome: Locator) => Promise<void>
  /** Goes to the field, and replaces its text. */
  readonly write: (field: Locator, text: string) => Promise<void>
  /** Goes to the list, and moves with the arrows to the option with this name. */
  readonly choose: (list: Locator, option: string | RegExp) => Promise<void>
  /** Goes to the box, and ticks it or takes the tick away. */
  readonly toggle: (box: Locator) => Promise<void>
}

const stepsMax = 200
const optionsMax = 50
const framesMax = 300

interface Focus {
  /** A short description of the element that has the focus. Undefined if no element has the focus. */
  readonly what: string | undefined
  readonly fault: string | undefined
}

/** Returns the element that has the focus, and the reason if a person cannot see it. Runs in the page. */
const focusIn = async (): Promise<Focus> => {
  // Each end of a dialog has an element that passes the focus to the opposite end. This takes a few frames.
  for (let frame = 0; frame < 60 && document.activeElement?.matches("[data-base-ui-focus-guard]") === true; frame++) {
    await new Promise((next) => requestAnimationFrame(next))
  }
  const control = document.activeElement
  if (control === null || control === document.body) return { what: undefined, fault: "nothing has the focus" }
  const what = control.outerHTML.slice(0, 200)
  const box = control.getBoundingClientRect()
  const { outlineStyle, outlineWidth } = getComputedStyle(control)
  if (outlineStyle === "none" || Number.parseFloat(outlineWidth) < 2) {
    return { what, fault: "the focus has no outline" }
  }
  const [left, right] = [Math.max(box.left, 0), Math.min(box.right, innerWidth)]
  const [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, innerHeight)]
  if (right - left < 1 || bottom - top < 1) return { what, fault: "the focus is out of the window" }
  const hits = [0.1, 0.5, 0.9].map((share) =>
    document.elementFromPoint(left + (right - left) * share, top + (bottom - top) * 0.5)
  )
  const isSeen = hits.some((hit) => hit !== null && (control.contains(hit) || hit.contains(control)))
  return { what, fault: isSeen ? undefined : `the focus is covered by ${hits[1]?.outerHTML.slice(0, 200)}` }
}

export const keyboardOf = (page: Page): Keyboard => {
  /**
   * After a change of the page, the focus needs some frames to move. Fails if the focus is not visible after all these
   * frames.
   */
  const expectVisibleFocus = async (after: string) => {
    let found = await page.evaluate(focusIn)
    for (let frame = 0; frame < framesMax && found.fault !== undefined; frame++) {
      await page.evaluate(() => new Promise((next) => requestAnimationFrame(next)))
      found = await page.evaluate(focusIn)
    }
    assert.isUndefined(found.fault, `${after}: ${found.fault} (${found.what ?? "body"})`)
  }

  const isAt = (target: Locator) =>
    target.evaluateAll((found) => found.some((each) => each === document.activeElement)).catch(() => false)

  const to: Keyboard["to"] = async (target, key = "Tab") => {
    await target.first().waitFor()
    let ends = 0 // Counts how often the focus leaves the page. The focus leaves the page after the last control.
    for (let step = 0; step < stepsMax; step++) {
      if (await isAt(target)) return expectVisibleFocus(`at ${String(target)}`)
      await page.keyboard.press(key)
      const { fault, what } = await page.evaluate(focusIn)
      if (what === undefined) ends += 1
      else assert.isUndefined(fault, `on the way to ${String(target)}: ${fault} (${what})`)
      assert.isAtMost(ends, 2, `${String(target)} is not reached by ${key}`)
    }
    assert.fail(`${String(target)} is not reached by ${stepsMax} times ${key}`)
  }

  const keys: Keyboard["keys"] = async (pressed, outcome) => {
    for (const key of pressed) await page.keyboard.press(key)
    await outcome.first().waitFor()
    await expectVisibleFocus(`after ${pressed.join(" ")}`)
  }

  const press: Keyboard["press"] = async (target, outcome, key = "Enter") => {
    await to(target)
    await keys([key], outcome)
  }

  return {
    to,
    keys,
    press,
    skipToContent: async () => {
      await page.getByRole("navigation", { name: "Places" }).waitFor()
      await press(page.getByRole("link", { name: "Skip to the content" }), page.locator("main:focus"))
    },
    write: async (field, text) => {
      await to(field)
      await page.keyboard.press("Control+A")
      await page.keyboard.type(text)
    },
    choose: async (list, option) => {
      await to(list)
      await list.locator("option", { hasText: option }).first().waitFor({ state: "attached" })
      await page.keyboard.press("Home")
      const chosen = () => list.locator("option:checked").innerText()
      const isIt = (name: string) => (typeof option === "string" ? name.trim() === option : option.test(name))
      for (let step = 0; step < optionsMax && !isIt(await chosen()); step++) await page.keyboard.press("ArrowDown")
      assert.isTrue(isIt(await chosen()), `the arrows reach ${String(option)}`)
      await expectVisibleFocus(`at the option ${String(option)}`)
    },
    toggle: async (box) => {
      await to(box)
      const was = await box.isChecked()
      await page.keyboard.press("Space")
      assert.strictEqual(await box.isChecked(), !was)
      await expectVisibleFocus(`after the box ${String(box)}`)
    }
  }
}
