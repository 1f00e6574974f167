/** The package that `npm pack` makes contains all files that a pod reads, and no development files. */
import { assert, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { isBuiltin } from "node:module"
import { dirname, join } from "node:path"
import { builtServer } from "../support/build.ts"
import { projectRoot } from "../support/migrations.ts"

it("the npm package contains the built pod with all files that it reads, and no sources, tests or development tools", () => {
  const output = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: projectRoot,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"]
  })
  const [{ files }] = JSON.parse(output) as [{ readonly files: ReadonlyArray<{ readonly path: string }> }]
  const paths = files.map(({ path }) => path)
  const needed = [
    "dist/main.js",
    "dist/console/index.html",
    "docs/configuration.md",
    "migrations/0001_",
    "README.md",
    "types/app-router.d.ts",
    "types/hub-routes.d.ts"
  ]
  assert.deepStrictEqual(
    needed.filter((start) => !paths.some((path) => path.startsWith(start))),
    []
  )
  assert.deepStrictEqual(
    paths.filter((path) =>
      /^(?:src|test|bench|scripts|examples)\/|node_modules|\.env$|\.tsx?$/.test(path.replace(/\.d\.ts$/, ""))
    ),
    []
  )
})

it("the built pod imports only packages that npm installs together with the package of the pod", async () => {
  const folder = dirname(await builtServer())
  const programs = readdirSync(folder).filter((name) => /\.[cm]?js$/.test(name))
  const imported = programs.flatMap((name) =>
    [...readFileSync(join(folder, name), "utf8").matchAll(/(?:^import (?:.* from )?|\bimport\()"([^".][^"]*)"/gm)].map(
      ([, id]) => id.split("/", id.startsWith("@") ? 2 : 1).join("/")
    )
  )
  const packages = new Set(imported.filter((name) => !isBuiltin(name)))
  assert.includeMembers([...packages], ["pg", "better-auth", "@electric-sql/pglite"])
  const { dependencies } = JSON.parse(readFileSync(`${projectRoot}package.json`, "utf8")) as {
    readonly dependencies: Readonly<Record<string, string>>
  }
  assert.deepStrictEqual(
    [...packages].filter((name) => !(name in dependencies)),
    []
  )
})
