/** A pod on the embedded database that is killed while its rules run. `npm run test:long` does the same on PostgreSQL. */
import { describe, it } from "@effect/vitest"
import { killedWhileRunning } from "../support/killedRules.ts"

describe("a pod on PGlite that is killed while its rules run", () => {
  it("after its restart a killed pod on PGlite does every step of every run once", () => killedWhileRunning({}))
})
