/**
 * Node loads this code before the pod. At each SIGUSR2 it collects the garbage, and then appends the bytes of the live
 * heap to the file that the query of its address names.
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
