/**
 * Decides which URLs a workspace is allowed to use for a model provider. Only hosts on the public internet are allowed.
 * An IPv4 address can be written in several forms, and the rule is the same for every form.
 */
import { BlockList, isIPv4, isIPv6 } from "node:net"
import { isLoopback } from "../../platform/Loopback.ts"
import { parsedUrl } from "../../platform/ParsedUrl.ts"

/**
 * The IP addresses outside the public internet, from the IANA registries of special-purpose addresses. They include the
 * IP addresses of cloud metadata services.
 */
const special = new BlockList()
const specialIpv4: ReadonlyArray<readonly [string, number]> = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3]
]
for (const [net, bits] of specialIpv4) special.addSubnet(net, bits)
// In IPv6, only the addresses in 2000::/3 are public. The special blocks below are parts of 2000::/3, and some of them
// contain an IPv4 address.
const publicIpv6 = new BlockList()
publicIpv6.addSubnet("2000::", 3, "ipv6")
for (const [net, bits] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20]
] as const) {
  special.addSubnet(net, bits, "ipv6")
}

/**
 * Matches an IPv6 address in `::ffff:0:0/96`, which contains an IPv4 address. Matches only the form that the URL parser
 * writes.
 */
const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/

const ipv4OfMapped = (host: string): string => {
  const [, high, low] = mapped.exec(host) ?? []
  if (high === undefined || low === undefined) return host
  const [one, other] = [parseInt(high, 16), parseInt(low, 16)]
  return [one >> 8, one & 255, other >> 8, other & 255].join(".")
}

const localNames = /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home|corp|private|arpa)$/

/**
 * Checks a host name or an IP address. Returns what is wrong with the host, or undefined if nothing is wrong. If
 * `mayBeLoopback` is true, addresses of this machine are allowed too.
 */
const hostFault = (host: string, mayBeLoopback: boolean): string | undefined => {
  const refused = "Use a public address: this address is private, local or reserved."
  if (mayBeLoopback && (isLoopback(host) || host.endsWith(".localhost"))) return undefined
  if (isIPv4(host)) return special.check(host) ? refused : undefined
  if (isIPv6(host)) return publicIpv6.check(host, "ipv6") && !special.check(host, "ipv6") ? undefined : refused
  return localNames.test(host) || !host.includes(".") ? refused : undefined
}

/** Returns the host of a URL, without IPv6 brackets and without a dot at the end. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "")

/**
 * Checks the base URL of a provider. Returns what is wrong with the URL, or undefined if the URL is allowed. If the URL
 * has a host name, this function checks only the text of the name. The code that calls the URL later must also check
 * the resolved IP address and every redirect.
 */
export const addressFault = (text: string, mayBeLoopback: boolean): string | undefined => {
  const url = parsedUrl(text)
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    return "Use an address that begins with `http://` or `https://`."
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "" || /[?#@\\\s]/.test(text)) {
    return "Leave out user names, passwords, queries and fragments. This field must not contain secrets."
  }
  // The URL parser has converted every form of an IPv4 address (octal, hexadecimal, a single number) to four decimal
  // numbers.
  return hostFault(ipv4OfMapped(hostOf(url)), mayBeLoopback)
}
