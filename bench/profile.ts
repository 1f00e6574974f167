/**
 * Shows which code uses the processor time of the pod. Takes a CPU profile of some scenarios, and sums the time for
 * each package.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { SourceMap } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Connections } from "./load.ts"
import type { Scenario } from "./scenarios.ts"
import { aStand } from "./stand.ts"

interface CpuProfile {
  readonly nodes: ReadonlyArray<{
    readonly id: number
    readonly callFrame: {
      readonly functionName: string
      readonly url: string
      readonly lineNumber: number
      readonly columnNumber: number
    }
  }>
  readonly samples: ReadonlyArray<number>
  readonly timeDeltas: ReadonlyArray<number>
}

/** Maps the path of a file to the package that owns its code. The first pattern that matches the path is used. */
const owners: ReadonlyArray<readonly [string, RegExp]> = [
  ["@effect/sql (statements, client)", /@effect\/sql(-pg)?\//],
  ["effect Schema", /effect\/(dist|src).*(Schema|ParseResult)/],
  ["effect runtime", /node_modules\/effect\//],
  ["pg driver", /node_modules\/(pg|pg-pool|pg-protocol|pg-types|postgres-[a-z]+)\//],
  ["MCP SDK", /@modelcontextprotocol\//],
  ["other packages", /node_modules\//],
  ["our own code", /\/src\//],
  ["node core", /^node:/]
]

const ownerOf = (url: string, name: string): string => {
  if (name === "(garbage collector)") return "garbage collection"
  if (name === "(program)" || url === "") return "native (sockets, JSON, crypto)"
  return owners.find(([, form]) => form.test(url))?.[0] ?? "other"
}

const shares = (sums: ReadonlyMap<string, number>, total: number, most: number): ReadonlyArray<string> =>
  [...sums]
    .sort(([, left], [, right]) => right - left)
    .slice(0, most)
    .map(([name, time]) => `  ${((100 * time) / total).toFixed(1).padStart(5)} %  ${name}`)

const add = (sums: Map<string, number>, name: string, time: number) => sums.set(name, (sums.get(name) ?? 0) + time)

/**
 * Finds the source file of a stack frame. For code in a bundle, this is the file from which the bundler took the code.
 */
const sourceFinder = () => {
  const maps = new Map<string, SourceMap | undefined>()
  const mapOf = (bundle: string): SourceMap | undefined => {
    if (!maps.has(bundle)) {
      const map = `${fileURLToPath(bundle)}.map`
      maps.set(bundle, existsSync(map) ? new SourceMap(JSON.parse(readFileSync(map, "utf8"))) : undefined)
    }
    return maps.get(bundle)
  }
  return (url: string, line: number, column: number): string => {
    const entry = url.startsWith("file:") ? mapOf(url)?.findEntry(line, column) : undefined
    return entry !== undefined && "originalSource" in entry ? String(entry.originalSource) : url
  }
}

/**
 * Sums the time in functions, by package and by function. The time of a function does not include the functions that it
 * calls. Leaves out idle time.
 */
const summarise = (
  text: string
): { readonly byOwner: Map<string, number>; readonly byFunction: Map<string, number>; readonly total: number } => {
  const { nodes, samples, timeDeltas } = JSON.parse(text) as CpuProfile
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const sourceOf = sourceFinder()
  const byOwner = new Map<string, number>()
  const byFunction = new Map<string, number>()
  let total = 0
  samples.forEach((id, at) => {
    const { columnNumber, functionName, lineNumber, url: file } = frames.get(id)!
    if (functionName === "(idle)" || functionName === "(root)") return
    const time = timeDeltas[at]
    total += time
    const source = sourceOf(file, lineNumber, columnNumber)
    add(byOwner, ownerOf(source, functionName), time)
    const shown = source.split("node_modules/").pop()!.split("/").slice(-3).join("/")
    add(byFunction, `${functionName || "(anonymous)"}  ${shown}${source === "" ? "" : `:${lineNumber + 1}`}`, time)
  })
  return { byOwner, byFunction, total }
}

// This many rounds run before the profile begins, so that the JavaScript engine compiles the code first.
const warmUps = 3

/**
 * Returns the flags of Node with which a pod profiles itself. The profile begins at the signal SIGUSR2 and ends when
 * the pod stops. The pod then writes the profile to `file`.
 */
export const profileFlags = (file: string): ReadonlyArray<string> => [
  "--import",
  `${new URL("./profileHook.js", import.meta.url).href}?${encodeURIComponent(file)}`
]

/** Returns the packages and functions with the most time in a profile, as text. */
export const profileText = (title: string, file: string): string => {
  const { byFunction, byOwner, total } = summarise(readFileSync(file, "utf8"))
  return [title, ...shares(byOwner, total, 12), "", ...shares(byFunction, total, 30), ""].join("\n")
}

/**
 * Profiles each scenario in a new pod. A signal begins the profile, so the profile does not contain the start of the
 * pod.
 */
export const profile = async (
  { dist, outFolder, serverUrl }: { readonly serverUrl: string; readonly dist: string; readonly outFolder: string },
  chosen: ReadonlyArray<Scenario>,
  say: (text: string) => void
): Promise<void> => {
  const folder = join(outFolder, "profiles")
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const scenario of chosen) {
    const file = join(folder, `${scenario.name}.cpuprofile`)
    const stand = await aStand({
      serverUrl,
      dist,
      rows: 50_000,
      visibleShare: 0.01,
      nodeFlags: profileFlags(file)
    })
    const connections = new Connections(stand.pod.port)
    await connections.open()
    const drive = () => connections.drive((index) => scenario.request(stand, index), scenario.count)
    for (let at = 0; at < warmUps; at++) await drive()
    process.kill(stand.pod.pid, "SIGUSR2")
    for (let at = 0; at < warmUps; at++) await drive()
    connections.close()
    await stand.stop()
    say(profileText(scenario.title, file))
  }
  say(`Profiles for a viewer: ${readdirSync(folder).join(", ")} in ${folder}`)
}
