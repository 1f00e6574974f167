/** Writes openapi.json from the declarations in dist/; with --check only says whether it is up to date. */
import { committedOrWritten } from "./generated.mjs"

const { describeApi } = await import("../dist/Description.js")

committedOrWritten("openapi.json", `${JSON.stringify(describeApi(), null, 2)}\n`)
