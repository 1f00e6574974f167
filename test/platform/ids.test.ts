/** Tests the ids that the pod makes: their order, their format, and the creation time in them. */
import { assert, describe, it } from "@effect/vitest"
import { highestId, idRange, isUuid, lowestId, lowestIdAt, msOfId, uuidv7 } from "../../src/platform/Ids.ts"

describe("identifiers of records", () => {
  it("ids sort in the order in which they were created, even within one millisecond, and no two ids are equal", () => {
    const made = Array.from({ length: 20_000 }, () => uuidv7())
    assert.deepStrictEqual(made.toSorted(), made)
    assert.strictEqual(new Set(made).size, made.length)
  })

  it("every id is a UUID of version 7 that contains its creation time", () => {
    const before = Date.now()
    const id = uuidv7()
    assert.isTrue(isUuid(id))
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    const idTimeMs = parseInt(id.replace("-", "").slice(0, 12), 16)
    // The test above can use up the counter of a millisecond. The next ids then have a time that is ahead of the clock.
    assert.isAtLeast(idTimeMs, before)
    assert.isAtMost(idTimeMs, Date.now() + 20)
  })

  it("the lowest id of a millisecond is higher than every id from earlier milliseconds, and not higher than any id from this millisecond", () => {
    const id = uuidv7()
    assert.isTrue(lowestIdAt(msOfId(id)) <= id)
    assert.isTrue(lowestIdAt(msOfId(id) + 1) > id)
    assert.strictEqual(msOfId(lowestIdAt(1_700_000_000_000)), 1_700_000_000_000)
    assert.isTrue(isUuid(lowestIdAt(msOfId("ffffffff-ffff-ffff-ffff-ffffffffffff") + 1)))
  })

  it("the range of ids for a prefix contains exactly the ids that begin with this prefix", () => {
    const id = uuidv7()
    assert.deepStrictEqual(idRange(id), { first: id, last: id })
    assert.deepStrictEqual(idRange(id.toUpperCase()), { first: id, last: id })
    assert.deepStrictEqual(idRange("ABCD1234-0"), {
      first: "abcd1234-0000-0000-0000-000000000000",
      last: "abcd1234-0fff-ffff-ffff-ffffffffffff"
    })
    assert.deepStrictEqual(idRange(""), { first: lowestId, last: highestId })
    for (const none of ["abcd%", "____", "abcd-", "abcd12345", "'", `${id}0`, `${id} `]) {
      assert.deepStrictEqual(idRange(none), { first: highestId, last: lowestId }, none)
    }
  })
})
