/**
 * The records that are hidden from a caller change no byte of the answers to this caller. This test uses one database
 * engine. The long run uses the other engine and the store in memory.
 */
import { describe } from "@effect/vitest"
import { isLong, onOneDatabase } from "../support/storages.ts"
import { differential } from "./differential.ts"

if (isLong) describe("a pod in memory", () => differential(() => ({ kind: "memory" })))
onOneDatabase(differential)
