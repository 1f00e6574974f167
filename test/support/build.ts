/** Builds the server once for each state of its sources, shared by test files that run at the same time. */
import { build as bundle, type Plugin } from "esbuild"
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
import { readFile } from "node:fs/promises"
import { relative } from "node:path"
import { projectRoot, stateFolder } from "./migrations.ts"

const folder = `${stateFolder}built/`
const staleMs = 3_600_000 // no run still uses a build that was unused for an hour
const abandonedMs = 120_000 // a build takes 2 s; a process that holds the lock longer was killed

/** The files that the server reads in addition to its code, one folder above it. */
const readBeside = ["migrations", "pages", "package.json"]

const filesOf = (name: string): ReadonlyArray<string> =>
  statSync(projectRoot + name).isFile()
    ? [name]
    : readdirSync(projectRoot + name, { recursive: true, encoding: "utf8" })
        .sort()
        .map((inside) => `${name}/${inside}`)
        .filter((path) => statSync(projectRoot + path).isFile())

/** Changes with every file that the server is built from or reads, with the packages in it, and with the way it is built. */
const sourceHash = (): string => {
  const hash = createHash("sha256")
  for (const file of ["src", ...readBeside, "tsconfig.json", "package-lock.json", "test/support/build.ts"].flatMap(
    filesOf
  )) {
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

/** Each source finds its files as if it were not part of one file: it keeps the address that the compiler would give it. */
const ownAddresses: Plugin = {
  name: "own addresses",
  setup: (building) => {
    building.onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => {
      const address = relative(`${projectRoot}src`, path).replace(/\.ts$/, ".js")
      const text = await readFile(path, "utf8")
      return {
        loader: "ts",
        contents: text.replaceAll("import.meta.url", `new URL("./${address}", import.meta.url).href`)
      }
    })
  }
}

/** The packages that are made of hundreds of modules and read no files. The others are loaded as a pod loads them. */
const ofSmallModules = /^(?:effect|fast-check|pure-rand|zod|jose|@effect\/[^/]+|@modelcontextprotocol\/[^/]+)(?:\/|$)/

const onlyOfSmallModules: Plugin = {
  name: "only packages of small modules",
  setup: (building) => {
    building.onResolve({ filter: /^[^./]/ }, ({ kind, path }) =>
      kind === "entry-point" || ofSmallModules.test(path) ? undefined : { path, external: true }
    )
  }
}

/**
 * One file of the sources and of the packages that are made of many small ones: a start then takes half of the
 * processor time. The published build is not bundled; `npm run demo` and the guide start that form.
 */
const compile = async (target: string): Promise<void> => {
  const partial = `${target}.${process.pid}`
  // Copies, so that an edit of the originals during the tests does not change the running server.
  for (const name of readBeside) cpSync(projectRoot + name, `${partial}/${name}`, { recursive: true })
  await bundle({
    entryPoints: [`${projectRoot}src/main.ts`],
    outfile: `${partial}/dist/main.js`,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    plugins: [ownAddresses, onlyOfSmallModules],
    logLevel: "warning"
  })
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
