/**
 * Tests the queue of decisions on proposals: a person can take a decision back until the console sends it to the pod.
 */
import { assert, beforeEach, afterEach, describe, it, vi } from "vitest"
import { type QueuedDecision, DecisionQueue, type Outcome } from "../../src/console/screens/inbox/DecisionQueue.ts"

const proposal = (id: string): QueuedDecision => ({
  id,
  summary: `Change ${id}`,
  revision: 1,
  contentHash: `hash of ${id}`
})

describe("the queue of decisions in the inbox", () => {
  let sent: Array<string>
  let outcomes: Array<ReadonlyArray<Outcome>>
  let queue: DecisionQueue
  beforeEach(() => {
    vi.useFakeTimers()
    sent = []
    outcomes = []
    queue = new DecisionQueue({
      waitMs: 5_000,
      send: (verb, { id }) => {
        sent.push(`${verb} ${id}`)
        return id === "bad" ? Promise.reject(new Error("refused")) : Promise.resolve()
      },
      onOutcomes: (each) => outcomes.push(each)
    })
  })
  afterEach(() => void vi.useRealTimers())

  it("the inbox sends a decision to the pod when the time to undo it is over, and not earlier", async () => {
    queue.decide({ verb: "approve", proposals: [proposal("a")] })
    await vi.advanceTimersByTimeAsync(4_999)
    assert.deepStrictEqual(sent, [])
    await vi.advanceTimersByTimeAsync(1)
    assert.deepStrictEqual(sent, ["approve a"])
  })

  it("the inbox never sends a decision that was undone, and shows the proposals of the decision again", async () => {
    const undo = queue.decide({ verb: "reject", proposals: [proposal("a")] })
    assert.deepStrictEqual([...queue.ids()], ["a"])
    assert.isTrue(undo())
    assert.deepStrictEqual([...queue.ids()], [])
    await vi.advanceTimersByTimeAsync(10_000)
    assert.deepStrictEqual(sent, [])
  })

  it("undo in the inbox takes back the latest decision first, and never a decision that was already sent to the pod", async () => {
    queue.decide({ verb: "approve", proposals: [proposal("a")] })
    await vi.advanceTimersByTimeAsync(3_000)
    queue.decide({ verb: "approve", proposals: [proposal("b")] })
    assert.strictEqual(queue.undoLast()?.proposals[0]?.id, "b")
    await vi.advanceTimersByTimeAsync(2_000)
    assert.isUndefined(queue.undoLast())
    assert.deepStrictEqual(sent, ["approve a"])
  })

  it("the inbox sends all waiting decisions to the pod when the person leaves the page", async () => {
    queue.decide({ verb: "approve", proposals: [proposal("a"), proposal("b")] })
    queue.decide({ verb: "reject", proposals: [proposal("c")] })
    const left = queue.flush()
    assert.deepStrictEqual(sent, ["approve a", "approve b", "reject c"])
    await left
    await vi.advanceTimersByTimeAsync(10_000)
    assert.lengthOf(sent, 3)
  })

  it("the inbox shows one list of outcomes for a batch of decisions, with the reason of each failure", async () => {
    queue.decide({ verb: "approve", proposals: [proposal("a"), proposal("bad"), proposal("c")] })
    await vi.advanceTimersByTimeAsync(5_000)
    assert.lengthOf(outcomes, 1)
    assert.deepStrictEqual(
      outcomes[0]?.map(({ failure, proposal: { id } }) => [id, failure === undefined]),
      [
        ["a", true],
        ["bad", false],
        ["c", true]
      ]
    )
  })

  it("the inbox hides decided proposals until the pod no longer lists them", async () => {
    queue.decide({ verb: "approve", proposals: [proposal("a")] })
    await vi.advanceTimersByTimeAsync(5_000)
    assert.deepStrictEqual([...queue.ids()], ["a"])
    queue.forget(["a"])
    assert.deepStrictEqual([...queue.ids()], [])
  })

  it("the queue of decisions in the inbox calls each of its listeners at each change", () => {
    let changes = 0
    const stop = queue.subscribe(() => changes++)
    const undo = queue.decide({ verb: "approve", proposals: [proposal("a")] })
    undo()
    stop()
    queue.decide({ verb: "approve", proposals: [proposal("b")] })
    assert.strictEqual(changes, 2)
  })
})
