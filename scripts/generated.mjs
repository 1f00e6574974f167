/**
 * Writes or checks generated files. A script makes these files from the declarations of the pod, and Git contains them.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { root } from "./install.mjs"

const committed = (file) => {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return undefined
  }
}

/**
 * Writes a generated file. With `--check` on the command line, writes nothing, and fails if the file has another text.
 */
export const committedOrWritten = (name, text) => {
  const file = `${root}${name}`
  if (!process.argv.includes("--check")) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  } else if (committed(file) !== text) {
    process.stderr.write(
      `${name} is not what the declarations say. Run: npm run build && node ${process.argv[1].replace(root, "")}\n`
    )
    process.exit(1)
  }
}
