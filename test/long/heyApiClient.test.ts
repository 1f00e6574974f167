/** The third generator of clients. `npm test` has the other two. */
import { describe } from "@effect/vitest"
import { generatedClients } from "../surfaces/clientGenerators.ts"

describe("the client of @hey-api/openapi-ts", () => generatedClients(["@hey-api/openapi-ts"]))
