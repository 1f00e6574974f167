/** Secrets in a URL: it lands in logs and histories, so a secret in it is spent even when it is right. */

/** The names of parameters, in small letters without `-` and `_`. */
const names: ReadonlySet<string> = new Set([
  "key",
  "apikey",
  "accesskey",
  "token",
  "accesstoken",
  "authtoken",
  "sessiontoken",
  "bearer",
  "authorization",
  "secret"
])

/** What is said to whoever sent one. */
export const secretInUrl = "Send the credential in a header, never in the URL; replace the one that was sent here."

/** Whether what follows `?` carries a credential, by the names of its parameters. */
export const hasSecretIn = (search: string): boolean =>
  search !== "" &&
  [...new URLSearchParams(search).keys()].some((name) => names.has(name.toLowerCase().replaceAll(/[-_]/g, "")))
