/** The rules between settings: what contradicts itself stops the start, what is merely risky is said. */
import { Option } from "effect"
import type { SettingsProblem } from "./SettingsReport.ts"
import type { SettingsShape } from "./Settings.ts"

/** Whether only this machine can reach the address. */
export const isLoopback = (host: string): boolean => /^(localhost|\[?::1\]?|(::ffff:)?127(\.\d{1,3}){3})$/i.test(host)

const missing = (name: string, rule: string, fix: string): SettingsProblem => ({ name, rule, fix, source: "" })

/**
 * In: the settings that could be read, and the names somebody tried to set. A setting that is wrong by itself is
 * reported already, so it contradicts nothing here.
 */
export const contradictions = (
  settings: Partial<SettingsShape>,
  attempted: ReadonlySet<string>
): ReadonlyArray<SettingsProblem> => {
  const problems: Array<SettingsProblem> = []
  if (attempted.has("POD_OWNER_PASSWORD") && !attempted.has("POD_OWNER_EMAIL")) {
    problems.push(
      missing(
        "POD_OWNER_EMAIL",
        "must be set when POD_OWNER_PASSWORD is",
        "set both, or remove both and use the setup link"
      )
    )
  }
  if (attempted.has("POD_OWNER_EMAIL") && !attempted.has("POD_OWNER_PASSWORD")) {
    problems.push(
      missing(
        "POD_OWNER_PASSWORD",
        "must be set when POD_OWNER_EMAIL is",
        "let POD_OWNER_PASSWORD_FILE name a file with the password, or remove POD_OWNER_EMAIL and use the setup link"
      )
    )
  }
  // An error, not a warning: without it the pod could only guess its address from the Host header, which callers
  // choose. Links and cookies would be wrong or unsafe in silence, and the cure is one line.
  const { host, mode } = settings
  if (mode === "production" && host !== undefined && !isLoopback(host) && !attempted.has("POD_PUBLIC_URL")) {
    problems.push(
      missing(
        "POD_PUBLIC_URL",
        "must be set in production when POD_HOST is reachable from the network",
        "set POD_PUBLIC_URL=https://pod.example.com, or POD_HOST=127.0.0.1"
      )
    )
  }
  return problems
}

/** Sentences for the banner about settings that are allowed and risky. */
export const settingsWarnings = (settings: SettingsShape): ReadonlyArray<string> => {
  const warnings: Array<string> = []
  const isExposed = !isLoopback(settings.host)
  const publicUrl = Option.map(settings.publicUrl, (text) => new URL(text))
  if (isExposed && !Option.exists(publicUrl, (url) => url.protocol === "https:")) {
    warnings.push(
      `POD_HOST=${settings.host} makes the pod reachable from the network without TLS: keys and passwords travel readable. Put an https proxy in front and set POD_PUBLIC_URL.`
    )
  } else if (isExposed) {
    warnings.push(
      `POD_HOST=${settings.host} makes the pod reachable from the network: let only the proxy behind POD_PUBLIC_URL reach the port.`
    )
  } else if (Option.exists(publicUrl, (url) => url.protocol === "http:" && !isLoopback(url.hostname))) {
    warnings.push("POD_PUBLIC_URL is not https: keys and passwords travel readable between the proxy and its visitors.")
  }
  if (settings.newSecrets === "accept") {
    warnings.push("POD_NEW_SECRETS=accept lets a mistaken secret make every key or session useless: remove it now.")
  }
  if (settings.trustProxy.some((range) => range.endsWith("/0"))) {
    warnings.push("POD_TRUST_PROXY believes every address, so callers can choose the address they seem to come from.")
  }
  return warnings
}
