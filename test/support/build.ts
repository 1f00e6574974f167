/** Builds the server once for each state of its sources, shared by test files that run at the same time. */
import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { promisify } from "node:util"
import { projectRoot, stateFolder } from "./migrations.ts"

const run = promisify(execFile)

const folder = `${stateFolder}built/`
const staleMs = 3_600_000 // no run still uses a build that was unused for an hour
const abandonedMs = 120_000 // a build takes 5 s; a process that holds the lock longer was killed

/** The files that the server reads in addition to its code, one folder above it. */
const readBeside = ["migrations", "pages", "package.json"]

const filesOf = (name: string): ReadonlyArray<string> =>
  statSync(projectRoot + name).isFile()
    ? [name]
    : readdirSync(projectRoot + name, { recursive: true, encoding: "utf8" })
        .sort()
        .map((inside) => `${name}/${inside}`)
        .filter((path) => statSync(projectRoot + path).isFile())

/** Changes with every file that the server is built from or reads, and with the settings of the compiler. */
const sourceHash = (): string => {
  const hash = createHash("sha256")
  for (const file of ["src", ...readBeside, "tsconfig.json", "tsconfig.build.json"].flatMap(filesOf)) {
    hash.update(`${file}\0`).update(readFileSync(projectRoot + file))
  }
  return hash.digest("hex").slice(0, 16)
}

const takeLock = (lock: string): boolean => {
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" })
    return true
  } catch {
    const held = statSync(lock, { throwIfNoEntry: false })
    if (held !== undefined && Date.now() - held.mtimeMs > abandonedMs) rmSync(lock, { force: true })
    return false
  }
}

const compile = async (target: string): Promise<void> => {
  const partial = `${target}.${process.pid}`
  // Copies, so that an edit of the originals during the tests does not change the running server.
  for (const name of readBeside) cpSync(projectRoot + name, `${partial}/${name}`, { recursive: true })
  const compilerArguments = ["tsc", "-p", "tsconfig.build.json", "--outDir", `${partial}/dist`]
  const failure = await run("npx", compilerArguments, { cwd: projectRoot }).then(
    () => undefined,
    (cause: unknown) => cause
  )
  // The type check reports type errors; the written output can still run.
  if (!existsSync(`${partial}/dist/main.js`)) throw new Error("the server was not built", { cause: failure })
  renameSync(partial, target)
}

const dropStale = (keep: string): void => {
  for (const name of readdirSync(folder)) {
    const path = folder + name
    if (path === keep || name.endsWith(".lock")) continue
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat !== undefined && Date.now() - stat.mtimeMs > staleMs) rmSync(path, { recursive: true, force: true })
  }
}

const build = async (): Promise<string> => {
  mkdirSync(folder, { recursive: true })
  const target = folder + sourceHash()
  const lock = `${target}.lock`
  while (!existsSync(target)) {
    if (!takeLock(lock)) {
      // Another test file builds the same; processes share no event, so this waits for the result.
      await new Promise((resolve) => setTimeout(resolve, 50))
      continue
    }
    try {
      if (!existsSync(target)) await compile(target)
    } finally {
      rmSync(lock, { force: true })
    }
  }
  utimesSync(target, new Date(), new Date())
  dropStale(target)
  return `${target}/dist/main.js`
}

let built: Promise<string> | undefined

/** The path of the built server's entry. Builds these sources if no process has built them yet. */
export const builtServer = (): Promise<string> => (built ??= build())
