/**
 * Decides which addresses an artifact is allowed to show: only public web addresses. First the URL parser brings an
 * address into its standard form. So the check also refuses a private address in another notation.
 */
import { addressFault } from "../workspaces/ProviderAddress.ts"
import { parsedUrl } from "../../platform/ParsedUrl.ts"

/**
 * Returns the fault of an address. Returns undefined if the address is allowed. The function checks only the text: it
 * resolves no host name and fetches nothing. A program that fetches the address must check the resolved host and every
 * redirect.
 */
export const urlFault = (text: string): string | undefined => {
  const url = /^https?:\/\//i.test(text) ? parsedUrl(text) : undefined
  if (url === undefined) return "Use an address that begins with `http://` or `https://`."
  // Different URL parsers read these characters in different ways. So this check and the reader's browser could see two
  // different addresses.
  if (/[\\\s\p{Cc}]/u.test(text)) return "Leave out spaces, control characters and backslashes."
  if (/^https?:\/\/[^/?#]*@/i.test(text)) return "Leave out the user name: the text before @ is not part of the host."
  return addressFault(url.origin, false)
}
