/**
 * Records that a caller may not see change no byte of its answers, on a database. The long run asks on the other database
 * engine, and in memory.
 */
import { describe } from "@effect/vitest"
import { isLong, onOneDatabase } from "../support/storages.ts"
import { differential } from "./differential.ts"

if (isLong) describe("on memory", () => differential(() => ({ kind: "memory" })))
onOneDatabase(differential)
