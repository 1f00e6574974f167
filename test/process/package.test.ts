/** What `npm pack` puts into the package: everything that a pod reads, and nothing of the workshop. */
import { assert, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { projectRoot } from "../support/migrations.ts"

it("the package has the built pod with all that it reads, and no sources, tests or development tools", () => {
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
    "types/app-router.d.ts"
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
