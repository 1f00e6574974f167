/** The values that the screen shows about a webhook and its deliveries, computed from the answers of the pod. */
import type { ProcedureOutput } from "../../api/procedures.ts"
import type { Tone } from "../../ui/Badge.tsx"

export type Webhook = ProcedureOutput<"webhooks.list">[number]
export type Delivery = ProcedureOutput<"webhooks.deliveries">[number]

export type Figures = ProcedureOutput<"webhooks.figures">[number]
export type Attempt = ProcedureOutput<"webhooks.attempts">[number]

/**
 * Says how many deliveries of the last 24 hours succeeded. The percentage is rounded down, so it is 100 % only without
 * a failure.
 */
export const successText = ({ arrived, ended, nextAttemptAt }: Figures): string =>
  ended === 0
    ? nextAttemptAt === null
      ? "no call"
      : "none has ended yet"
    : `${Math.floor((100 * arrived) / ended)} % of ${ended}`

/**
 * The share of deliveries that succeeded, from 0 to 1, among the deliveries that ended in the last 24 hours. Null if
 * none has ended.
 */
export const successShare = ({ arrived, ended }: Figures): number | null => (ended === 0 ? null : arrived / ended)

/** A latency as text for people, in milliseconds or seconds. */
export const latencyText = (ms: number | null): string =>
  ms === null ? "–" : ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`

/**
 * The state of a webhook in one word, and the reason for this state. If `figures` is given, a webhook whose calls fail
 * has the state `failing`.
 */
export const stateOf = (
  { active, disabledReason }: Webhook,
  figures?: Pick<Figures, "arrived" | "ended" | "retrying">
): { word: string; tone: Tone; why?: string } => {
  if (disabledReason === "gone") {
    return { word: "stopped", tone: "bad", why: "The receiver answered 410 Gone: it wants no further calls." }
  }
  if (disabledReason === "failing") {
    return { word: "stopped", tone: "bad", why: "Every call failed for days, so the pod stopped calling." }
  }
  if (!active) return { word: "paused", tone: "warn" }
  const isFailing = figures !== undefined && (figures.retrying > 0 || figures.arrived < figures.ended)
  return isFailing ? { word: "failing", tone: "bad" } : { word: "active", tone: "good" }
}

export const deliveryTones: Readonly<Record<Delivery["status"], Tone>> = {
  pending: "plain",
  success: "good",
  failed: "bad"
}

/** The headers of a request or an answer, one in a line. */
export const headerLines = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n")

/**
 * Sample code with which a receiver checks that a call comes from the pod. The code compares signatures in constant
 * time and refuses old calls.
 */
export const verifySnippet = `import { createHmac, timingSafeEqual } from "node:crypto"

// secret: the text that begins with whsec_; body: the bytes as they came, before any JSON.parse
export const isFromPod = (secret, headers, body) => {
  const id = headers["webhook-id"]
  const seconds = Number(headers["webhook-timestamp"])
  if (!(Math.abs(Date.now() / 1000 - seconds) < 300)) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64")
  const mine = createHmac("sha256", key).update(\`\${id}.\${seconds}.\${body}\`).digest()
  return headers["webhook-signature"].split(" ").some((each) => {
    const theirs = Buffer.from(each.replace(/^v1,/, ""), "base64")
    return theirs.length === mine.length && timingSafeEqual(theirs, mine)
  })
}`
