/** Writes openapi.json from the declarations in dist/; with --check only says whether it is up to date. */
import { readFileSync, writeFileSync } from "node:fs"
import { root } from "./install.mjs"

const { describeApi } = await import("../dist/Description.js")

const file = `${root}openapi.json`
const current = `${JSON.stringify(describeApi(), null, 2)}\n`

const committed = () => {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return undefined
  }
}

if (!process.argv.includes("--check")) writeFileSync(file, current)
else if (committed() !== current) {
  process.stderr.write(
    "openapi.json is not what the declarations say. Run: npm run build && node scripts/openapi.mjs\n"
  )
  process.exit(1)
}
