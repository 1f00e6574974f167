/** Finds secrets in a URL. URLs are stored in logs and histories, so a secret in one is exposed, even if it is valid. */

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

/** The refusal of a URL with a secret. */
export const secretInUrl =
  "Send the credential in a header, never in the URL. Replace the credential that was sent here, because URLs are logged."

/** Whether the query contains a credential, judged by the names of its parameters. */
export const hasSecretIn = (search: string): boolean =>
  search !== "" &&
  [...new URLSearchParams(search).keys()].some((name) => names.has(name.toLowerCase().replaceAll(/[-_]/g, "")))
