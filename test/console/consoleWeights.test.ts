/** The built console stays small enough for a slow network. */
import { assert, describe, it } from "vitest"
import { consoleWeights } from "../../scripts/consoleWeights.mjs"
import { projectRoot } from "../support/migrations.ts"

// Bytes of the files compressed with gzip.
const firstMax = 300_000
const lazyMax = 60_000

describe("the size of the built console", () => {
  const { first, lazy } = consoleWeights(`${projectRoot}dist/console`)

  it("the first page of the console loads at most 300 kB of compressed JavaScript", () => {
    // A smaller number means that the test no longer finds the files.
    assert.isAbove(first.gzipBytes, 100_000)
    assert.isAtMost(first.gzipBytes, firstMax)
  })

  it("each part of the console that is loaded later has at most 60 kB of compressed JavaScript", () => {
    assert.include(
      lazy.map(({ name }) => name.split("-")[0]),
      "InboxPage"
    )
    assert.deepStrictEqual(
      lazy.filter(({ gzipBytes }) => gzipBytes > lazyMax),
      []
    )
  })
})
