/** Measures the built console: the JavaScript that every visit loads, and what each later part loads in addition. */
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"

/** Returns the names of a JavaScript file of the console and of all files that it loads before it runs. */
const staticFiles = (folder, name, known = new Set()) => {
  if (known.has(name)) return known
  known.add(name)
  const text = readFileSync(join(folder, name), "utf8")
  for (const [, found] of text.matchAll(/(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g))
    staticFiles(folder, found, known)
  return known
}

/**
 * Measures the console in a folder such as `dist/console`. `lazy` has each JavaScript file that the first page does not
 * load, together with the further files that this file loads. The heaviest comes first.
 */
export const consoleWeights = (console) => {
  const folder = join(console, "assets")
  const weight = (name, files) => {
    const size = (ending) => files.reduce((sum, file) => sum + statSync(join(folder, file) + ending).size, 0)
    return { name, gzipBytes: size(".gz"), brotliBytes: size(".br") }
  }
  const page = readFileSync(join(console, "index.html"), "utf8")
  const linked = [...page.matchAll(/assets\/([\w.-]+\.js)/g)].map(([, name]) => name)
  const first = new Set(linked.flatMap((name) => [...staticFiles(folder, name)]))
  const files = readdirSync(folder)
  return {
    first: weight("scripts", [...first]),
    styles: weight(
      "styles",
      files.filter((name) => name.endsWith(".css"))
    ),
    lazy: files
      .filter((name) => name.endsWith(".js") && !first.has(name))
      .map((name) =>
        weight(
          name,
          [...staticFiles(folder, name)].filter((each) => !first.has(each))
        )
      )
      .toSorted((one, other) => other.gzipBytes - one.gzipBytes)
  }
}
