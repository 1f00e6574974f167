/** The gate decides random writes as the model does; the long run asks about twice as many. */
import { describe } from "@effect/vitest"
import { decidesAsTheModel } from "./ladderLaw.ts"

describe("the gate decides a random write", () => decidesAsTheModel(3_000))
