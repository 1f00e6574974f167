/** The addresses at which people and programs reach the pod. */
import { Option } from "effect"
import { isLocalhost } from "../Loopback.ts"
import type { SettingsShape } from "./Settings.ts"

/** Returns true if a server on this address accepts calls over every interface of the machine. */
export const isAnyAddress = (host: string): boolean => host === "0.0.0.0" || host === "::"

/** Returns the host as it is written in a URL: an IPv6 address has brackets there. */
const urlHost = (host: string): string => (host.includes(":") ? `[${host}]` : host)

/**
 * Returns the public address. Without a public address, the function returns an address by which programs on this
 * machine reach the pod. This address has the port `port`, which is by default the port of the settings.
 */
export const podAddress = (
  { host, port: settled, publicUrl }: Pick<SettingsShape, "host" | "port" | "publicUrl">,
  port: number = settled
): string =>
  Option.getOrElse(
    publicUrl,
    () => `http://${isLocalhost(host) || isAnyAddress(host) ? "localhost" : urlHost(host)}:${port}`
  )

/**
 * Returns the hosts by which a caller can name the pod in the header `Host`, without a port: the address on which the
 * pod listens, and the host of the public address.
 */
export const podHosts = ({ host, publicUrl }: Pick<SettingsShape, "host" | "publicUrl">): ReadonlyArray<string> => [
  urlHost(host),
  ...Option.toArray(Option.map(publicUrl, (address) => new URL(address).hostname))
]
