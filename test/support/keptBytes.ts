/** What the heap of this process holds after everything that nothing uses was collected. */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

/** In bytes. */
export const keptBytes = (): number => {
  setFlagsFromString("--expose-gc")
  runInNewContext("gc")()
  return process.memoryUsage().heapUsed
}
