/** Secrets the pod makes for itself on its first start, kept beside the data unless the settings bring their own. */
import { Effect, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import { link, mkdir, open, readFile, unlink } from "node:fs/promises"

export const secretNames = ["key-pepper", "session-secret"] as const
export type SecretName = (typeof secretNames)[number]

/** Where the pod keeps a secret that no setting brings. */
export const secretPath = (dataDir: string, name: SecretName): string => `${dataDir}/secrets/${name}`

/** On the disk for good, and not only until the power goes. */
const syncFolder = async (folder: string): Promise<void> => {
  const opened = await open(folder, "r")
  await opened.sync().finally(() => opened.close())
}

/**
 * The name appears only once the content is complete and on the disk: a process that is killed in between, or a second
 * one that reads at that moment, would otherwise go on with an empty secret.
 */
const writeSecret = async (path: string): Promise<void> => {
  const partial = `${path}.${process.pid}`
  const made = await open(partial, "w", 0o600)
  await made.writeFile(randomBytes(32).toString("base64"))
  await made.sync()
  await made.close()
  await link(partial, path).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== "EEXIST") throw cause
  })
  await unlink(partial)
}

/** The secret kept in `<dataDir>/secrets`; undefined when there is none. */
export const keptSecret = (dataDir: string, name: SecretName): Effect.Effect<Redacted.Redacted | undefined> =>
  Effect.promise(async () => {
    const path = secretPath(dataDir, name)
    return existsSync(path) ? Redacted.make((await readFile(path, "utf8")).trim()) : undefined
  })

/**
 * Makes the secret and keeps it (0600). Two processes that start together end up with the same one: whoever creates
 * the file first wins.
 */
export const makeSecret = (dataDir: string, name: SecretName): Effect.Effect<Redacted.Redacted> =>
  Effect.promise(async () => {
    const folder = `${dataDir}/secrets`
    const path = secretPath(dataDir, name)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeSecret(path)
    await syncFolder(folder)
    return Redacted.make((await readFile(path, "utf8")).trim())
  })
