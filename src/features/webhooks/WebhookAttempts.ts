/** Counts the calls to webhooks that have ended since the start of this process, for the metrics. */
import { Context, Layer } from "effect"
import type { Outcome } from "./CallStore.ts"

/**
 * `retried`: the call failed, and the pod will repeat it. `failed`: the call failed, and the pod will not repeat it.
 */
export type AttemptResult = "success" | "retried" | "failed"

const resultOf: Readonly<Record<Outcome["status"], AttemptResult>> = {
  success: "success",
  pending: "retried",
  failed: "failed"
}

export class WebhookAttempts extends Context.Tag("pod/WebhookAttempts")<
  WebhookAttempts,
  {
    readonly ended: (status: Outcome["status"]) => void
    readonly counts: () => Readonly<Record<AttemptResult, number>>
  }
>() {
  static readonly layer = Layer.sync(this, () => {
    const counted: Record<AttemptResult, number> = { success: 0, retried: 0, failed: 0 }
    return {
      ended: (status: Outcome["status"]) => {
        counted[resultOf[status]] += 1
      },
      counts: () => ({ ...counted })
    }
  })
}
