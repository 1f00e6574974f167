/** Secrets the pod makes for itself on its first start, kept beside the data unless the settings bring their own. */
import { Effect, Option, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { mkdir, open, readFile } from "node:fs/promises"

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
        const made = await open(path, "wx", 0o600).catch((cause: NodeJS.ErrnoException) => {
          if (cause.code === "EEXIST") return undefined
          throw cause
        })
        if (made !== undefined) {
          await made.writeFile(randomBytes(32).toString("base64"))
          await made.sync()
          await made.close()
        }
        return Redacted.make((await readFile(path, "utf8")).trim())
      })
  })
