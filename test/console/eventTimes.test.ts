/** The control for the time of the events page: a period that ends now, or chosen days. */
import { assert } from "vitest"
import { describeConsole, it } from "./consoleScene.ts"

describeConsole("the time of the events page", ({ open, pod }) => {
  it("on the events page a person chooses a period that ends now, and the address of the page keeps the name of the period", async () => {
    await pod().owner.mutate("events.log", { type: "period.now", data: {} })
    const page = await open("/events")
    const asked = page.waitForRequest((request) => request.url().includes("fromDate="))
    await page.getByLabel("Time", { exact: true }).selectOption("Last 24 hours")
    const from = new URL((await asked).url()).searchParams.get("fromDate") ?? ""
    assert.closeTo(Date.now() - Date.parse(from), 24 * 3_600_000, 10 * 60_000)
    await page.waitForURL(/last=24h/)
    await page
      .getByRole("region", { name: "Events" })
      .getByRole("link", { name: /period\.now/ })
      .waitFor()
    await page.reload()
    assert.strictEqual(await page.getByLabel("Time", { exact: true }).inputValue(), "24h")
    await page.getByRole("button", { name: "Clear all" }).click()
    await page.waitForURL((url) => !url.searchParams.has("last"))
  })

  it("on the events page, the filters “Since” and “Until” mean days in the person's time zone, and the address of the page contains exact times", async () => {
    const page = await open("/events")
    const session = await page.context().newCDPSession(page)
    await session.send("Emulation.setTimezoneOverride", { timezoneId: "America/New_York" })
    const asked = page.waitForRequest((request) => request.url().includes("until="))
    await page.getByLabel("Time", { exact: true }).selectOption("Chosen days …")
    await page.getByLabel("Since").fill("2027-03-14")
    await page.getByLabel("Until").fill("2027-03-14")
    // In New York this day has 23 hours, because the summer time begins.
    const times = { since: "2027-03-14T05:00:00.000Z", until: "2027-03-15T03:59:59.999Z" }
    await page.waitForURL(({ searchParams }) => searchParams.get("until") === times.until)
    assert.strictEqual(new URL(page.url()).searchParams.get("since"), times.since)
    const { searchParams } = new URL((await asked).url())
    assert.deepStrictEqual([searchParams.get("fromDate"), searchParams.get("until")], [times.since, times.until])
    await page.reload()
    for (const label of ["Since", "Until"]) {
      assert.strictEqual(await page.getByLabel(label).inputValue(), "2027-03-14")
    }
    await session.send("Emulation.setTimezoneOverride", { timezoneId: "Asia/Tokyo" })
    await page.reload()
    assert.deepStrictEqual(
      [await page.getByLabel("Since").inputValue(), await page.getByLabel("Until").inputValue()],
      ["2027-03-14", "2027-03-15"]
    )
    assert.strictEqual(new URL(page.url()).searchParams.get("until"), times.until)
  })
})
