/**
 * Builds the server, and builds it again only if its sources have changed. Test files that run at the same time share
 * the build.
 */
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
import { aMoment } from "./aMoment.ts"
import { bundlePod } from "../../scripts/bundle.mjs"
import { projectRoot, stateFolder } from "./migrations.ts"

const folder = `${stateFolder}built/`
const staleMs = 3_600_000 // A build that was not used for an hour is removed, because no test run uses it any more.
// A build takes 2 s. If a lock is older than this, the process that made the lock was killed.
const abandonedMs = 120_000

/**
 * The files and folders that the server reads in addition to its code. The server expects them one folder above its
 * code.
 */
const readBeside = ["README.md", "docs", "migrations", "pages", "package.json"]

const filesOf = (name: string): ReadonlyArray<string> =>
  statSync(projectRoot + name).isFile()
    ? [name]
    : readdirSync(projectRoot + name, { recursive: true, encoding: "utf8" })
        .sort()
        .map((inside) => `${name}/${inside}`)
        .filter((path) => statSync(projectRoot + path).isFile())

/**
 * Returns a hash of everything that the build depends on: the sources, the files that the server reads, the list of
 * installed packages, and the code that makes the build.
 */
const sourceHash = (): string => {
  const hash = createHash("sha256")
  const builtBy = ["scripts/bundle.mjs", "scripts/embeddedImage.mjs", "scripts/starter.mjs", "test/support/build.ts"]
  for (const file of ["src", ...readBeside, "package-lock.json", ...builtBy].flatMap(filesOf)) {
    hash.update(`${file}\0`).update(readFileSync(projectRoot + file))
  }
  return hash.digest("hex").slice(0, 16)
}

const takeLock = (lock: string): boolean => {
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" })
    return true
  } catch {
    const lockFile = statSync(lock, { throwIfNoEntry: false })
    if (lockFile !== undefined && Date.now() - lockFile.mtimeMs > abandonedMs) rmSync(lock, { force: true })
    return false
  }
}

/** Bundles the pod as `npm run build` does. */
const compile = async (target: string): Promise<void> => {
  const partial = `${target}.${process.pid}`
  // These files are copied, so that an edit of the originals during the tests does not change the running server.
  for (const name of readBeside) cpSync(projectRoot + name, `${partial}/${name}`, { recursive: true })
  for (const name of ["console", "embedded"]) {
    cpSync(`${projectRoot}dist/${name}`, `${partial}/dist/${name}`, { recursive: true })
  }
  await bundlePod(`${partial}/dist`)
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
      // Another process builds the same sources. No event tells when its build is ready, so this process checks again
      // after a moment.
      await aMoment()
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

/**
 * Options of Node for test processes, which run only for seconds. Without the first option, the optimization of the
 * embedded database takes a third of the processor time of a start. The second option optimizes only JavaScript that
 * runs often, and saves another sixth. Garbage collection in one thread takes less processor time than in several
 * threads.
 */
export const briefly = ["--liftoff-only", "--interrupt-budget=1000000", "--single-threaded-gc"]

let built: Promise<string> | undefined

/** Returns the path of the main file of the built server. Builds the sources if no process has built them yet. */
export const builtServer = (): Promise<string> => (built ??= build())
