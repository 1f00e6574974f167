/** Finds unknown variables that look like settings of the pod, and suggests similar names. */
import { editDistance } from "../../shared/editDistance.ts"

/**
 * Names that begin with `POD_` but belong to other programs. These are the variables of the command line, and variables
 * that Kubernetes manifests conventionally set for a container.
 */
const foreignNames = new Set([
  "POD_API_KEY",
  "POD_URL",
  "POD_MCP_URL",
  "POD_HUB_URL",
  "POD_DOCS_URL",
  "POD_READY",
  "POD_VIA",
  "POD_HAS_OWNER",
  "POD_WAITING",
  "POD_PROFILE",
  "POD_PASSWORD",
  "POD_NAME",
  "POD_NAMESPACE",
  "POD_IP",
  "POD_UID"
])

// the maximum number of edits between similar names
const distanceMax = 3

const nearest = (name: string, known: Iterable<string>): string | undefined =>
  [...known]
    .map((candidate) => ({ candidate, distance: editDistance(name.toUpperCase(), candidate) }))
    .filter(({ distance }) => distance <= distanceMax)
    .sort((left, right) => left.distance - right.distance)[0]?.candidate

/** Names of similar settings of other servers, with the settings of the pod for the same purpose. */
const elsewhere: Readonly<Record<string, string>> = {
  POD_METRICS: "POD_METRICS_PORT or POD_METRICS_TOKEN",
  POD_WEBHOOK_ALLOW_PRIVATE: "POD_WEBHOOK_ALLOW with the addresses that webhooks may call"
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
      const other = elsewhere[name]
      if (other !== undefined) return `${name} is not a setting of the pod; set ${other}.`
      const candidate = nearest(name, known)
      return candidate === undefined
        ? `${name} is not a setting of the pod.`
        : `${name} is not a setting of the pod, did you mean ${candidate}?`
    })
