import { defineConfig } from "vitest/config"
import { LongestFirst } from "./test/support/longestFirst.ts"
import { useMemory } from "./test/support/temporaryFolder.ts"

useMemory()

/** Makes the configuration of a run of these test files. */
export const suitesOf = (include: Array<string>, exclude: ReadonlyArray<string> = []) =>
  defineConfig({
    test: {
      include,
      exclude: [...exclude, "**/node_modules/**"],
      globalSetup: ["test/support/globalSetup.ts"],
      sequence: { sequencer: LongestFirst },
      // The limit only ends a test that hangs. A slow test does not reach it. No test file sets a limit of its own, because without
      // isolation `vi.setConfig` changes only the first file of each process.
      testTimeout: 240_000,
      hookTimeout: 240_000,
      pool: "forks",
      // A test file waits half of its time for a database or a child process, so three processes keep two cores busy.
      // Test files keep no state in modules, so each process loads a module once and not again for every file.
      // The code of the embedded database is not optimized, because the optimization would take longer than it saves in the tests.
      // Each process collects garbage in one thread. With more threads, three processes would wait for each other on two cores.
      poolOptions: {
        forks: {
          minForks: 3,
          maxForks: 3,
          isolate: false,
          execArgv: ["--max-semi-space-size=64", "--liftoff-only", "--single-threaded-gc"]
        }
      },
      reporters: ["default"]
    }
  })

export const inBrowser = ["test/console/**", "test/browser/**"]

/** The test files that run what the documentation shows. */
export const ofDocs = "test/docs/*.test.ts"

/**
 * `npm test`: runs all tests except the long ones and those of `npm run check`: the tests that need a browser
 * (vitest.browser.config.ts) and the tests of the documentation (vitest.docs.config.ts).
 */
export default suitesOf(["test/**/*.test.ts"], ["test/long/**", ofDocs, ...inBrowser])
