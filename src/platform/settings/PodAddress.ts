/** The address at which people and programs reach the pod. */
import { Option } from "effect"
import type { SettingsShape } from "./Settings.ts"

/**
 * The hosts that a program on this machine can reach as `localhost`: the loopback addresses, and the addresses that
 * mean every interface.
 */
const reachedByLocalhost = new Set(["localhost", "127.0.0.1", "::1", "[::1]", "0.0.0.0", "::", "[::]"])

/**
 * Returns the public address. Without a public address, the function returns an address by which programs on this
 * machine reach the pod. This address has the port `port`, which is by default the port of the settings.
 */
export const podAddress = (
  { host, port: settled, publicUrl }: Pick<SettingsShape, "host" | "port" | "publicUrl">,
  port: number = settled
): string =>
  Option.getOrElse(publicUrl, () => {
    if (reachedByLocalhost.has(host.toLowerCase())) return `http://localhost:${port}`
    return `http://${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}:${port}`
  })
