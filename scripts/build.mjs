/** Builds dist/ from src/, unless what is there was built from these very sources. */
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { pathToFileURL } from "node:url"
import { root, run } from "./install.mjs"

const marker = `${root}dist/.built-from`

const sourcesDigest = () => {
  const digest = createHash("sha256")
  const files = readdirSync(`${root}src`, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"))
  for (const name of files.sort()) digest.update(name).update(readFileSync(`${root}src/${name}`))
  for (const name of ["tsconfig.json", "tsconfig.build.json", "package-lock.json"]) {
    digest.update(readFileSync(`${root}${name}`))
  }
  return digest.digest("hex")
}

export const build = () => {
  const digest = sourcesDigest()
  if (existsSync(marker) && readFileSync(marker, "utf8") === digest) return
  process.stdout.write("  Building …\n")
  rmSync(`${root}dist`, { recursive: true, force: true })
  run(process.execPath, [`${root}node_modules/typescript/bin/tsc`, "-p", "tsconfig.build.json"])
  writeFileSync(marker, digest)
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) build()
