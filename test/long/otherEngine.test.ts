/**
 * Runs the longest tests of access on the storages that `npm test` leaves out. In memory, every caller calls every
 * operation. On PGlite, a few callers do this, and hidden rows must not change any answer.
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
