/** Prints the messages of a pod that is ready: its addresses, and the setup link if the pod has no owner yet. */
import { Option } from "effect"
import { networkInterfaces } from "node:os"
import { join } from "node:path"
import { consolePathsAt } from "./doors/ConsoleLinks.ts"
import { setupLinkMinutes } from "./features/people/Person.ts"
import { setupLinkName } from "./features/people/SetupLinkFile.ts"
import type { commandOf } from "./platform/CommandName.ts"
import type { LogOutput } from "./platform/LogOutput.ts"
import { shownPath } from "./platform/ShownPath.ts"
import { isAnyAddress, podAddress } from "./platform/settings/PodAddress.ts"
import type { SettingsShape } from "./platform/settings/Settings.ts"
import { secondsText } from "./platform/StartSteps.ts"
import { version } from "./Version.ts"

export interface Announcement {
  readonly settings: SettingsShape
  readonly port: number
  /**
   * True if the pod had no owner when it started. Then the pod prints an introduction. Otherwise the pod prints
   * three lines and the warnings.
   */
  readonly isFirstStart: boolean
  /** The token of the setup link. Undefined if the pod has an owner. */
  readonly setupToken: string | undefined
  /** The number of proposals that wait for a decision. */
  readonly waiting: number
  readonly warnings: ReadonlyArray<string>
  readonly format: "pretty" | "json"
  readonly startedInMs: number
  /** The width of the terminal in columns; undefined if the output is not a terminal. */
  readonly columns?: number | undefined
  /** How the person calls the command line. */
  readonly command: ReturnType<typeof commandOf>
}

/**
 * Returns the addresses at which other machines of the local network reach the pod. Returns an empty list if the pod
 * listens on one address only, or has a public address.
 */
const networkBases = ({ host, publicUrl }: SettingsShape, port: number): ReadonlyArray<string> =>
  Option.isSome(publicUrl) || !isAnyAddress(host)
    ? []
    : Object.values(networkInterfaces())
        .flatMap((addresses) => addresses ?? [])
        .filter(({ family, internal }) => family === "IPv4" && !internal)
        .map(({ address }) => `http://${address}:${port}`)

/** Makes the setup link. The first person who uses the link becomes the owner of the pod. */
export const setupLinkOf = (settings: SettingsShape, port: number, token: string): string => {
  const base = podAddress(settings, port)
  return `${base}${consolePathsAt(settings.adminPath, base).setup(token)}`
}

/**
 * Draws a frame with a title around lines. If the frame would be wider than the terminal, returns the title and the
 * lines without a frame.
 */
const frameLines = (title: string, lines: ReadonlyArray<string>, columns: number): ReadonlyArray<string> => {
  const width = Math.max(title.length + 2, ...lines.map((line) => line.length))
  if (width + margin > columns) return [`  ${title}`, ...lines.map((line) => `  ${line}`)]
  return [
    `  ┌ ${title} ${"─".repeat(width - title.length)}┐`,
    ...lines.map((line) => `  │ ${line.padEnd(width)} │`),
    `  └${"─".repeat(width + 2)}┘`
  ]
}
// columns that a frame needs beside its text: a space before the frame and the two borders
const margin = 6

const databaseOf = ({ databaseUrl, durability }: SettingsShape): string => {
  if (Option.isSome(databaseUrl)) return "PostgreSQL"
  return durability === "wal-sync"
    ? "embedded"
    : "embedded (survives a killed process; with POD_DURABILITY=wal-sync also a power loss)"
}

const warningLines = (warnings: ReadonlyArray<string>) => warnings.map((warning) => `    Warning   ${warning}`)

