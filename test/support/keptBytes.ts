/** The number of bytes that the heap of this process uses after a garbage collection. */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

/** Forces a garbage collection, and returns the bytes that the heap uses after it. */
export const keptBytes = (): number => {
  setFlagsFromString("--expose-gc")
  runInNewContext("gc")()
  return process.memoryUsage().heapUsed
}
