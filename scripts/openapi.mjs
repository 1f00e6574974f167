/** Writes openapi.json from the declarations; with --check only says whether it is up to date. */
import { committedOrWritten } from "./generated.mjs"
import { load } from "./sources.mjs"

const [{ describeApi }] = await load("Description.ts")

committedOrWritten("openapi.json", `${JSON.stringify(describeApi(), null, 2)}\n`)
