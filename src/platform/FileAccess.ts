/**
 * Finds out whether the system refuses changes to the files of the embedded database. This happens if somebody changed
 * the modes of the files, or if the file system became read-only.
 */
import { accessSync, closeSync, constants, openSync, rmSync } from "node:fs"
import { join } from "node:path"
import { systemCode } from "./FileReasons.ts"

const refusals: ReadonlySet<string | undefined> = new Set(["EACCES", "EPERM", "EROFS"])

/** Returns true if the system refuses to change the files of the database in `folder`, or to make new ones. */
export const refusesChanges = (folder: string): boolean => {
  const path = join(folder, "pod_write_probe.tmp")
  try {
    accessSync(join(folder, "global/pg_control"), constants.W_OK)
    closeSync(openSync(path, "w", 0o600))
    rmSync(path)
    return false
  } catch (error) {
    return refusals.has(systemCode(error))
  }
}

/** The parts of an error message of the engine that identify the failure. */
interface EngineError {
  readonly code?: string | undefined
  readonly message?: string | undefined
}

/**
 * Returns true if the system refused a file to the engine. PostgreSQL reports this with the code 42501, which also
 * means that a role lacks a right on a table. The function compares the message, because only the message about a file
 * ends with an error text of the operating system. The embedded engine does not translate messages.
 */
export const isFileRefusal = ({ code, message }: EngineError): boolean =>
  code === "42501" && /: (?:Permission denied|Operation not permitted|Read-only file system)$/.test(message ?? "")

/**
 * Returns true if the engine failed because it could not use a file. If the system refused to create a file, the engine
 * might believe that the file exists. So the engine can report, for example, 58P02 (the file exists already), or XX000
 * for a temporary file.
 */
export const isFileFailure = ({ code, message }: EngineError): boolean =>
  code?.startsWith("58") === true || (code === "XX000" && /^could not .*file/.test(message ?? ""))
