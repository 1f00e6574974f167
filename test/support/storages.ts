/** The storages of pods in tests: suites of flows run once on each. */
import { anEmbedded } from "./pgliteImage.ts"
import type { Storage } from "./pod.ts"

export const storages: ReadonlyArray<readonly [where: string, storage: Storage]> = [
  ["in memory", { kind: "memory" }],
  ["on PGlite", { kind: "pglite", open: anEmbedded }]
]
