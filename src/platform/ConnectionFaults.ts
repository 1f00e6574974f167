/** Why the pod cannot connect to PostgreSQL: whether waiting can help, and what the operator can do. */
import type { SqlError } from "@effect/sql"
import { sqlStateOf } from "./Database.ts"
import { codeOf } from "./ErrorCode.ts"

export interface ConnectionFault {
  /** True if the same start can succeed a moment later. */
  readonly mayPass: boolean
  /** What the operator can do. Undefined if the reason that the server gave says it. */
  readonly remedy?: string
}

const lasting = (remedy: string): ConnectionFault => ({ mayPass: false, remedy })
const passing = (remedy?: string): ConnectionFault => ({ mayPass: true, ...(remedy === undefined ? {} : { remedy }) })

const noTls = lasting(
  "Turn on TLS at the server (ssl = on), or remove sslmode from the URL of the database if the network between the pod and the server is private."
)
const unknownCertificate = lasting(
  "If your own authority made the certificate of the server, name its file in the URL of the database with sslrootcert=/path/to/ca.pem. The host in the URL of the database must be a name of the certificate."
)
const noPassword = lasting("The URL of the database needs a password, such as postgres://user:password@host:5432/pod.")

/** The faults that the server reports, by the SQLSTATE. */
const byState: Readonly<Record<string, ConnectionFault>> = {
  "28P01": lasting("Check the user and the password in the URL of the database."),
  "28000": lasting("Check the user in the URL of the database, and the rules of the server for logins (pg_hba.conf)."),
  "3D000": lasting("Create the database, or correct its name in the URL of the database."),
  // The server has no free connection.
  "53300": passing()
}

/** The faults of the system, by the code of Node. */
const byCode: Readonly<Record<string, ConnectionFault>> = {
  ECONNREFUSED: passing("Start PostgreSQL, or check the host and the port in the URL of the database."),
  EACCES: lasting("Let the system user of the pod open the socket of PostgreSQL.")
}

/** The syntax of a host name: labels of letters, digits, hyphens and underscores. */
const hostForm =
  /^(?=.{1,253}\.?$)(?:[\p{L}\p{N}_](?:[\p{L}\p{N}_-]{0,61}[\p{L}\p{N}_])?\.)*[\p{L}\p{N}_](?:[\p{L}\p{N}_-]{0,61}[\p{L}\p{N}_])?\.?$/u

const unknownHost = (cause: unknown): ConnectionFault => {
  const host = cause instanceof Error && "hostname" in cause ? cause.hostname : undefined
  // The name of a server that starts at the same time can be unknown for a moment, such as in a network of containers.
  return typeof host !== "string" || hostForm.test(host)
    ? passing("Check the host in the URL of the database.")
    : lasting(`${JSON.stringify(host)} is not a host name: correct it in the URL of the database.`)
}

/** The codes of Node for a certificate that it does not trust, and for a failed TLS handshake. */
const tlsCode = /CERT|^UNABLE_TO_|^ERR_SSL_|^ERR_TLS_|^EPROTO$|^HOSTNAME_MISMATCH$/

const isMissingFile = (cause: unknown): cause is NodeJS.ErrnoException =>
  cause instanceof Error && codeOf(cause) === "ENOENT" && "syscall" in cause && cause.syscall !== "connect"

/**
 * Finds out why a connection failed. Waiting can help if the server does not answer yet, is starting, or has no free
 * connection. Waiting does not help against a refused login, a missing database, missing TLS or a failed migration.
 */
export const connectionFault = (error: SqlError.SqlError): ConnectionFault => {
  const state = sqlStateOf(error)
  if (state !== undefined) {
    return byState[state] ?? { mayPass: state.startsWith("08") || state.startsWith("57") }
  }
  const { cause } = error
  const code = codeOf(cause)
  const message = cause instanceof Error ? cause.message : ""
  // These errors of the driver have no code, so their texts are compared.
  if (message === "The server does not support SSL connections") return noTls
  if (message.includes("password must be a string") || message.includes("password must be a non-empty string")) {
    return noPassword
  }
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return unknownHost(cause)
  if (isMissingFile(cause)) return lasting("Correct the path of this file in the URL of the database.")
  if (code !== undefined && tlsCode.test(code)) return unknownCertificate
  return byCode[code ?? ""] ?? passing()
}
