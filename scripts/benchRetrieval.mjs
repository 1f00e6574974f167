/** `npm run bench:retrieval`: builds the pod if necessary, compiles the benchmark of search and runs it. */
import { build } from "./build.mjs"
import { install, root, run } from "./install.mjs"

install()
// With --dist, the build in the given folder is measured unchanged.
if (!process.argv.includes("--dist")) await build()
run(process.execPath, [`${root}node_modules/typescript/bin/tsc`, "-p", "bench/tsconfig.json"])
run(process.execPath, [
  "--enable-source-maps",
  // The benchmark reads the heap size after a garbage collection.
  "--expose-gc",
  `${root}.test-state/bench/bench/retrieval/retrieval.js`,
  ...process.argv.slice(2)
])
