/** Secrets the pod makes for itself on its first start, kept beside the data unless the settings bring their own. */
import { Effect, Option, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import { link, mkdir, open, readFile, unlink } from "node:fs/promises"

/**
 * The name appears only once the content is complete and on the disk: a process that is killed in between, or a second
 * one that reads at that moment, would otherwise go on with an empty secret.
 */
const makeSecret = async (path: string): Promise<void> => {
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

/**
 * The secret of this name: the one the settings gave, else the one in `<dataDir>/secrets/<name>`, else a new one put
 * there (0600). Two processes that start together end up with the same one: whoever creates the file first wins.
 */
export const secretNamed = (
  name: "key-pepper" | "session-secret",
  given: Option.Option<Redacted.Redacted>,
  dataDir: string
): Effect.Effect<Redacted.Redacted> =>
  Option.match(given, {
    onSome: Effect.succeed,
    onNone: () =>
      Effect.promise(async () => {
        const folder = `${dataDir}/secrets`
        const path = `${folder}/${name}`
        await mkdir(folder, { recursive: true, mode: 0o700 })
        if (!existsSync(path)) await makeSecret(path)
        return Redacted.make((await readFile(path, "utf8")).trim())
      })
  })