/** Makes the lines for a person who starts a pod that has no owner yet. */
const introduction = (announcement: Announcement): ReadonlyArray<string> => {
  const { columns = narrow, command, port, settings, setupToken, startedInMs, warnings } = announcement
  const base = podAddress(settings, port)
  return [
    "",
    `  Pod ${version} is ready, started in ${secondsText(startedInMs)}`,
    "",
    `    Console   ${base}${settings.adminPath}`,
    ...networkBases(settings, port).map((address) => `    Network   ${address}${settings.adminPath}`),
    `    REST      ${base}/api/hub   (docs /docs, description /openapi.json)`,
    `    MCP       ${base}/mcp`,
    `    tRPC      ${base}/trpc   (sign-in session; for keys /api/hub/trpc)`,
    `    Health    ${base}/api/hub/health   (for probes /livez, /readyz, /startupz)`,
    ...warningLines(warnings),
    ...(setupToken === undefined
      ? []
      : [
          "",
          ...frameLines(
            "This pod has no owner yet",
            [
              `Open this link within ${setupLinkMinutes} minutes to create the owner (works once):`,
              `  ${setupLinkOf(settings, port, setupToken)}`,
              `Lost it?  ${command} setup-link      No browser?  ${command} owner create`
            ],
            columns
          ),
          `  The link is also in the file ${shownPath(join(settings.dataDir, setupLinkName))}.`,
          "  Without a person: POD_OWNER_EMAIL and POD_OWNER_PASSWORD_FILE create the owner at the start."
        ]),
    "",
    `  Data      ${shownPath(settings.dataDir)}   back up: ${command} backup`,
    `  Database  ${databaseOf(settings)}`,
    ...(Option.isSome(settings.databaseUrl)
      ? []
      : ["            for production: POD_DATABASE_URL=postgres://user:password@host:5432/pod"]),
    `  Config    POD_* variables or .env   check: ${command} config check   list: ${command} config list`,
    "  Stop with Ctrl-C.",
    ""
  ]
}
// the width in columns that the pod assumes for a terminal that does not report its width
const narrow = 80

/** Makes the lines for a person who starts a pod that has an owner: three lines, and the warnings. */
const greeting = ({ command, port, settings, startedInMs, waiting, warnings }: Announcement): ReadonlyArray<string> => [
  "",
  `  Pod ${version} is ready, started in ${secondsText(startedInMs)}`,
  `    Console ${podAddress(settings, port)}${settings.adminPath}   REST /api/hub   MCP /mcp   Docs /docs`,
  `    ${waiting === 0 ? "No proposals wait." : `${waiting} ${waiting === 1 ? "proposal waits" : "proposals wait"}: ${command} proposals list.`} Stop with Ctrl-C.`,
  ...warningLines(warnings),
  ""
]

/** Says that the pod is ready: several lines for a person, or one JSON line for a supervisor program. */
export const announce = (announcement: Announcement, write: LogOutput): void => {
  const { format, isFirstStart, port, settings, setupToken, startedInMs, waiting, warnings } = announcement
  if (format === "pretty") {
    write(`${(isFirstStart ? introduction : greeting)(announcement).join("\n")}\n`)
    return
  }
  const base = podAddress(settings, port)
  const network = networkBases(settings, port).map((address) => `${address}${settings.adminPath}`)
  write(
    `${JSON.stringify({
      time: new Date().toISOString(),
      level: "info",
      msg: "ready",
      version,
      url: base,
      console: `${base}${settings.adminPath}`,
      rest: `${base}/api/hub`,
      mcp: `${base}/mcp`,
      trpc: `${base}/trpc`,
      docs: `${base}/docs`,
      openapi: `${base}/openapi.json`,
      health: `${base}/api/hub/health`,
      ...(network.length === 0 ? {} : { network }),
      port,
      dataDir: settings.dataDir,
      database: Option.isSome(settings.databaseUrl) ? "postgres" : "embedded",
      ...(Option.isSome(settings.databaseUrl) ? {} : { durability: settings.durability }),
      startedInMs: Math.round(startedInMs),
      proposalsWaiting: waiting,
      ...(setupToken === undefined
        ? {}
        : {
            setupLink: setupLinkOf(settings, port, setupToken),
            setupLinkFile: join(settings.dataDir, setupLinkName),
            setupLinkMinutes
          }),
      ...(warnings.length === 0 ? {} : { warnings })
    })}\n`
  )
}
