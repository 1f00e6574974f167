/** The settings of the storage: the data directory, the database and the backups. */
import { optional, secret, withDefault } from "./Setting.ts"
import { durationOrOff, oneOf, postgresUrl, textWhere, wholeNumber } from "./SettingText.ts"

export const storageSettings = {
  dataDir: withDefault({
    name: "POD_DATA_DIR",
    area: "Storage",
    schema: textWhere(
      "a directory path, absolute or relative to the working directory (~ is not expanded)",
      (text) => text !== "" && !text.startsWith("~") && !text.includes("\0")
    ),
    default: "./data",
    doc: "Directory of the embedded database and of generated secrets; only one pod at a time may use the directory."
  }),
  databaseUrl: secret({
    name: "POD_DATABASE_URL",
    aliases: ["DATABASE_URL"],
    area: "Storage",
    schema: postgresUrl,
    fix: "set POD_DATABASE_URL=postgres://user:password@host:5432/pod, with special characters of the password percent-encoded",
    whenAbsent: "embedded database",
    doc: "URL of a PostgreSQL server, version 15 or later, instead of the embedded database."
  }),
  databasePoolMax: withDefault({
    name: "POD_DATABASE_POOL_MAX",
    area: "Storage",
    // at least 2 connections, because the driver needs a second connection to cancel a query
    schema: wholeNumber(2, 500),
    default: "10",
    doc: "Largest number of connections to PostgreSQL; the embedded database always has one connection."
  }),
  durability: withDefault({
    name: "POD_DURABILITY",
    area: "Storage",
    schema: oneOf("process", "wal-sync"),
    default: "process",
    doc: "Durability of the embedded database. process: data survives a killed process. wal-sync: data also survives a power loss, but writes are slower."
  }),
  backupDir: optional({
    name: "POD_BACKUP_DIR",
    area: "Storage",
    schema: textWhere(
      "a directory path, absolute or relative to the working directory (~ is not expanded)",
      (text) => text !== "" && !text.startsWith("~") && !text.includes("\0")
    ),
    example: "./data/backups",
    whenAbsent: "the folder “backups” in the data directory",
    doc: "Directory for backups. A backup contains the secrets of the pod. Keep a copy on another disk."
  }),
  backupEverySeconds: withDefault({
    name: "POD_BACKUP_EVERY",
    area: "Storage",
    schema: durationOrOff("1m", "365d"),
    default: "1d",
    doc: "How often the pod makes a backup without a request; off: never. If several processes serve the pod, one of them makes the backup."
  }),
  backupKeep: withDefault({
    name: "POD_BACKUP_KEEP",
    area: "Storage",
    schema: wholeNumber(1, 10_000),
    default: "7",
    doc: "How many backups the pod keeps; it deletes older ones after each new backup."
  }),
  backupBeforeMigration: withDefault({
    name: "POD_BACKUP_BEFORE_MIGRATION",
    area: "Storage",
    schema: oneOf("on", "off"),
    default: "on",
    doc: "on: before a newer version changes the schema of a database, the pod makes a backup, and keeps the last three. If the backup fails, the pod does not start. off: the pod makes no backup, so the migration cannot be undone."
  }),
  seed: withDefault({
    name: "POD_SEED",
    area: "Storage",
    schema: oneOf("none", "demo"),
    default: "none",
    doc: "demo: when the pod has an owner, it creates sample data, only once. The command `pod seed remove` deletes the sample data."
  })
}
