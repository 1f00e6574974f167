/** The gate and the test model decide on more than 100,000 random writes, and their decisions must be the same. */
import { describe } from "@effect/vitest"
import { decidesAsTheModel } from "../doors/ladderLaw.ts"

describe("the governance gate decides about random writes", () => decidesAsTheModel(6_000))
