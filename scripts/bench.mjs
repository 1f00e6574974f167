/** `npm run bench`: builds the pod if necessary, compiles the benchmark and runs it. See bench/README.md. */
import { build } from "./build.mjs"
import { install, root, run } from "./install.mjs"

install()
// With --dist, the build in the given folder is measured unchanged.
if (!process.argv.includes("--dist")) await build()
run(process.execPath, [`${root}node_modules/typescript/bin/tsc`, "-p", "bench/tsconfig.json"])
const scripts = {
  "--memory": "memory",
  "--streams-only": "streams",
  "--deliveries": "deliveries",
  "--chat": "chat",
  "--fair": "fair",
  "--parse-server": "peers"
}
const asked = Object.keys(scripts).find((flag) => process.argv.includes(flag))
const script = asked === undefined ? "main" : scripts[asked]
const further = process.argv.slice(2).filter((each) => each !== asked)
run(process.execPath, ["--enable-source-maps", `${root}.test-state/bench/bench/${script}.js`, ...further])
