/** `npm run check`: runs every check of the sources and of the built pod, and lists the failed checks at the end. */
import { spawnSync } from "node:child_process"
import { build } from "./build.mjs"
import { install, root } from "./install.mjs"

install()

const bin = (name) => `${root}node_modules/.bin/${name}`
const steps = [
  // If npm installs the packages without running scripts, the compiler is not patched for Effect. An unpatched compiler
  // would miss half of the mistakes. So this check patches the compiler.
  ["the compiler knows Effect", process.execPath, [`${root}scripts/prepare.mjs`]],
  ["types, with Effect's own", bin("tsc"), ["-p", "."]],
  ["types of the console", bin("tsc"), ["-p", "src/console"]],
  ["types of the tests of the console", bin("tsc"), ["-p", "test/console"]],
  ["the guide of ARCHITECTURE.md compiles", process.execPath, [`${root}scripts/guide.mjs`]],
  ["messages of commits", process.execPath, [`${root}scripts/commitMessages.mjs`]],
  ["lint", bin("oxlint"), ["--type-aware", "--deny-warnings"]],
  ["format", bin("oxfmt"), ["--check"]],
  ["dead code", bin("knip"), []],
  [
    "house rules and generated references",
    bin("vitest"),
    ["run", "test/house.test.ts", "test/platform/settings/settingsReference.test.ts"]
  ],
  ["openapi.json is what the declarations say", process.execPath, [`${root}scripts/openapi.mjs`, "--check"], build],
  ["types/hub-routes.d.ts is what the declarations say", process.execPath, [`${root}scripts/hubRoutes.mjs`, "--check"]],
  ["docs/reference is what the declarations say", process.execPath, [`${root}scripts/references.mjs`, "--check"]],
  ["types/app-router.d.ts is what the declarations say", process.execPath, [`${root}scripts/appRouter.mjs`, "--check"]],
  ["openapi.json by redocly", bin("redocly"), ["lint", "openapi.json"]],
  ["openapi.json by spectral", bin("spectral"), ["lint", "-F", "warn", "openapi.json"]],
  ["MCP by its conformance suite and its Inspector", process.execPath, [`${root}scripts/conformance.mjs`]],
  ["commands, guide and examples of the documentation", process.execPath, [`${root}scripts/test.mjs`, "--docs"]],
  ["the console and the pages in a browser", process.execPath, [`${root}scripts/test.mjs`, "--browser"]]
]

const failed = []
for (const [name, command, args, before] of steps) {
  process.stdout.write(`\n▸ ${name}\n`)
  await before?.()
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" }
  })
  if (status !== 0) failed.push(name)
}
process.stdout.write(failed.length === 0 ? "\nAll checks passed.\n" : `\nFailed: ${failed.join(", ")}.\n`)
process.exit(failed.length === 0 ? 0 : 1)
