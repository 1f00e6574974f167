/** For the parts of one long test: each lives its sequences in a process of its own, without any database. */
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
