/**
 * Node loads this code before the pod. At each SIGUSR2, the code collects the garbage and then appends the size of the
 * live heap, in bytes, to a file. The query of this module's URL names the file.
 */
import { appendFileSync } from "node:fs"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

const path = decodeURIComponent(new URL(import.meta.url).search.slice(1))
setFlagsFromString("--expose-gc")
const collectGarbage = runInNewContext("gc")

process.on("SIGUSR2", () => {
  collectGarbage()
  appendFileSync(path, `${process.memoryUsage().heapUsed}\n`)
})
