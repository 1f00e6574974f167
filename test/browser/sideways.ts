/** Finds the parts of a page that make it scroll sideways: elements beyond the edge of the window. */
import { assert } from "@effect/vitest"
import type { Tab } from "./tab.ts"

/**
 * Elements beyond the edge of the window. The list leaves out elements that only screen readers use, and blocks of
 * code, which scroll on their own.
 */
const beyond = `[...document.body.querySelectorAll("*")]
  .filter((each) => each.checkVisibility() && !each.closest("pre, .unseen, .skip"))
  .filter((each) => {
    const { left, right, width } = each.getBoundingClientRect()
    return width > 0 && (right > innerWidth + 0.5 || left < -0.5)
  })
  .map((each) => (each.closest("[id]")?.id ?? "page") + " " + each.tagName + "." + each.className)
  .slice(0, 12)`

/** Text that is cut off without a way to read the rest. */
const cut = `[...document.body.querySelectorAll("button, label, legend, h1, h2, h3, h4, p, summary, .surfaces span, .contents span")]
  .filter((each) => each.checkVisibility() && !each.closest(".unseen"))
  .filter((each) => each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).display !== "inline")
  .map((each) => each.tagName + ": " + each.textContent.slice(0, 60))
  .concat([...document.querySelectorAll("input:placeholder-shown")]
    .filter((each) => each.checkVisibility() && each.scrollWidth > each.clientWidth + 1)
    .map((each) => "placeholder: " + each.placeholder))`

/** Fails with the names of the elements that make the page scroll sideways or that are cut off. */
export const assertNothingSideways = async (tab: Tab, where: string): Promise<void> => {
  assert.deepStrictEqual(await tab.read<ReadonlyArray<string>>(beyond), [], where)
  assert.deepStrictEqual(await tab.read<ReadonlyArray<string>>(cut), [], where)
  const { inner, whole } = await tab.read<{ inner: number; whole: number }>(
    "({ inner: innerWidth, whole: document.documentElement.scrollWidth })"
  )
  assert.isAtMost(whole, inner, where)
}
