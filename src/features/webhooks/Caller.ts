/** Calls a webhook: sends the signed body to the URL that the owner of the webhook chose. */
import type { Effect } from "effect"
import { type CallResult, outboundCalls } from "../outbound/OutboundCall.ts"
import type { WebhookSettings } from "./WebhookSettings.ts"

/**
 * Makes the function that calls a receiver. The function never fails. If the call fails, the result contains the error.
 */
export const makeCaller = ({ times, ...settings }: typeof WebhookSettings.Service) => {
  const call = outboundCalls(settings)
  return (url: string, headers: Readonly<Record<string, string>>, body: string): Effect.Effect<CallResult> =>
    call({ method: "POST", url, headers, body }, times.timeout)
}
