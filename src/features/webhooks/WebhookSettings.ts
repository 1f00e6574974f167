/**
 * The operator's settings for webhooks, and the times of deliveries. Tests use shorter times than the standard times.
 */
import { Context } from "effect"
import { countedMax } from "../../doors/Page.ts"
import { nameLookUp } from "../outbound/NameLookUp.ts"
import type { OutboundSettings } from "../outbound/OutboundCall.ts"
import { type DeliveryTimes, standardTimes } from "./Delivery.ts"

export class WebhookSettings extends Context.Tag("pod/WebhookSettings")<
  WebhookSettings,
  {
    /** The IP addresses and ranges of the operator's own network that the pod is allowed to call for webhooks. */
    readonly allowed: ReadonlyArray<string>
    readonly times: DeliveryTimes
    /**
     * The maximum number of waiting deliveries of one webhook that come from a recovery or a replay. Without this
     * limit, these deliveries could fill the database.
     */
    readonly waitingMax: number
    /** Finds all IP addresses of a host name. */
    readonly resolve: OutboundSettings["resolve"]
  }
>() {
  /** Makes the standard settings. `times` has only the times that differ from the standard times. */
  static readonly standard = (
    allowed: ReadonlyArray<string>,
    times: Partial<DeliveryTimes> = {}
  ): typeof WebhookSettings.Service => ({
    allowed,
    times: { ...standardTimes, ...times },
    // the pod stops counting waiting deliveries at this number
    waitingMax: countedMax,
    resolve: nameLookUp()
  })
}
