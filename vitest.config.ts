import { defineConfig } from "vitest/config"
import { LongestFirst } from "./test/support/longestFirst.ts"
import { useMemory } from "./test/support/temporaryFolder.ts"

useMemory()

/** The suites of these files. */
export const suitesOf = (include: Array<string>, exclude: ReadonlyArray<string> = []) =>
  defineConfig({
    test: {
      include,
      exclude: [...exclude, "**/node_modules/**"],
      globalSetup: ["test/support/globalSetup.ts"],
      sequence: { sequencer: LongestFirst },
      // A limit ends a suite that hangs; no suite is judged by its time. It stands here alone, because without isolation `vi.setConfig`
      // changes only the first file of each process.
      testTimeout: 240_000,
      hookTimeout: 240_000,
      pool: "forks",
      // Half of the time of a suite is waiting for a database or a child process: three at once, for two cores.
      // A suite keeps nothing in its modules, so each process evaluates them once and not for every file.
      // The embedded database is not optimized, because to compile it takes longer than what the suites ask of it.
      // Garbage is collected in one thread: the threads of three processes would wait for each other on two cores.
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

/** `npm test`. The pages have suites of their own (vitest.browser.config.ts), so that these ones need no browser. */
export default suitesOf(["test/**/*.test.ts"], ["test/long/**", ...inBrowser])
