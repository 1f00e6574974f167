/** Tests which events the live tail (the list of the newest events) contains. */
import { assert, describe, it } from "vitest"
import type { PodEvent } from "../../src/console/api/stream.ts"
import {
  emptyTail,
  isWanted,
  showWaitingRows,
  rowsMax,
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

describe("the live tail of events", () => {
  it("the live tail of events shows each event once and the newest event first, even if an event comes from both the event log and the stream", () => {
    const live = withArrived(emptyTail, rows("3", "4"), false)
    const whole = withOlder(live, [event("4"), event("3"), event("2")])
    assert.deepStrictEqual(idsOf(withArrived(whole, rows("4", "5"), false).rows), ["5", "4", "3", "2"])
  })

  it("while the live tail of events is paused, it does not move but counts new events, and it shows the new events when the person continues", () => {
    const paused = withArrived(withArrived(withOlder(emptyTail, [event("1")]), rows("2"), true), rows("2", "3"), true)
    assert.deepStrictEqual([idsOf(paused.rows), idsOf(paused.waitingRows)], [["1"], ["3", "2"]])
    assert.deepStrictEqual(idsOf(showWaitingRows(paused).rows), ["3", "2", "1"])
    assert.deepStrictEqual(showWaitingRows(paused).waitingRows, [])
    assert.deepStrictEqual(idsOf(withArrived(paused, rows("4"), false).rows), ["4", "3", "2", "1"])
  })

  it("the live tail drops its oldest events when it has more than its maximum number of events, even while it is paused", () => {
    const many = rows(...Array.from({ length: rowsMax + 10 }, (_, at) => String(at)))
    assert.lengthOf(withArrived(emptyTail, many, false).rows, rowsMax)
    const paused = withArrived(withArrived(emptyTail, rows("old"), false), many, true)
    assert.lengthOf(paused.waitingRows, rowsMax)
    assert.lengthOf(showWaitingRows(paused).rows, rowsMax)
    assert.notInclude(idsOf(showWaitingRows(paused).rows), "old")
  })

  it("the live tail leaves out events that do not match a filter, even if the event stream of the pod does not support this filter", () => {
    assert.isTrue(isWanted({}, event("1")))
    assert.isFalse(isWanted({ source: "sync" }, event("1")))
    assert.isFalse(isWanted({ subjectId: "s" }, event("1")))
    assert.isFalse(isWanted({ actorId: "somebody else" }, event("1")))
    assert.isFalse(isWanted({ metadataKind: "any" }, event("1")))
    assert.isTrue(isWanted({ metadataKind: "any" }, event("1", { metadata: { kind: "ai", agent: "m" } })))
    assert.isFalse(isWanted({ until: "2026-12-31T23:59:59.999Z" }, event("1")))
    assert.isTrue(isWanted({ until: "2027-01-01T00:00:00.000Z" }, event("1")))
    assert.isTrue(isWanted({ subjectId: "s", source: "api" }, event("1", { subjectId: "s" })))
  })
})
