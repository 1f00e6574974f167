/**
 * Simulates a folder whose files nobody is allowed to change. File modes cannot do this if the tests run as root. So
 * the simulation refuses the file system calls of the pod and of the database engine.
 */
import { constants } from "node:fs"
import { createRequire, syncBuiltinESMExports } from "node:module"

const files = createRequire(import.meta.url)("node:fs") as typeof import("node:fs")

type Call = (...values: Array<unknown>) => unknown
type Calls = Record<"accessSync" | "openSync" | "writeFileSync" | "mkdirSync" | "unlinkSync" | "renameSync", Call>

const { O_CREAT, O_RDWR, O_WRONLY, W_OK } = constants
const changes = (name: string, how: unknown): boolean => {
  if (name === "accessSync") return typeof how === "number" && (how & W_OK) !== 0
  if (name !== "openSync") return true
  return typeof how === "number" ? (how & (O_WRONLY | O_RDWR | O_CREAT)) !== 0 : how !== undefined && how !== "r"
}

export const aReadOnlyFolder = (folder: string) => {
  let isRefused = false
  const calls = files as unknown as Calls
  const names = ["accessSync", "openSync", "writeFileSync", "mkdirSync", "unlinkSync", "renameSync"] as const
  const former = names.map((name) => [name, calls[name]] as const)
  for (const [name, call] of former) {
    calls[name] = (path, how, ...rest) => {
      if (isRefused && String(path).startsWith(folder) && changes(name, how)) {
        throw Object.assign(new Error(`EACCES: permission denied, ${name} '${String(path)}'`), {
          code: "EACCES",
          errno: -13,
          syscall: name
        })
      }
      return call(path, how, ...rest)
    }
  }
  syncBuiltinESMExports()
  return {
    refuse: () => void (isRefused = true),
    allow: () => void (isRefused = false),
    /** Restores the original functions of the file system. */
    remove: () => {
      for (const [name, call] of former) calls[name] = call
      syncBuiltinESMExports()
    }
  }
}
