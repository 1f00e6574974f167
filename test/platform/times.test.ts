/**
 * The pod's own fast functions for times must give the same results as the slower functions of JavaScript and of the
 * PostgreSQL driver.
 */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import pg from "pg"
import { isoTextOf } from "../../src/platform/IsoTime.ts"
import { parseTime } from "../../src/platform/RowTypes.ts"

const day = 86_400_000
const anyTime = FastCheck.oneof(
  FastCheck.date({ noInvalidDate: true }),
  FastCheck.date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true })
).map((date) => date.getTime())

describe("times as texts", () => {
  it.prop(
    "the pod's fast function for the text of a time gives the same text as `Date.toISOString`",
    [anyTime],
    ([ms]) => {
      assert.strictEqual(isoTextOf(ms), new Date(ms).toISOString())
    }
  )

  it("the pod's fast function for the text of a time agrees with `Date.toISOString` at the ends of days, before 1970, and with a full cache", () => {
    for (const ms of [0, -1, 1, day - 1, day, -day, -day - 1, ...Array.from({ length: 1500 }, (_, at) => at * day)]) {
      assert.strictEqual(isoTextOf(ms), new Date(ms).toISOString())
    }
  })

  it("the pod's fast function for the text of a time drops fractions of a millisecond and fails for an invalid time, like `Date.toISOString`", () => {
    for (const ms of [0.5, 1_700_000_000_000.75, -0.5]) assert.strictEqual(isoTextOf(ms), new Date(ms).toISOString())
    for (const none of [Number.NaN, Number.POSITIVE_INFINITY, 8.64e15 + 1])
      assert.throws(() => isoTextOf(none), RangeError)
  })

  const byDriver = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ, "text") as (text: string) => unknown
  const two = (most: number) =>
    FastCheck.integer({ min: 0, max: most }).map((number) => String(number).padStart(2, "0"))
  const sent = FastCheck.tuple(
    FastCheck.integer({ min: 1, max: 20_000 }).map((year) => String(year).padStart(4, "0")),
    FastCheck.integer({ min: 1, max: 12 }).map((month) => String(month).padStart(2, "0")),
    FastCheck.integer({ min: 1, max: 28 }).map((each) => String(each).padStart(2, "0")),
    two(23),
    two(59),
    two(59),
    FastCheck.oneof(FastCheck.constant(""), FastCheck.stringMatching(/^\.[0-9]{1,6}$/)),
    FastCheck.constantFrom("+00", "+00", "+02", "-03:30", "+00 BC", "")
  ).map(
    ([year, month, date, hour, minute, second, part, end]) =>
      `${year}-${month}-${date} ${hour}:${minute}:${second}${part}${end}`
  )

  it.prop(
    "the pod reads a time from a database row with the same result as the PostgreSQL driver",
    [sent],
    ([text]) => {
      assert.deepStrictEqual(parseTime(text), byDriver(text))
    }
  )

  it("if a time from the database is infinity or not a time, the pod reads it with the same result as the PostgreSQL driver", () => {
    for (const text of ["infinity", "-infinity", "", "noon", "2026-01-01", "2026-01-01 00:00:00.1234567+00"]) {
      assert.deepStrictEqual(parseTime(text), byDriver(text))
    }
  })
})
