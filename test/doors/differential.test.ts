/**
 * Records that a caller may not see change no byte of its answers, in memory and on a database. The long run asks on the
 * other database engine.
 */
import { describe } from "@effect/vitest"
import { onOneDatabase } from "../support/storages.ts"
import { differential } from "./differential.ts"

describe("on memory", () => differential(() => ({ kind: "memory" })))
onOneDatabase(differential)
