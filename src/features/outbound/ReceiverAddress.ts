/**
 * Decides which receivers of webhooks the pod is allowed to call. A receiver must have a public IP address, or an IP
 * address of the operator's own network that the operator allows. The pod checks the text of the URL when a person
 * creates the webhook, and the resolved IP address at each call.
 */
import { BlockList, isIP, isIPv6 } from "node:net"
import { urlFault, urlFormFault } from "../artifacts/PublicUrl.ts"
import { addressFault, hostOf } from "../workspaces/ProviderAddress.ts"
import { parsedUrl } from "../../platform/ParsedUrl.ts"

export interface ReceiverRules {
  /** Returns what is wrong with the text of a webhook's URL. Returns undefined if the URL is allowed. */
  readonly urlFault: (text: string) => string | undefined
  /** Returns true if the pod is allowed to connect to this IP address. */
  readonly mayConnect: (address: string) => boolean
}

/**
 * Makes the rules for the URLs and IP addresses that a pod is allowed to call. `allowed` has the IP addresses and
 * ranges of private networks that the operator of the pod allows.
 */
export const receiverRules = (allowed: ReadonlyArray<string>): ReceiverRules => {
  const own = new BlockList()
  for (const range of allowed) {
    const [address = "", bits] = range.split("/")
    const family = isIPv6(address) ? "ipv6" : "ipv4"
    if (bits === undefined) own.addAddress(address, family)
    else own.addSubnet(address, Number(bits), family)
  }
  // The block list also recognizes an IPv4 address that is written as an IPv6 address.
  const isOwn = (address: string) => own.check(address, isIPv6(address) ? "ipv6" : "ipv4")
  return {
    urlFault: (text) => {
      const fault = urlFault(text)
      const url = parsedUrl(text)
      if (fault === undefined || allowed.length === 0 || url === undefined) return fault
      const host = hostOf(url)
      // A host name can lead to an IP address of the operator's own network. So the pod checks the IP address only
      // after it has resolved the name.
      return isIP(host) !== 0 && !isOwn(host) ? fault : urlFormFault(text)
    },
    mayConnect: (address) =>
      isOwn(address) || addressFault(`http://${isIPv6(address) ? `[${address}]` : address}`, false) === undefined
  }
}
