/**
 * Makes a private PostgreSQL cluster in the temporary folder, with the binaries that are installed on the machine. The
 * cluster is removed when its owner process ends.
 */
import { execFile, spawn } from "node:child_process"
import type { ChildProcess } from "node:child_process"
import { randomBytes } from "node:crypto"
import {
  accessSync,
  chownSync,
  constants,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync
} from "node:fs"
import { rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { promisify } from "node:util"
import pg from "pg"
import { aMoment } from "./aMoment.ts"

const run = promisify(execFile)

const readyWithinMs = 30_000 // The longest wait for a start. A start takes 0.3 s, or several seconds on a busy machine.
const debianVersions = "/usr/lib/postgresql"

/**
 * This locale has the same character classes as PGlite, so `lower()` gives the same result on both engines. macOS uses
 * another name for it.
 */
const characters = process.platform === "darwin" ? "UTF-8" : "C.UTF-8"

export interface Cluster {
  readonly url: string
  readonly stop: () => Promise<void>
}

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const hasServer = (folder: string): boolean =>
  isExecutable(join(folder, "initdb")) && isExecutable(join(folder, "postgres"))

/**
 * Finds the folder with `initdb` and `postgres`. Looks in PATH first, then for the highest version that Debian has
 * installed, and then in the folder that `pg_config` names.
 */
export const serverBinaries = async (): Promise<string | undefined> => {
  const onPath = (process.env["PATH"] ?? "")
    .split(delimiter)
    .filter((folder) => folder !== "" && isExecutable(join(folder, "postgres")))
    .map((folder) => dirname(realpathSync(join(folder, "postgres"))))
  const versions = existsSync(debianVersions) ? readdirSync(debianVersions) : []
  const packaged = versions
    .sort((left, right) => Number(right) - Number(left))
    .map((version) => join(debianVersions, version, "bin"))
  const known = [...onPath, ...packaged].find(hasServer)
  if (known !== undefined) return known
  const answer = await run("pg_config", ["--bindir"]).catch(() => undefined)
  const configured = answer?.stdout.trim()
  return configured !== undefined && hasServer(configured) ? configured : undefined
}

interface Account {
  readonly uid: number
  readonly gid: number
}

/**
 * Returns the account that runs the cluster if the tests run as root, because PostgreSQL refuses to run as root.
 */
const unprivilegedAccount = (): Account | undefined => {
  if (process.getuid?.() !== 0) return undefined
  const lines = readFileSync("/etc/passwd", "utf8").split("\n")
  for (const name of ["postgres", "nobody"]) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(":") ?? []
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new Error("running as root, and there is neither a postgres nor a nobody account to run the server as")
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject)
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address()
      probe.close(() =>
        typeof address === "object" && address !== null ? resolve(address.port) : reject(new Error("no port"))
      )
    })
  })

/**
 * A shell script that makes the cluster and runs its server until the standard input of the script ends. The input ends
 * when the owner closes it or is killed. Then the script interrupts the processes that it started, by their ids, and
 * removes the folder. The script repeats its signal, because a signal between two commands would be lost.
 *
 * The server checks the password by MD5, because the suites open thousands of connections. With SCRAM, the checks
 * would take a tenth of the processor time of the suites.
 */
const keeper = `
exec 3<&0
binaries=$1; folder=$2; ctype=$3; shift 3
worker=; stopping=
trap 'stopping=1; test -n "$worker" && kill -INT "$worker" 2>/dev/null' TERM
( read -r _ <&3; while kill -TERM $$; do sleep 1; done ) 2>/dev/null & watcher=$!
supervise() {
  test -n "$stopping" && return 1
  "$@" & worker=$!
  wait "$worker"; code=$?
  while kill -0 "$worker" 2>/dev/null; do wait "$worker"; done
  return "$code"
}
supervise "$binaries/initdb" -D "$folder/data" -U postgres -E UTF8 --locale=C --lc-ctype="$ctype" --no-sync \\
  --auth=md5 --pwfile="$folder/password" &&
supervise "$binaries/postgres" -D "$folder/data" "$@"
rm -rf "$folder"
kill "$watcher" 2>/dev/null
`

const ended = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once("exit", () => resolve()))

const untilAnswers = async (url: string, child: ChildProcess, lastWords: () => string): Promise<void> => {
  const deadline = Date.now() + readyWithinMs
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the server ended: ${lastWords()}`)
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
    const failure = await client.connect().then(
      () => undefined,
      (cause: unknown) => cause
    )
    await client.end().catch(() => undefined)
    if (failure === undefined) return
    if (Date.now() > deadline) throw new Error(`the server did not answer: ${lastWords()}`, { cause: failure })
    await aMoment()
  }
}

type ServerSettings = Readonly<Record<string, string>>

const start = async (
  binaries: string,
  folder: string,
  password: string,
  account: Account | undefined,
  further: ServerSettings
) => {
  const port = await freePort()
  const url = `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`
  const settings = {
    listen_addresses: "127.0.0.1",
    port: String(port),
    unix_socket_directories: folder,
    max_connections: "200",
    // The cluster is temporary, so it does not have to survive a power failure.
    fsync: "off",
    full_page_writes: "off",
    ...further
  }
  const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])
  const child = spawn(
    "/bin/sh",
    ["-c", keeper, "keeper", binaries, folder, characters, ...options],
    // The script runs in its own process group. So an interrupt of the test run does not end the script before its
    // cleanup.
    {
      ...account,
      cwd: folder,
      env: { LC_ALL: "C", PATH: "/usr/bin:/bin" },
      stdio: ["pipe", "ignore", "pipe"],
      detached: true
    }
  )
  let log = ""
  child.stderr.on("data", (chunk: Buffer) => (log = (log + chunk.toString()).slice(-2_000)))
  const stop = async () => {
    child.stdin.end()
    await ended(child)
  }
  await untilAnswers(url, child, () => log.trim()).catch(async (cause: unknown) => {
    await stop()
    throw cause
  })
  return { url, stop }
}

/**
 * Starts a new cluster with a random password for its superuser, and with these settings of the server. Fails with the
 * message of the server.
 */
export const startCluster = async (binaries: string, further: ServerSettings = {}): Promise<Cluster> => {
  const account = unprivilegedAccount()
  const folder = mkdtempSync(join(tmpdir(), "pod-postgres-"))
  try {
    const password = randomBytes(18).toString("hex")
    const passwordFile = join(folder, "password")
    writeFileSync(passwordFile, password, { mode: 0o600 })
    if (account !== undefined) {
      chownSync(folder, account.uid, account.gid)
      chownSync(passwordFile, account.uid, account.gid)
    }
    return await start(binaries, folder, password, account, further)
  } catch (cause) {
    rmSync(folder, { recursive: true, force: true })
    throw cause
  }
}
