/**
 * Keeps the setup link in a file of the data directory while the pod has no owner. The operator of a pod that runs as a
 * service sees no terminal output, and reads the link in this file. The file exists as long as the link is valid.
 */
import { Context, Effect, Layer } from "effect"
import { renameSync, rmSync, writeFileSync } from "node:fs"
import { unwritableReason } from "../../platform/FileReasons.ts"

export const setupLinkName = "setup-link"

/**
 * Returns the path of a page that leads to the setup link. If the pod opens a browser at its start, it first writes
 * this page for the browser.
 */
export const setupPageOf = (path: string): string => `${path}.html`

// Everybody who can read the link can become the owner of the pod. So only the operating system user that runs the pod
// is allowed to read the file.
const fileMode = 0o600

/**
 * Runs `work`, which changes the file. If `work` fails, only logs the error, because the pod can run without the file.
 */
const logErrors = (what: string, path: string, work: () => void): Effect.Effect<void> =>
  Effect.catchAllDefect(Effect.sync(work), (cause) =>
    Effect.logWarning(`The file ${path} cannot be ${what}: ${unwritableReason(cause)}.`)
  )

export class SetupLinkFile extends Context.Tag("pod/SetupLinkFile")<
  SetupLinkFile,
  {
    /** Writes the link into the file. Replaces an earlier link. */
    readonly write: (url: string) => Effect.Effect<void>
    /** Removes the file and the page that leads to the link. The pod calls this when it has an owner. */
    readonly remove: Effect.Effect<void>
  }
>() {
  /** The layer for a file at this path. If the path is undefined, the pod writes no file. */
  static readonly layer = (path: string | undefined) =>
    Layer.succeed(
      this,
      path === undefined
        ? { write: () => Effect.void, remove: Effect.void }
        : {
            write: (url) =>
              logErrors("written", path, () => {
                const draft = `${path}.${process.pid}`
                rmSync(draft, { force: true })
                // A mode has an effect only when the file is created. So the draft (a temporary file) must be a new
                // file. Then no other user can read it, not even while the pod writes it.
                writeFileSync(draft, `${url}\n`, { flag: "wx", mode: fileMode })
                renameSync(draft, path)
                // The page of an earlier start leads to an earlier link, so the pod removes this page.
                rmSync(setupPageOf(path), { force: true })
              }),
            remove: logErrors("removed", path, () => {
              for (const file of [path, setupPageOf(path)]) rmSync(file, { force: true })
            })
          }
    )
}
