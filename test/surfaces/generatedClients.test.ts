/** Two generators make clients from openapi.json. The long run has the third generator, which takes most time. */
import { describe } from "@effect/vitest"
import { generatedClients } from "./clientGenerators.ts"

describe("generated clients", () => generatedClients(["openapi-typescript", "orval"]))
