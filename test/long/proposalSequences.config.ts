/** The configuration for the parts of one long test: each runs its sequences in its own process, without a database. */
import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/features/proposals/sequences.test.ts"],
    testTimeout: 3_600_000,
    pool: "threads",
    poolOptions: { threads: { singleThread: true } },
    reporters: ["default"]
  }
})
