/** `npm start` looks whether the port is free before it builds what takes long. */
import { assert, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { cpSync, mkdirSync, symlinkSync } from "node:fs"
import { createServer } from "node:net"
import type { AddressInfo } from "node:net"
import { aFolder } from "../support/builtPod.ts"
import { projectRoot } from "../support/migrations.ts"

/** Makes a project without a build, as a clone of the repository after `npm ci`. */
const anUnbuiltProject = (path: string): void => {
  const isSource = (source: string) => !source.endsWith("/node_modules")
  for (const name of ["src", "scripts", "migrations"]) {
    cpSync(projectRoot + name, `${path}/${name}`, { recursive: true, filter: isSource })
  }
  for (const name of ["package.json", "package-lock.json"]) cpSync(projectRoot + name, `${path}/${name}`)
  for (const name of ["node_modules", "test", "src/console/node_modules"]) {
    symlinkSync(projectRoot + name, `${path}/${name}`)
  }
}

describe("`npm start` of a new clone", () => {
  it("if the port is in use, `npm start` says so before it builds the console, names the process, and ends with exit code 3", async () => {
    const folder = aFolder()
    anUnbuiltProject(folder.path)
    mkdirSync(`${folder.path}/work`)
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve))
    const { port } = other.address() as AddressInfo // the server listens on TCP, so its address has a port
    const start = spawn(process.execPath, [`${folder.path}/scripts/start.mjs`], {
      cwd: `${folder.path}/work`,
      stdio: ["ignore", "ignore", "pipe"],
      env: { PATH: process.env["PATH"] ?? "", HOME: folder.path, POD_PORT: String(port) }
    })
    let errors = ""
    start.stderr.on("data", (part: Buffer) => (errors += part.toString()))
    const code = await new Promise((resolve) => start.once("close", resolve))
    other.close()
    assert.strictEqual(code, 3, errors)
    assert.include(errors, `Port ${port} is in use by pid ${process.pid}`)
    assert.include(errors, "Building the pod")
    assert.notInclude(errors, "Building the console")
    folder.remove()
  })
})
