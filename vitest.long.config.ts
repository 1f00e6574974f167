import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/long/**/*.test.ts"],
    provide: { suitesOnPglite: true },
    globalSetup: ["test/support/globalSetup.ts"],
    testTimeout: 600_000,
    hookTimeout: 120_000,
    pool: "forks",
    // The test files run one after another, because each file needs the whole machine for its measurements.
    fileParallelism: false,
    reporters: ["verbose"]
  }
})
