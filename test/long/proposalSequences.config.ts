/**
 * The Vitest configuration for the parts of one long test. Each part runs its sequences in a separate process, without
 * a database.
 */
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
