/** Decides which hosts are this machine. A host is a name or an IP address, with or without the brackets of a URL. */

const localhostNames: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "::1", "[::1]"])

/**
 * Returns true if the host is `localhost` or one of its two addresses. A server on another loopback address, such as
 * 127.0.0.2, cannot be reached as `localhost`.
 */
export const isLocalhost = (host: string): boolean => localhostNames.has(host.toLowerCase())

/** Returns true if only this machine can reach the host. This is so for every loopback address. */
export const isLoopback = (host: string): boolean =>
  isLocalhost(host) || /^(?:::ffff:)?127(?:\.\d{1,3}){3}$/i.test(host)
