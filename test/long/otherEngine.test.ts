/**
 * Runs the longest comparisons of answers between storages: on PGlite, and in memory with every caller. `npm test`
 * compares only a part of the pairs of operations and callers.
 */
import { describe } from "@effect/vitest"
import { differential } from "../doors/differential.ts"
import { aFew, doorWalk } from "../doors/doorWalk.ts"
import { anEmbedded } from "../support/pgliteImage.ts"
import type { Storage } from "../support/pod.ts"

const storage = (): Storage => ({ kind: "pglite", open: anEmbedded })

describe("access to every operation of a pod in memory", () => doorWalk(() => ({ kind: "memory" }), {}))
describe("access to every operation of a pod on PGlite", () => doorWalk(storage, { only: aFew }))
describe("hidden rows change no answer on PGlite", () => differential(storage))
