/** The pure rules of notifications: quiet hours, mentions and states. */
import { assert, describe, it } from "@effect/vitest"
import { DateTime, FastCheck } from "effect"
import { mentionedPeople } from "../../../src/features/notifications/Mentions.ts"
import { stateOf } from "../../../src/features/notifications/Notification.ts"
import { quietUntil } from "../../../src/features/notifications/QuietHours.ts"
import { isReservedType } from "../../../src/features/events/ReservedEvents.ts"

const at = (text: string) => DateTime.unsafeMake(text)
const iso = (moment: DateTime.Utc | null) => moment && DateTime.formatIso(moment)

describe("quiet hours for notifications", () => {
  const night = { from: "22:00", to: "07:00", timezone: "Europe/Berlin" }

  it("notifications are held back only during quiet hours, and never for a person without quiet hours", () => {
    assert.isNull(quietUntil(night, at("2026-01-10T12:00:00Z")))
    assert.isNull(quietUntil(night, at("2026-01-10T06:00:00Z"))) // This is 07:00 in Berlin, when the quiet hours end.
    assert.isNull(quietUntil(null, at("2026-01-10T02:00:00Z")))
  })

  it("quiet hours that cross midnight end in the morning of the person's time zone, whether the present time is before or after midnight", () => {
    assert.strictEqual(iso(quietUntil(night, at("2026-01-10T21:00:00Z"))), "2026-01-11T06:00:00.000Z")
    assert.strictEqual(iso(quietUntil(night, at("2026-01-11T05:59:59Z"))), "2026-01-11T06:00:00.000Z")
    const noon = { from: "12:00", to: "13:00", timezone: "Asia/Kolkata" }
    assert.strictEqual(iso(quietUntil(noon, at("2026-01-10T06:45:00Z"))), "2026-01-10T07:30:00.000Z")
  })

  it("if the clocks change in a night, the quiet hours of this night end at the same time of day as in other nights", () => {
    assert.strictEqual(iso(quietUntil(night, at("2026-03-28T22:30:00Z"))), "2026-03-29T05:00:00.000Z")
    assert.strictEqual(iso(quietUntil(night, at("2026-10-24T21:30:00Z"))), "2026-10-25T06:00:00.000Z")
  })

  it("quiet hours always end later than the present time, and at most 26 hours later", () => {
    const minutes = FastCheck.integer({ min: 0, max: 1439 })
    const text = (minute: number) =>
      `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`
    const zones = FastCheck.constantFrom("UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe")
    FastCheck.assert(
      FastCheck.property(
        minutes,
        minutes,
        zones,
        FastCheck.integer({ min: 0, max: 4e12 }),
        (from, to, timezone, ms) => {
          FastCheck.pre(from !== to)
          const now = DateTime.unsafeMake(ms)
          const end = quietUntil({ from: text(from), to: text(to), timezone }, now)
          const hours = end === null ? 1 : DateTime.distance(now, end) / 3_600_000
          assert.isTrue(hours > 0 && hours <= 26, `${hours} hours`)
        }
      ),
      { numRuns: 300 }
    )
  })
})

describe("mentions of people in texts", () => {
  const people = [
    { id: "1", name: "Ann" },
    { id: "2", name: "Ann Lee" },
    { id: "3", name: "Zoë" },
    { id: "4", name: "ann" },
    { id: "5", name: " " }
  ]
  const ids = (text: string) => [...mentionedPeople(text, people)].toSorted()

  it("an e-mail address, a word that only begins with the name of a person, and a name without @ are not mentions of this person", () => {
    assert.deepStrictEqual(ids("write to me@ann.example, @annabel, Ann, @ and @@"), [])
  })

  it("a mention finds a person's name in any letter case, with or without the spaces of the name, and if several names match, the longest name is mentioned", () => {
    assert.deepStrictEqual(ids("@ANN, look"), ["1", "4"])
    assert.deepStrictEqual(ids("(@ann lee)"), ["2"])
    assert.deepStrictEqual(ids("@AnnLee"), ["2"])
    assert.deepStrictEqual(ids("@zoe\u0308!"), ["3"])
  })

  it("the pod looks for mentions only at the first thousand @ signs of a text", () => {
    assert.deepStrictEqual(ids(`${"@x ".repeat(999)}@ann`), ["1", "4"])
    assert.deepStrictEqual(ids(`${"@x ".repeat(1000)}@ann`), [])
  })
})

describe("states of a notification", () => {
  it("the state of a notification is the first state of `dismissed`, `read`, `held` and `unread` that applies, and the state `held` ends with the quiet hours", () => {
    const now = at("2026-01-10T12:00:00Z")
    const later = DateTime.add(now, { hours: 1 })
    const state = (dismissed: boolean, read: boolean, inQuietHours: boolean, isSettled = false) =>
      stateOf(
        { dismissedAt: dismissed ? now : null, readAt: read ? now : null, heldUntil: inQuietHours ? later : null },
        isSettled,
        now
      )
    assert.deepStrictEqual(
      [state(true, true, true), state(false, true, true), state(false, false, true, true), state(false, false, true)],
      ["dismissed", "read", "read", "held"]
    )
    assert.strictEqual(state(false, false, false), "unread")
    assert.strictEqual(stateOf({ dismissedAt: null, readAt: null, heldUntil: now }, false, now), "unread")
  })
})

describe("event types that notify people", () => {
  it("a client cannot log an event whose type causes notifications, in whatever letter case the type is written", () => {
    const types = ["automation.failed", "automation.notify", "webhook.disabled", "ai.nudge.posted", "Automation.Notify"]
    const more = ["notification.create", "notification.update", "proposal.create", "message.create", "document.update"]
    for (const type of [...types, ...more]) assert.isTrue(isReservedType(type), type)
    assert.isFalse(isReservedType("webhook.disabled.noted"))
  })
})
