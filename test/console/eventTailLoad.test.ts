/**
 * The live tail (the list of the newest events) under 200 events a second. A script in the page simulates the stream,
 * so that only the console is measured. POD_MEASURE=1 also checks the longest task, which needs a machine without other
 * work.
 */
import { assert } from "vitest"
import { playedTail } from "../../scripts/playedTail.mjs"
import { describeConsole, it } from "./consoleScene.ts"

const perSecond = 200
const seconds = 5

describeConsole("the live tail of events under load", ({ open, pod }) => {
  it("the live tail shows every event of a fast stream, and the page contains only a few rows at a time", async () => {
    const page = await open("/")
    await page.getByRole("heading", { name: "Home" }).waitFor()
    await page.addInitScript(playedTail(perSecond, seconds))
    await page.goto(`${pod().baseUrl}/admin/events`)
    await page.getByText(`${perSecond * seconds} events shown`).waitFor({ timeout: 60_000 })
    assert.isBelow(await page.getByRole("region", { name: "Events" }).getByRole("listitem").count(), 40)
    const longest = Number(await page.evaluate("window.longest"))
    if (process.env["POD_MEASURE"] === "1") {
      process.stdout.write(`longest task of the tail: ${longest} ms\n`)
      assert.isAtMost(longest, 100)
    }
  })
})
