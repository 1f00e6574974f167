/**
 * Opens the setup page in the browser of the person who starts a pod that has no owner. The pod opens no browser on a
 * machine without a screen. If the browser cannot be opened, the start continues, because the terminal shows the link
 * too.
 */
import { Effect } from "effect"
import { rmSync, writeFileSync } from "node:fs"

export interface StartEnvironment {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  /** True if a person reads the output in a terminal and can type there. */
  readonly isTerminal: boolean
  readonly isInContainer: () => boolean
}

const isSet = (value: string | undefined): boolean =>
  value !== undefined && value !== "" && value !== "0" && value !== "false"

/** Returns true if the process runs on the machine of the person at the terminal, with a screen. */
export const isOnLocalScreen = ({ environment, isInContainer, isTerminal, platform }: StartEnvironment): boolean => {
  const has = (name: string) => isSet(environment[name])
  if (!isTerminal || has("CI") || has("CONTINUOUS_INTEGRATION")) return false
  if (has("SSH_CONNECTION") || has("SSH_CLIENT") || has("SSH_TTY")) return false
  const hasScreen =
    platform === "darwin" || platform === "win32" || has("DISPLAY") || has("WAYLAND_DISPLAY") || has("WSL_DISTRO_NAME")
  return hasScreen && !isInContainer()
}

export const currentEnvironment = (isInContainer: () => boolean): StartEnvironment => ({
  environment: process.env,
  platform: process.platform,
  isTerminal: process.stdin.isTTY && process.stdout.isTTY,
  isInContainer
})

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)

/** Makes an HTML page that sends the browser on to the link. */
export const redirectPage = (link: string): string =>
  `<!doctype html><meta charset="utf-8"><title>Pod</title><meta http-equiv="refresh" content="0; url=${escapeHtml(link)}"><a href="${escapeHtml(link)}">Set up this pod</a>\n`

/**
 * Writes the link to a file that only this user can read, and opens the file in the browser. The link is not an
 * argument of the browser, because every user of the machine can read the arguments of a program. A person with this
 * link could become the owner of the pod.
 */
export const openLink = (link: string, file: string, open: (target: string) => Promise<unknown>): Effect.Effect<void> =>
  Effect.tryPromise(async () => {
    rmSync(file, { force: true })
    writeFileSync(file, redirectPage(link), { flag: "wx", mode: 0o600 })
    await open(file)
  }).pipe(Effect.catchAll(({ cause }) => Effect.logDebug("The browser cannot be opened.", cause)))
