/** Over 100,000 random writes are decided by the gate as by the model. */
import { describe } from "@effect/vitest"
import { decidesAsTheModel } from "../doors/ladderLaw.ts"

describe("the gate decides a random write", () => decidesAsTheModel(6_000))
