/**
 * Writes openapi.json from the declared operations. With --check, writes nothing and only checks whether the file is up
 * to date.
 */
import { committedOrWritten } from "./generated.mjs"
import { load } from "./sources.mjs"

const [{ describeApi }] = await load("Description.ts")

committedOrWritten("openapi.json", `${JSON.stringify(describeApi(), null, 2)}\n`)
