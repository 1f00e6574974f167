/** Tests the days and times of the filters of events. The tests hold in every time zone. */
import { assert, describe, it } from "vitest"
import { dayOf, endOfDay, startOfDay, timeIn } from "../../src/console/ui/localDays.ts"

describe("the days of the filters of events", () => {
  it("if a text is not a calendar day, the events page does not convert it to the first or the last moment of a day", () => {
    for (const text of ["", "tomorrow", "2027-2-3", "2027-02-28T00:00:00Z"]) {
      assert.deepStrictEqual([startOfDay(text), endOfDay(text)], [undefined, undefined], text)
    }
  })

  it("if the value of a time filter in the address of the events page is not a time, the console ignores the filter", () => {
    for (const value of [undefined, "", 7, "soon"]) assert.isUndefined(timeIn(value, startOfDay))
  })

  it("the first and the last moment of a day belong to this day, and the next moment begins the next day", () => {
    for (const [day, next] of [
      ["2027-02-28", "2027-03-01"],
      ["2027-03-28", "2027-03-29"],
      ["2027-12-31", "2028-01-01"]
    ] as const) {
      assert.deepStrictEqual([dayOf(startOfDay(day)), dayOf(endOfDay(day))], [day, day])
      assert.strictEqual(new Date(Date.parse(endOfDay(day) ?? "") + 1).toISOString(), startOfDay(next))
    }
  })

  it("the address of the events page can contain an exact time, or a day, which means the first or the last moment of this day", () => {
    assert.strictEqual(timeIn("2027-03-01T02:00:00+02:00", startOfDay), "2027-03-01T00:00:00.000Z")
    assert.strictEqual(timeIn("2027-03-01", startOfDay), startOfDay("2027-03-01"))
    assert.strictEqual(timeIn("2027-03-01", endOfDay), endOfDay("2027-03-01"))
    assert.strictEqual(dayOf(undefined), "")
  })
})
