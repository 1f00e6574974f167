/** What the pod prints when it is ready: its addresses, and the setup link while it has no owner. */
import { Option } from "effect"
import { join } from "node:path"
import { consolePathsAt } from "./doors/ConsoleLinks.ts"
import { setupLinkName } from "./features/people/SetupLinkFile.ts"
import type { LogOutput } from "./platform/LogOutput.ts"
import type { SettingsShape } from "./platform/settings/Settings.ts"
import { version } from "./Version.ts"

export interface Announcement {
  readonly settings: SettingsShape
  readonly port: number
  /** The setup link; present while the pod has no owner. */
  readonly setupToken: string | undefined
  readonly warnings: ReadonlyArray<string>
  readonly format: "pretty" | "json"
  readonly startedInMs: number
}

/** An address that a browser can open: the public address, or the address of this machine, but never 0.0.0.0. */
const baseOf = (settings: SettingsShape, port: number) =>
  Option.getOrElse(settings.publicUrl, () => `http://localhost:${port}`)

/** The link that makes its first visitor the owner of the pod. */
export const setupLinkOf = (settings: SettingsShape, port: number, token: string): string =>
  `${baseOf(settings, port)}${consolePathsAt(settings.adminPath).setup(token)}`

const pretty = ({ port, settings, setupToken, startedInMs, warnings }: Announcement): string => {
  const base = baseOf(settings, port)
  const database = Option.isSome(settings.databaseUrl)
    ? "PostgreSQL"
    : settings.durability === "wal-sync"
      ? `embedded, in ${settings.dataDir}`
      : `embedded, in ${settings.dataDir} (safe when the process is killed; POD_DURABILITY=wal-sync for power loss)`
  const lines = [
    "",
    `  Pod ${version} is ready (${(startedInMs / 1000).toFixed(1)} s)`,
    "",
    `    Console   ${base}${settings.adminPath}`,
    `    REST      ${base}/api/hub`,
    `    MCP       ${base}/mcp`,
    `    tRPC      ${base}/trpc  (sign-in session),  ${base}/api/hub/trpc  (key)`,
    `    API page  ${base}/docs`,
    `    Health    ${base}/readyz`,
    `    Database  ${database}`,
    ...warnings.map((warning) => `    Warning   ${warning}`)
  ]
  if (setupToken !== undefined) {
    lines.push(
      "",
      "  This pod has no owner yet. Open this link within 30 minutes to become it (works once):",
      `    ${setupLinkOf(settings, port, setupToken)}`,
      `  It also stands in ${join(settings.dataDir, setupLinkName)}; pod setup-link makes a new one.`,
      "  Or start it with POD_OWNER_EMAIL and POD_OWNER_PASSWORD."
    )
  }
  lines.push("", "  Stop with Ctrl-C.", "")
  return lines.join("\n")
}

/** Says that the pod is ready: a block for a person, one JSON line for a supervisor. */
export const announce = (announcement: Announcement, write: LogOutput): void => {
  const { format, port, settings, setupToken, startedInMs, warnings } = announcement
  if (format === "pretty") {
    write(pretty(announcement))
    return
  }
  const base = baseOf(settings, port)
  write(
    `${JSON.stringify({
      time: new Date().toISOString(),
      level: "info",
      msg: "ready",
      version,
      url: base,
      port,
      database: Option.isSome(settings.databaseUrl) ? "postgres" : "embedded",
      startedInMs: Math.round(startedInMs),
      ...(setupToken === undefined ? {} : { setupLink: setupLinkOf(settings, port, setupToken) }),
      ...(warnings.length === 0 ? {} : { warnings })
    })}\n`
  )
}
