/** Makes the URL and the key with which the pod calls a provider. */
import { Option, Redacted } from "effect"
import type { PodKeys } from "../../platform/Encryption.ts"
import type { ModelEndpoint } from "../../platform/models/ModelEndpoint.ts"
import { parsedUrl, withoutLastSlashes } from "../../platform/ParsedUrl.ts"
import { guardedFetch } from "../outbound/GuardedFetch.ts"
import type { OutboundSettings } from "../outbound/OutboundCall.ts"
import { openDataKey, openField } from "../vault/VaultCipher.ts"
import type { ActiveProvider } from "./ProviderStore.ts"

// the maximum time of a call in milliseconds; the default in the settings of the pod is the same
export const timeoutMs = 60_000

/**
 * Makes an endpoint that connects only to the IP addresses that the pod is allowed to call. Its URL has no slash at the
 * end, because the paths that the pod appends begin with a slash.
 */
export const endpointOf = (
  outbound: OutboundSettings,
  { model, url }: { readonly model: string; readonly url: string },
  key: Option.Option<Redacted.Redacted>
): ModelEndpoint => ({ url: withoutLastSlashes(url), model, key, timeoutMs, fetch: guardedFetch(outbound) })

/**
 * Makes the endpoint of the active provider. Returns None if the secret key of the provider cannot be decrypted. Also
 * returns None if the key was stored for another scheme, host or port than the provider has.
 */
export const endpointOfActive = (
  outbound: OutboundSettings,
  podKeys: PodKeys,
  provider: ActiveProvider
): Option.Option<ModelEndpoint> => {
  const { credential, ownerId, url } = provider
  if (credential === null) return Option.some(endpointOf(outbound, provider, Option.none()))
  const { id, sealed } = credential
  const origin = parsedUrl(url)?.origin
  if (sealed === null || sealed.url === null || origin === undefined || parsedUrl(sealed.url)?.origin !== origin) {
    return Option.none()
  }
  return openDataKey(podKeys, ownerId, sealed.dataKey).pipe(
    Option.flatMap((dataKey) => openField(dataKey, { id, personId: ownerId }, "value", sealed.value)),
    Option.map((key) => endpointOf(outbound, provider, Option.some(Redacted.make(key))))
  )
}
