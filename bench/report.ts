/** Writes the results as a table for people and as JSON for programs. */
import { mkdirSync, writeFileSync } from "node:fs"
import { cpus } from "node:os"
import { join } from "node:path"
import type { Measured, Side } from "./measure.ts"

export interface Section {
  readonly title: string
  readonly measured: ReadonlyArray<Measured>
}

const microseconds = ({ databaseCpu, serverCpu }: Side): string =>
  databaseCpu === undefined ? `${serverCpu.toFixed(0)} + ?` : `${serverCpu.toFixed(0)} + ${databaseCpu.toFixed(0)}`

const latency = ({ p50Ms, p99Ms }: Side) => `${p50Ms.toFixed(1)} / ${p99Ms.toFixed(1)}`

const columns = ["", "pod CPU µs", "floor CPU µs", "ratio", "aim", "pod p50/p99 ms", "floor p50/p99 ms"]

const cells = (one: Measured): ReadonlyArray<string> => [
  one.title,
  microseconds(one.pod),
  microseconds(one.floor),
  one.ratio.toFixed(2),
  Number.isFinite(one.target) ? `≤ ${one.target}` : "–",
  latency(one.pod),
  latency(one.floor)
]

/**
 * Returns a Markdown table with aligned columns. The CPU columns show "server + PostgreSQL" in microseconds for each
 * request.
 */
export const tableOf = ({ measured, title }: Section): string => {
  const rows = [columns, ...measured.map(cells)]
  const widths = columns.map((_, at) => Math.max(...rows.map((row) => row[at].length)))
  const line = (row: ReadonlyArray<string>) => `| ${row.map((cell, at) => cell.padEnd(widths[at])).join(" | ")} |`
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`
  return [title, "", line(columns), rule, ...rows.slice(1).map(line), ""].join("\n")
}

/** Writes all results to `<folder>/latest.json` and returns this path. */
export const keep = (folder: string, sections: ReadonlyArray<Section>): string => {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, "latest.json")
  const machine = { node: process.version, processors: cpus().length, model: cpus()[0]?.model ?? "unknown" }
  writeFileSync(path, `${JSON.stringify({ at: new Date().toISOString(), machine, sections }, undefined, 2)}\n`)
  return path
}
