/** `npm run bench:retrieval`: builds the pod when it is not built, compiles the benchmark of retrieval and runs it. */
import { build } from "./build.mjs"
import { install, root, run } from "./install.mjs"

install()
if (!process.argv.includes("--dist")) await build() // a folder that is named is measured as it is
run(process.execPath, [`${root}node_modules/typescript/bin/tsc`, "-p", "bench/tsconfig.json"])
run(process.execPath, [
  "--enable-source-maps",
  "--expose-gc", // the size of the heap is read after a collection
  `${root}.test-state/bench/bench/retrieval/retrieval.js`,
  ...process.argv.slice(2)
])
