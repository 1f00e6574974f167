/**
 * Starts the package of `npm pack` in an empty folder with only the production dependencies. The test prints the time
 * of the first start, next to the times of the first and the second `npm start` in a clone, and of a stop.
 */
import { assert, it } from "@effect/vitest"
import { execFileSync, spawn, spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import { projectRoot } from "../support/migrations.ts"

const rounds = Number(process.env["POD_PACKED_ROUNDS"] ?? 1)
const root = mkdtempSync(join(tmpdir(), "pod-packed-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const folder = (name: string): string => {
  const path = join(root, name)
  mkdirSync(path, { recursive: true })
  return path
}

/** The environment of a person on a new machine: no settings of a pod, and the packages that npm has already loaded. */
const environment = {
  PATH: process.env["PATH"] ?? "",
  HOME: folder("home"),
  npm_config_cache: process.env["npm_config_cache"] ?? join(process.env["HOME"] ?? root, ".npm"),
  npm_config_prefer_offline: "true",
  POD_OPEN_BROWSER: "off",
  NO_COLOR: "1"
}

const run = (cwd: string, program: string, ...words: ReadonlyArray<string>): string =>
  execFileSync(program, words, { cwd, env: environment, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { readonly port: number }
      server.close(() => resolve(port))
    })
  })

const isReady = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ status }) => status === 200,
    () => false
  )

/** Starts a pod by a command and waits until `/readyz` answers 200. Returns its port and the seconds that passed. */
const timedStart = async (cwd: string, [program, ...words]: readonly [string, ...Array<string>]) => {
  const port = await freePort()
  const began = performance.now()
  const child = spawn(program, words, {
    cwd,
    env: { ...environment, POD_PORT: String(port) },
    stdio: ["ignore", "pipe", "pipe"]
  })
  let output = ""
  child.stdout.on("data", (part) => (output += part))
  child.stderr.on("data", (part) => (output += part))
  const ended = new Promise((resolve) => child.once("close", resolve))
  let isRunning = true
  void ended.then(() => (isRunning = false))
  while (!(await isReady(port))) {
    if (!isRunning) assert.fail(output)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  /** Stops the pod. Returns the seconds until its process has ended. */
  const stop = async (): Promise<number> => {
    const stopped = performance.now()
    child.kill("SIGTERM")
    await ended
    return (performance.now() - stopped) / 1_000
  }
  return { port, seconds: (performance.now() - began) / 1_000, stop }
}

const median = (values: ReadonlyArray<number>): string =>
  (values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN).toFixed(1)

const hasGit = spawnSync("git", ["rev-parse", "HEAD"], { cwd: projectRoot }).status === 0

it.skipIf(!hasGit)(
  "a pod that is packed as an npm package starts with `npx` in an empty folder without development tools, and answers `pod status` (skipped without git)",
  async () => {
    const times = {
      install: [] as Array<number>,
      packed: [] as Array<number>,
      clone: [] as Array<number>,
      again: [] as Array<number>,
      stop: [] as Array<number>
    }
    const [{ filename }] = JSON.parse(
      run(projectRoot, "npm", "pack", "--json", "--pack-destination", folder("package"))
    ) as [{ readonly filename: string }]
    for (let round = 0; round < rounds; round++) {
      const home = folder(`installed-${round}`)
      writeFileSync(join(home, "package.json"), "{}")
      const began = performance.now()
      run(home, "npm", "install", "--omit=dev", "--no-audit", "--no-fund", join(root, "package", filename))
      times.install.push((performance.now() - began) / 1_000)
      for (const tool of ["vite", "rolldown", "typescript", "vitest", "react", "tailwindcss"]) {
        assert.isFalse(existsSync(join(home, "node_modules", tool)), tool)
      }
      const pod = await timedStart(home, ["npx", "--no", "pod", "start"])
      times.packed.push(pod.seconds)
      const status = JSON.parse(run(home, "npx", "--no", "pod", "status", "--json")) as {
        readonly data: { readonly ready: boolean }
      }
      assert.isTrue(status.data.ready)
      const page = await fetch(`http://127.0.0.1:${pod.port}/admin`)
      assert.strictEqual(page.status, 200)
      assert.include(await page.text(), "<script")
      await pod.stop()

      const clone = join(root, `clone-${round}`)
      run(root, "git", "clone", "--quiet", "--depth", "1", `file://${projectRoot}`, clone)
      const fromClone = await timedStart(clone, ["npm", "start"])
      times.clone.push(fromClone.seconds)
      await fromClone.stop()
      const again = await timedStart(clone, ["npm", "start"])
      times.again.push(again.seconds)
      times.stop.push(await again.stop())
      rmSync(clone, { recursive: true, force: true })
    }
    const version = JSON.parse(readFileSync(`${projectRoot}package.json`, "utf8")).version as string
    console.log(
      `pod ${version}, medians of ${rounds}, seconds: npm install of the package ${median(times.install)}, ` +
        `first npx pod start ${median(times.packed)}, npm start in a clone ${median(times.clone)}, ` +
        `its second npm start ${median(times.again)}, stop ${median(times.stop)}`
    )
  }
)
