/**
 * Generators make clients from openapi.json. Each generator accepts the document, and its output compiles under
 * `strict`.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { projectRoot } from "../support/migrations.ts"
import { text } from "../surfaces/promises.ts"

const run = promisify(execFile)
const clientPackages = `${projectRoot}test/clients/node_modules/`

/** The compiler checks every type of the generated code, but no type of a library. */
const settings = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: "ES2022",
    module: "ESNext",
    moduleResolution: "Bundler",
    lib: ["ES2022", "DOM", "DOM.Iterable"],
    types: []
  },
  include: ["**/*.ts"]
}

/** The arguments for Node that run each generator in the folder of its client. */
const generators = {
  "openapi-typescript": [`${clientPackages}openapi-typescript/bin/cli.js`, "openapi.json", "-o", "out/schema.ts"],
  "@hey-api/openapi-ts": [
    `${clientPackages}@hey-api/openapi-ts/bin/run.js`,
    "-i",
    "openapi.json",
    "-o",
    "out",
    "-p",
    "@hey-api/typescript",
    "@hey-api/sdk",
    "@hey-api/client-fetch"
  ],
  orval: [
    `${projectRoot}node_modules/orval/dist/bin/orval.js`,
    "--input",
    "openapi.json",
    "--output",
    "out/client.ts",
    "--client",
    "fetch"
  ]
} satisfies Readonly<Record<string, ReadonlyArray<string>>>

describe("generated clients", () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "pod-clients-"))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  for (const [name, generator] of Object.entries(generators)) {
    it(`the generator ${name} makes a client from openapi.json`, async () => {
      const place = join(folder, name.replaceAll(/\W/g, ""))
      mkdirSync(place)
      writeFileSync(join(place, "openapi.json"), text)
      await run(process.execPath, generator, { cwd: place })
      const made = readdirSync(place, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"))
      assert.isAbove(made.length, 0)
    })
  }

  it("the clients that the generators make from openapi.json compile with the compiler setting `strict`", async () => {
    // One compiler checks all clients, because it reads the types of the language only once.
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings))
    const compiler = [`${projectRoot}node_modules/typescript/bin/tsc`, "-p", "."]
    const { stdout } = await run(process.execPath, compiler, { cwd: folder }).catch(
      (cause: { stdout: string }) => cause
    )
    assert.strictEqual(stdout, "")
  })
})
