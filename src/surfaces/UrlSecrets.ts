/**
 * Finds secrets in a URL. Logs and browser histories store URLs, so a secret in a URL is exposed. The pod must refuse
 * such a URL, even if the secret is valid.
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
  // tRPC clients that cannot set a header send their credentials in this parameter.
  "connectionparams"
])

/** The message of the refusal of a URL that contains a secret. */
export const secretInUrl =
  "Send the credential in a header, never in the URL. Replace the credential that was sent here, because URLs are logged."

/** True if the query contains a credential. The function looks only at the names of the parameters. */
export const hasSecretIn = (search: string): boolean =>
  search !== "" &&
  [...new URLSearchParams(search).keys()].some((name) => names.has(name.toLowerCase().replaceAll(/[-_]/g, "")))
