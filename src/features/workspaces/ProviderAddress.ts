/** Which addresses a workspace may name for a provider: public ones, in whatever spelling they come. */
import { BlockList, isIPv4, isIPv6 } from "node:net"

const loopback = new BlockList()
loopback.addSubnet("127.0.0.0", 8)
loopback.addAddress("::1", "ipv6")

/** What is not the public internet (IANA special-purpose registries), the addresses of cloud metadata among it. */
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
// Of IPv6 only 2000::/3 is given out, and in it are these, some of which carry an IPv4 address inside.
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

/** The IPv4 address in `::ffff:0:0/96`, as the URL parser writes it. */
const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/

const unmapped = (host: string): string => {
  const [, high, low] = mapped.exec(host) ?? []
  if (high === undefined || low === undefined) return host
  const [one, other] = [parseInt(high, 16), parseInt(low, 16)]
  return [one >> 8, one & 255, other >> 8, other & 255].join(".")
}

const localNames = /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home|corp|private|arpa)$/

/** What is wrong with a name, an address, or nothing. */
const hostFault = (host: string, mayBeLoopback: boolean): string | undefined => {
  const refused = "Use a public address: this one is private, local or reserved."
  if (isIPv4(host)) {
    if (mayBeLoopback && loopback.check(host)) return undefined
    return special.check(host) ? refused : undefined
  }
  if (isIPv6(host)) {
    if (mayBeLoopback && loopback.check(host, "ipv6")) return undefined
    return publicIpv6.check(host, "ipv6") && !special.check(host, "ipv6") ? undefined : refused
  }
  if (mayBeLoopback && /(?:^|\.)localhost$/.test(host)) return undefined
  return localNames.test(host) || !host.includes(".") ? refused : undefined
}

/**
 * What is wrong with a provider's base URL; undefined when nothing is. A name is judged as it is written: whoever calls
 * the address later has to look at what it resolves to, and at every redirect, once more.
 */
export const addressFault = (text: string, mayBeLoopback: boolean): string | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    return "Use an address that begins with http:// or https://."
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "" || /[?#@\\\s]/.test(text)) {
    return "Leave out user names, queries and fragments: no secret is kept here."
  }
  // The parser has written every number in its plain form by now: octal, hex, and one number for all four.
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "")
  return hostFault(unmapped(host), mayBeLoopback)
}
