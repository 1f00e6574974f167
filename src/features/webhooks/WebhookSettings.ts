/** The operator's settings for webhooks, and the times of deliveries. Tests use shorter times. */
import { Context } from "effect"
import { lookup } from "node:dns/promises"
import { countedMost } from "../../doors/Page.ts"
import type { OutboundSettings } from "../outbound/OutboundCall.ts"
import { type DeliveryTimes, standardTimes } from "./Delivery.ts"

export class WebhookSettings extends Context.Tag("pod/WebhookSettings")<
  WebhookSettings,
  {
    /** The addresses and ranges of the operator's own network that the pod may call for webhooks. */
    readonly allowed: ReadonlyArray<string>
    readonly times: DeliveryTimes
    /**
     * The maximum number of deliveries of one webhook that wait because of a recovery or a replay. Without this limit,
     * the waiting deliveries could fill the database.
     */
    readonly waitingMost: number
    /** Looks up all addresses of a host name. */
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
    waitingMost: countedMost, // the number at which the count of waiting deliveries stops
    resolve: (host) => lookup(host, { all: true })
  })
}
