/** Tests how long the tab keeps the token of an invitation link while the person signs in. */
import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import { forgetLinkToken, keepLinkToken, keptLinkToken } from "../../src/console/screens/setup/keptLinkToken.ts"

const minuteMs = 60_000

describe("the token of an invitation link that the tab keeps", () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => {
    forgetLinkToken()
    vi.useRealTimers()
  })

  it("the tab keeps the token of an invitation link for 15 minutes and no longer", () => {
    keepLinkToken("a token")
    vi.advanceTimersByTime(15 * minuteMs - 1)
    assert.strictEqual(keptLinkToken(), "a token")
    vi.advanceTimersByTime(1)
    assert.strictEqual(keptLinkToken(), "")
  })

  it("the token of a second invitation link replaces the first token and its time limit, and the tab can forget the token at once", () => {
    keepLinkToken("first")
    vi.advanceTimersByTime(10 * minuteMs)
    keepLinkToken("second")
    vi.advanceTimersByTime(10 * minuteMs)
    assert.strictEqual(keptLinkToken(), "second")
    forgetLinkToken()
    assert.strictEqual(keptLinkToken(), "")
  })
})
