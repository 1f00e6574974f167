/** The rows of the live tail of events. */
import { assert, describe, it } from "vitest"
import type { PodEvent } from "../../src/console/api/stream.ts"
import {
  emptyTail,
  isWanted,
  released,
  rowsMost,
  type TailRow,
  withArrived,
  withOlder
} from "../../src/console/screens/events/tail.ts"

const event = (id: string, more: Partial<PodEvent> = {}): PodEvent => ({
  id,
  version: "v1",
  type: "test.happened",
  data: {},
  userId: "u",
  actorId: "u",
  source: "api",
  workspaceId: null,
  seq: 1,
  timestamp: "2027-01-01T00:00:00.000Z",
  correlationId: "c",
  ...more
})
const rows = (...ids: ReadonlyArray<string>): ReadonlyArray<TailRow> =>
  ids.map((id) => ({ kind: "event", id, event: event(id) }))
const idsOf = (all: ReadonlyArray<TailRow>) => all.map(({ id }) => id)

describe("the tail", () => {
  it("the live tail shows each event once and the newest first, also if the log and the stream both have the event", () => {
    const live = withArrived(emptyTail, rows("3", "4"), false)
    const whole = withOlder(live, [event("4"), event("3"), event("2")])
    assert.deepStrictEqual(idsOf(withArrived(whole, rows("4", "5"), false).rows), ["5", "4", "3", "2"])
  })

  it("a paused tail does not move, counts the new events, and shows them when the person continues", () => {
    const held = withArrived(withArrived(withOlder(emptyTail, [event("1")]), rows("2"), true), rows("2", "3"), true)
    assert.deepStrictEqual([idsOf(held.rows), idsOf(held.held)], [["1"], ["3", "2"]])
    assert.deepStrictEqual(idsOf(released(held).rows), ["3", "2", "1"])
    assert.deepStrictEqual(released(held).held, [])
    assert.deepStrictEqual(idsOf(withArrived(held, rows("4"), false).rows), ["4", "3", "2", "1"])
  })

  it("the tail drops the oldest events beyond its length, also while it is paused", () => {
    const many = rows(...Array.from({ length: rowsMost + 10 }, (_, at) => String(at)))
    assert.lengthOf(withArrived(emptyTail, many, false).rows, rowsMost)
    const held = withArrived(withArrived(emptyTail, rows("old"), false), many, true)
    assert.lengthOf(held.held, rowsMost)
    assert.lengthOf(released(held).rows, rowsMost)
    assert.notInclude(idsOf(released(held).rows), "old")
  })

  it("the tail leaves out events that do not match a filter, also if the stream cannot filter by it", () => {
    assert.isTrue(isWanted({}, event("1")))
    assert.isFalse(isWanted({ source: "sync" }, event("1")))
    assert.isFalse(isWanted({ subjectId: "s" }, event("1")))
    assert.isTrue(isWanted({ subjectId: "s", source: "api" }, event("1", { subjectId: "s" })))
  })
})
