/**
 * Limits how many calls one credential makes in a minute. Calls without a credential are limited for each address of a
 * client. Each node counts its own calls, in fixed windows of a minute.
 */
import { Context, Layer } from "effect"
import { TooMany } from "./Failure.ts"

const windowMs = 60_000
// the maximum number of counted credentials; beyond this number, a new credential has no limit until the next window
const creditsMax = 100_000

/** How many calls a credential has left in the current window. */
export interface Allowance {
  readonly limit: number
  readonly remaining: number
  readonly resetSeconds: number
  readonly isExceeded: boolean
}

export class RateLimit extends Context.Tag("pod/RateLimit")<
  RateLimit,
  {
    /** Counts one call of this credential and returns how many calls the credential has left. */
    readonly take: (credentialId: string, nowMs: number) => Allowance
  }
>() {
  /** Makes the rate limiter. `perMinute` is the maximum number of calls that each credential can make in a minute. */
  static readonly layer = (perMinute: number) =>
    Layer.sync(this, () => {
      let windowStartMs = 0
      const counts = new Map<string, number>()
      return {
        take: (credentialId, nowMs) => {
          if (nowMs - windowStartMs >= windowMs) {
            windowStartMs = nowMs - (nowMs % windowMs)
            counts.clear()
          }
          const usedCount = (counts.get(credentialId) ?? 0) + 1
          if (usedCount <= perMinute + 1 && (counts.size < creditsMax || counts.has(credentialId))) {
            counts.set(credentialId, usedCount)
          }
          return {
            limit: perMinute,
            remaining: Math.max(0, perMinute - usedCount),
            resetSeconds: Math.max(1, Math.ceil((windowStartMs + windowMs - nowMs) / 1000)),
            isExceeded: usedCount > perMinute
          }
        }
      }
    })
}

export const tooMany = ({ limit, resetSeconds }: Allowance): TooMany =>
  new TooMany({
    why: `The caller made more than ${limit} calls in a minute. Try again in ${resetSeconds} seconds.`,
    retryAfterSeconds: resetSeconds
  })

/**
 * Returns the headers that tell clients how many calls they have left. The headers follow the IETF draft "RateLimit
 * header fields" in its form with three headers, because most clients read that form.
 */
export const allowanceHeaders = (allowance: Allowance): Readonly<Record<string, string>> => ({
  "ratelimit-limit": String(allowance.limit),
  "ratelimit-remaining": String(allowance.remaining),
  "ratelimit-reset": String(allowance.resetSeconds),
  "ratelimit-policy": `${allowance.limit};w=60`
})
