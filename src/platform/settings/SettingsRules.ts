/** The rules about several settings. A contradiction stops the start, and a risky combination gives a warning. */
import { Option } from "effect"
import { isLoopback } from "../Loopback.ts"
import type { SettingsProblem } from "./SettingsReport.ts"
import type { SettingsShape } from "./Settings.ts"

const missingSetting = (name: string, rule: string, fix: string): SettingsProblem => ({ name, rule, fix, source: "" })

/**
 * For each model service: the setting with its address, the setting with its model, and the settings that have no
 * effect without the address.
 */
const modelServices = [
  ["POD_LLM_URL", "POD_LLM_MODEL", ["POD_LLM_KEY", "POD_LLM_DAILY_TOKENS"]],
  [
    "POD_EMBEDDING_URL",
    "POD_EMBEDDING_MODEL",
    ["POD_EMBEDDING_KEY", "POD_EMBEDDING_DIMENSIONS", "POD_EMBEDDING_DAILY_TOKENS"]
  ]
] as const

/**
 * Finds settings that contradict each other. `settings` are the valid settings. `attempted` has the names of all
 * settings that somebody tried to set. An invalid setting is already reported, so it is not checked here.
 */
export const contradictions = (
  settings: Partial<SettingsShape>,
  attempted: ReadonlySet<string>
): ReadonlyArray<SettingsProblem> => {
  const problems: Array<SettingsProblem> = []
  const password = ["POD_OWNER_PASSWORD", "POD_OWNER_PASSWORD_HASH"].find((name) => attempted.has(name))
  if (password !== undefined && !attempted.has("POD_OWNER_EMAIL")) {
    problems.push(
      missingSetting(
        "POD_OWNER_EMAIL",
        `must be set when ${password} is`,
        "set both, or remove both and use the setup link"
      )
    )
  }
  if (attempted.has("POD_OWNER_EMAIL") && password === undefined) {
    problems.push(
      missingSetting(
        "POD_OWNER_PASSWORD",
        "must be set if POD_OWNER_EMAIL is set",
        "set POD_OWNER_PASSWORD_FILE to the path of a file with the password, set POD_OWNER_PASSWORD_HASH, or remove POD_OWNER_EMAIL and use the setup link"
      )
    )
  }
  const { ownerPassword = Option.none(), ownerPasswordHash = Option.none() } = settings
  if (Option.isSome(ownerPassword) && Option.isSome(ownerPasswordHash)) {
    problems.push(
      missingSetting(
        "POD_OWNER_PASSWORD_HASH",
        "must not be set together with POD_OWNER_PASSWORD",
        "keep one of the two and remove the other"
      )
    )
  }
  for (const [service, model, more] of modelServices) {
    const isNamed = attempted.has(service)
    if (isNamed && !attempted.has(model)) {
      problems.push(
        missingSetting(model, `must be set when ${service} is`, `set ${model} to the name of a model of the service`)
      )
    }
    const needing = [model, ...more].find((name) => attempted.has(name))
    if (!isNamed && needing !== undefined) {
      problems.push(missingSetting(service, `must be set when ${needing} is`, `set ${service}, or remove ${needing}`))
    }
  }
  const { metricsPort = Option.none(), port } = settings
  if (port !== 0 && Option.contains(metricsPort, port)) {
    problems.push(
      missingSetting(
        "POD_METRICS_PORT",
        "must not be the same port as POD_PORT",
        "choose another port, or set POD_METRICS_TOKEN in place of POD_METRICS_PORT: then the metrics are at /metrics of the port of the pod"
      )
    )
  }
  if (attempted.has("POD_OIDC_ISSUERS") && !attempted.has("POD_OIDC_AUDIENCE")) {
    problems.push(
      missingSetting(
        "POD_OIDC_AUDIENCE",
        "must be set when POD_OIDC_ISSUERS is",
        "set POD_OIDC_AUDIENCE to the audience that the issuers write into assertions for this pod, or remove POD_OIDC_ISSUERS"
      )
    )
  }
  // A missing public address is an error here and not a warning. Without it, the pod could only guess its address from
  // the header `Host`, and callers choose this header. Links could be wrong or unsafe, and nobody would notice. Setting
  // the address takes only one line.
  const { host, mode } = settings
  if (mode === "production" && host !== undefined && !isLoopback(host) && !attempted.has("POD_PUBLIC_URL")) {
    problems.push(
      missingSetting(
        "POD_PUBLIC_URL",
        "must be set in production when POD_HOST is reachable from the network",
        "set POD_PUBLIC_URL=https://pod.example.com, or POD_HOST=127.0.0.1"
      )
    )
  }
  return problems
}

/**
 * Warnings about settings that are allowed, but risky or without effect. The pod prints them at its start. `isSet` says
 * whether somebody set the setting with this name.
 */
export const settingsWarnings = (settings: SettingsShape, isSet: (name: string) => boolean): ReadonlyArray<string> => {
  const warnings: Array<string> = []
  const isExposed = !isLoopback(settings.host)
  const publicUrl = Option.map(settings.publicUrl, (text) => new URL(text))
  if (isExposed && !Option.exists(publicUrl, (url) => url.protocol === "https:")) {
    warnings.push(
      `POD_HOST=${settings.host} makes the pod reachable from the network without TLS: keys and passwords are sent unencrypted. Put an https proxy in front and set POD_PUBLIC_URL.`
    )
  } else if (isExposed) {
    warnings.push(
      `POD_HOST=${settings.host} makes the pod reachable from the network: let only the proxy behind POD_PUBLIC_URL reach the port.`
    )
  } else if (Option.exists(publicUrl, (url) => url.protocol === "http:" && !isLoopback(url.hostname))) {
    warnings.push(
      "POD_PUBLIC_URL is not https, so keys and passwords are sent unencrypted between the proxy and its clients."
    )
  }
  const services = { POD_LLM_URL: settings.languageModelUrl, POD_EMBEDDING_URL: settings.embeddingUrl }
  for (const [name, address] of Object.entries(services)) {
    const url = Option.map(address, (text) => new URL(text))
    if (Option.exists(url, ({ hostname, protocol }) => protocol === "http:" && !isLoopback(hostname))) {
      warnings.push(`${name} is not https, so the key of the service and the texts of the pod are sent unencrypted.`)
    }
  }
  if (settings.newSecrets === "accept") {
    warnings.push(
      "While POD_NEW_SECRETS=accept is set, a start with a wrong secret makes all keys, sessions or stored secrets useless. Remove this setting now."
    )
  }
  if (settings.trustProxy.some((range) => range.endsWith("/0"))) {
    warnings.push("POD_TRUST_PROXY trusts every address, so a caller can pretend to have any address.")
  }
  if (settings.durability === "wal-sync" && Option.isSome(settings.databaseUrl)) {
    warnings.push("POD_DURABILITY has no effect, because POD_DATABASE_URL is set: PostgreSQL has its own durability.")
  }
  if (isSet("POD_METRICS_HOST") && Option.isNone(settings.metricsPort)) {
    warnings.push("POD_METRICS_HOST has no effect, because POD_METRICS_PORT is not set.")
  }
  return warnings
}
