/**
 * Finds secrets in a URL. URLs are stored in logs and histories, so a secret in a URL is exposed. Such a URL must be
 * refused, even if the secret is valid.
 */

/** Names of parameters that hold secrets, in small letters and without `-` and `_`. */
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
  "secret",
  // tRPC clients that cannot set a header put credentials into this parameter.
  "connectionparams"
])

/** The refusal of a URL with a secret. */
export const secretInUrl =
  "Send the credential in a header, never in the URL. Replace the credential that was sent here, because URLs are logged."

/** Whether the query contains a credential. The function looks only at the names of the parameters. */
export const hasSecretIn = (search: string): boolean =>
  search !== "" &&
  [...new URLSearchParams(search).keys()].some((name) => names.has(name.toLowerCase().replaceAll(/[-_]/g, "")))
