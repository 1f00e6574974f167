/** Builds the console into dist/console, and compresses the files that browsers load. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname } from "node:path"
import { brotliCompressSync, gzipSync } from "node:zlib"
import { root, run } from "./install.mjs"

const folder = `${root}dist/console`
const isPacked = (name) => /\.(js|css|svg)$/.test(name)

export const buildConsole = () => {
  // The console has its own version of Vite, because the tests need an older version.
  const vite = dirname(createRequire(`${root}src/console/package.json`).resolve("vite/package.json"))
  run(
    process.execPath,
    [`${vite}/bin/vite.js`, "build", "--config", "src/console/vite.config.ts", "--logLevel", "warn"],
    {
      // Without this, a test run would build with its own NODE_ENV.
      env: { ...process.env, NODE_ENV: "production" },
      // On a terminal Vite clears the line on which it is, also if it has nothing to say. That line is the progress
      // message of the build. Vite writes its warnings and errors to standard error.
      stdio: ["ignore", "ignore", "inherit"]
    }
  )
  for (const { name, parentPath } of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!isPacked(name)) continue
    const bytes = readFileSync(`${parentPath}/${name}`)
    writeFileSync(`${parentPath}/${name}.br`, brotliCompressSync(bytes))
    writeFileSync(`${parentPath}/${name}.gz`, gzipSync(bytes, { level: 9 }))
  }
}
