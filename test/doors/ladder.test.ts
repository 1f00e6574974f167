/** The gate decides on random writes as the model does. The long run tests about twice as many writes. */
import { describe } from "@effect/vitest"
import { decidesAsTheModel } from "./ladderLaw.ts"

describe("the governance gate decides about random writes", () => decidesAsTheModel(3_000))
