import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/long/**/*.test.ts"],
    provide: { suitesOnPglite: true },
    globalSetup: ["test/support/globalSetup.ts"],
    testTimeout: 600_000,
    hookTimeout: 120_000,
    pool: "forks",
    // One after the other: each of them loads the machine by itself, and measures what that does.
    fileParallelism: false,
    reporters: ["verbose"]
  }
})
