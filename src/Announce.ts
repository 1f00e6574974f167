/** The texts that the pod prints: its addresses when it is ready, or the reason and the remedy if it cannot start. */
import { SqlError } from "@effect/sql"
import { Cause, Data, Option, Redacted } from "effect"
import { join } from "node:path"
import { consolePathsAt } from "./doors/ConsoleLinks.ts"
import { setupLinkName } from "./features/people/SetupLinkFile.ts"
import { DataDirectoryUnfit } from "./platform/DataDirectory.ts"
import { DirectoryLocked } from "./platform/DirectoryLock.ts"
import { exitCodes } from "./platform/ExitCodes.ts"
import type { LogOutput } from "./platform/LogOutput.ts"
import { ImportUnfinished, NotPrepared, SchemaUnknown } from "./platform/Migrations.ts"
import { SecretUnfit } from "./platform/SecretChecks.ts"
import type { SettingsShape } from "./platform/settings/Settings.ts"
import { SettingsInvalid } from "./platform/settings/SettingsReport.ts"
import { PagesUnfit } from "./surfaces/Pages.ts"
import { ListenRefused } from "./surfaces/Server.ts"
import { version } from "./Version.ts"
import { parsedUrl } from "./platform/ParsedUrl.ts"

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

const withoutPassword = (url: string) => {
  const parsed = parsedUrl(url)
  if (parsed === undefined) return "the database"
  const { hostname, port, pathname } = parsed
  return `${hostname}:${port || 5432}${pathname}`
}

/**
 * The messages of a cause. If a host name has several addresses, the failure has one error for each address and no
 * common message.
 */
const reasonOf = (cause: unknown): string | undefined => {
  if (cause instanceof AggregateError) return cause.errors.map(reasonOf).join(", ")
  return cause instanceof Error ? cause.message : undefined
}

/** Why the pod does not start, as a sentence for the person who started it. */
export class StartRefusal extends Data.TaggedError("Refusal")<{ readonly code: number; readonly text: string }> {}

const unexpectedError = (cause: Cause.Cause<unknown>) => ({
  code: exitCodes.unexpected,
  text: `The pod stopped because of an unexpected error.\n${Cause.pretty(cause)}`
})

/**
 * The exit code and the text for a cause: those of the refusal in the cause, of wrong settings, or of an unexpected
 * error.
 */
export const startRefusalOf = (cause: Cause.Cause<unknown>): { code: number; text: string } => {
  const [failure] = Cause.failures(cause)
  if (failure instanceof StartRefusal) return failure
  return failure instanceof SettingsInvalid
    ? { code: exitCodes.badSettings, text: failure.message }
    : unexpectedError(cause)
}

/** One sentence that says why the pod did not start, and the exit code for the same reason. */
export const startFailureOf = (
  cause: Cause.Cause<unknown>,
  settings: SettingsShape
): { code: number; text: string } => {
  for (const reason of [...Cause.failures(cause), ...Cause.defects(cause)]) {
    if (reason instanceof ListenRefused) {
      return {
        code: exitCodes.portTaken,
        text:
          reason.reason === "taken"
            ? `Port ${reason.port} is in use. Set POD_PORT=${reason.port + 1}, or stop the process that uses it.`
            : `The pod cannot listen on ${reason.host}:${reason.port}. Set POD_HOST to an address of this machine.`
      }
    }
    if (reason instanceof DirectoryLocked) return { code: exitCodes.directoryLocked, text: reason.message }
    if (
      reason instanceof DataDirectoryUnfit ||
      reason instanceof SecretUnfit ||
      reason instanceof ImportUnfinished ||
      reason instanceof NotPrepared
    ) {
      const isDamaged = reason instanceof DataDirectoryUnfit && reason.isDamaged === true
      return { code: isDamaged ? exitCodes.dataDamaged : exitCodes.dataUnfit, text: reason.message }
    }
    if (reason instanceof SchemaUnknown) return { code: exitCodes.schemaUnknown, text: reason.message }
    if (reason instanceof PagesUnfit) return { code: exitCodes.unexpected, text: reason.message }
    if (reason instanceof SqlError.SqlError) {
      const url = Option.getOrUndefined(settings.databaseUrl)
      const where =
        url === undefined ? `the embedded database in ${settings.dataDir}` : withoutPassword(Redacted.value(url))
      const why = reasonOf(reason.cause) ?? reason.message
      return { code: exitCodes.databaseUnreachable, text: `The database cannot be used: ${where}. ${why}` }
    }
  }
  return unexpectedError(cause)
}
