/** Tests the contrast between the named colours of the console, in both themes (WCAG 2.2, 1.4.3 and 1.4.11). */
import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { projectRoot } from "../support/migrations.ts"

const themes = ["light", "dark"] as const
type Theme = (typeof themes)[number]

/** The colours by name, such as `muted`, as red, green and blue from 0 to 255. */
const coloursOf = (theme: Theme): ReadonlyMap<string, ReadonlyArray<number>> => {
  const styles = readFileSync(`${projectRoot}src/console/styles.css`, "utf8")
  return new Map(
    [...styles.matchAll(/--([a-z-]+): light-dark\(#(\w{6}), #(\w{6})\)/g)].map(
      ([, name = "", light = "", dark = ""]) => [
        name,
        (theme === "light" ? light : dark).match(/../g)!.map((part) => Number.parseInt(part, 16))
      ]
    )
  )
}

/** How much red, green and blue add to the luminance (WCAG 2.2). */
const weights = [0.2126, 0.7152, 0.0722]

const luminance = (colour: ReadonlyArray<number>): number =>
  colour
    .map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, at) => sum + part * (weights[at] ?? 0), 0)

const contrast = (one: ReadonlyArray<number>, other: ReadonlyArray<number>): number => {
  const [bright = 0, dim = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (bright + 0.05) / (dim + 0.05)
}

const plain = ["page", "panel", "raised"]
const soft = ["accent-soft", "good-soft", "warn-soft", "bad-soft"]

/** The backgrounds on which the console writes with each colour. */
const written: Readonly<Record<string, ReadonlyArray<string>>> = {
  text: [...plain, ...soft],
  muted: [...plain, ...soft],
  accent: [...plain, ...soft],
  good: [...plain, "good-soft"],
  warn: [...plain, "warn-soft"],
  bad: [...plain, "bad-soft"],
  "on-accent": ["accent", "accent-hover"],
  page: ["bad", "bad-hover"]
}

/** The frames of controls and the focus ring, on the backgrounds on which they stand. */
const drawn: Readonly<Record<string, ReadonlyArray<string>>> = { control: plain, accent: [...plain, ...soft] }

/** The pairs of colours with less contrast than `least`, each with its contrast. */
const weakPairs = (theme: Theme, pairs: typeof written, least: number): ReadonlyArray<string> => {
  const colours = coloursOf(theme)
  return Object.entries(pairs).flatMap(([front, grounds]) =>
    grounds.flatMap((ground) => {
      const ratio = contrast(colours.get(front) ?? [], colours.get(ground) ?? [])
      return ratio >= least ? [] : [`${front} on ${ground}: ${ratio.toFixed(2)}`]
    })
  )
}

describe("the colours of the console", () => {
  for (const theme of themes) {
    it(`in the ${theme} theme, every text colour of the console has a contrast of at least 4.5 on each of its backgrounds`, () => {
      assert.deepStrictEqual(weakPairs(theme, written, 4.5), [])
    })

    it(`in the ${theme} theme, the frames of controls and the focus ring have a contrast of at least 3 on each of their backgrounds`, () => {
      assert.deepStrictEqual(weakPairs(theme, drawn, 3), [])
    })
  }
})
