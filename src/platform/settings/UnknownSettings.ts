/** Finds unknown variables that look like settings of the pod, and suggests similar names. */
import { nearName } from "../../shared/nearName.ts"

/**
 * Names that begin with `POD_` but belong to other programs. These are the variables of the command line, and variables
 * that Kubernetes manifests conventionally set for a container.
 */
const foreignNames = new Set([
  "POD_API_KEY",
  "POD_URL",
  "POD_CONSOLE_URL",
  "POD_MCP_URL",
  "POD_HUB_URL",
  "POD_DOCS_URL",
  "POD_READY",
  "POD_VIA",
  "POD_HAS_OWNER",
  "POD_WAITING",
  "POD_DATABASE",
  "POD_DATABASE_BYTES",
  "POD_COUNTS",
  "POD_PROFILE",
  "POD_PASSWORD",
  "POD_NAMESPACE",
  "POD_IP",
  "POD_UID"
])

/**
 * Every name begins with the prefix, so only the parts after it are compared. Otherwise short names would be similar to
 * all other short names.
 */
const withoutPrefix = (name: string): string => name.replace(/^POD_/i, "")

/** Names of similar settings of other servers, with the settings of the pod for the same purpose. */
const elsewhere: Readonly<Record<string, string>> = {
  POD_METRICS: "POD_METRICS_PORT or POD_METRICS_TOKEN",
  POD_WEBHOOK_ALLOW_PRIVATE: "POD_WEBHOOK_ALLOW with the addresses that webhooks may call"
}

/** What a person probably meant by an unknown name, as the end of a sentence. Undefined if no name is similar. */
export const meantInstead = (name: string, known: Iterable<string>): string | undefined => {
  const other = elsewhere[name.toUpperCase()]
  if (other !== undefined) return `set ${other}`
  const candidate = nearName(withoutPrefix(name), known, withoutPrefix)
  return candidate === undefined ? undefined : `did you mean ${candidate}?`
}

/** Returns one sentence for each unknown `POD_…` name. `names` are the variables that are set. */
export const unknownSettingMessages = (
  names: ReadonlyArray<string>,
  known: ReadonlySet<string>
): ReadonlyArray<string> =>
  names
    .filter((name) => /^POD_/i.test(name) && !known.has(name) && !foreignNames.has(name))
    .sort()
    .map((name) => {
      const meant = meantInstead(name, known)
      const end = meant === undefined ? "." : meant.endsWith("?") ? `, ${meant}` : `; ${meant}.`
      return `${name} is not a setting of the pod${end}`
    })
