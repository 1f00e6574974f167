/** Finds the reason why a pod could not start, and says what the person who started it can do. */
import { SqlError } from "@effect/sql"
import { Cause, Option } from "effect"
import { type ConnectionFault, connectionFault } from "./platform/ConnectionFaults.ts"
import { DataDirectoryUnfit } from "./platform/DataDirectoryUnfit.ts"
import { DirectoryLocked } from "./platform/DirectoryLock.ts"
import { exitCodes } from "./platform/ExitCodes.ts"
import { ImportUnfinished, NotPrepared, SchemaUnknown } from "./platform/Migrations.ts"
import { databasePlace } from "./platform/Postgres.ts"
import { SecretUnfit } from "./platform/SecretChecks.ts"
import { portHolder } from "./platform/PortHolder.ts"
import type { SettingsShape } from "./platform/settings/Settings.ts"
import { unexpectedError } from "./StartRefusal.ts"
import { PagesUnfit } from "./surfaces/Pages.ts"
import { ListenRefused } from "./surfaces/Server.ts"

/**
 * Returns the messages of a cause as one text. If a host name has several addresses, the error of a failed
 * connection contains one error for each address, and has no message of its own.
 */
const reasonOf = (cause: unknown): string | undefined => {
  if (cause instanceof AggregateError) return cause.errors.map(reasonOf).join(", ")
  return cause instanceof Error ? cause.message : undefined
}

const portTaken = ({ port, settings }: ListenRefused): string => {
  const holder = portHolder(port)
  return holder === undefined
    ? `Port ${port} is in use. Set ${settings}_PORT=${port + 1}, or stop the process that uses it.`
    : `Port ${port} is in use by pid ${holder.pid} (${holder.name}). Set ${settings}_PORT=${port + 1}, or stop this process.`
}

const codeOf = ({ state }: DataDirectoryUnfit): number => {
  if (state === undefined) return exitCodes.badSettings
  return state === "damaged" ? exitCodes.dataDamaged : exitCodes.dataUnfit
}

/** Returns one sentence that says why the pod did not start, and the exit code for the same reason. */
export const startFailureOf = (
  cause: Cause.Cause<unknown>,
  settings: SettingsShape
): { code: number; text: string; mayPass?: boolean } => {
  for (const reason of [...Cause.failures(cause), ...Cause.defects(cause)]) {
    if (reason instanceof ListenRefused) {
      return {
        code: exitCodes.badSettings,
        text:
          reason.reason === "taken"
            ? portTaken(reason)
            : `The pod cannot listen on ${reason.host}:${reason.port}. Set ${reason.settings}_HOST to an address of this machine.`
      }
    }
    if (reason instanceof DirectoryLocked) return { code: exitCodes.directoryLocked, text: reason.message }
    if (reason instanceof DataDirectoryUnfit) return { code: codeOf(reason), text: reason.message }
    if (reason instanceof SecretUnfit) {
      return { code: reason.isMissing === true ? exitCodes.dataUnfit : exitCodes.badSettings, text: reason.message }
    }
    if (reason instanceof ImportUnfinished || reason instanceof NotPrepared) {
      return { code: exitCodes.dataUnfit, text: reason.message }
    }
    if (reason instanceof SchemaUnknown) return { code: exitCodes.schemaUnknown, text: reason.message }
    if (reason instanceof PagesUnfit) return { code: exitCodes.unexpected, text: reason.message }
    if (reason instanceof SqlError.SqlError) {
      const url = Option.getOrUndefined(settings.databaseUrl)
      const where = url === undefined ? `the embedded database in ${settings.dataDir}` : databasePlace(url)
      const why = reasonOf(reason.cause) ?? reason.message
      const { mayPass, remedy }: ConnectionFault = url === undefined ? { mayPass: true } : connectionFault(reason)
      const sentences = [`The database cannot be used: ${where}.`, why, ...(remedy === undefined ? [] : [remedy])]
      return {
        code: exitCodes.databaseUnreachable,
        text: sentences.map((sentence) => sentence.replace(/[.]?$/, ".")).join(" "),
        mayPass
      }
    }
  }
  return unexpectedError(cause)
}
