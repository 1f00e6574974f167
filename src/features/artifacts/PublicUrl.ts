/**
 * Decides which addresses an artifact may show: only public web addresses. The URL parser first brings an address into
 * its standard form, so another notation of a private address is refused too.
 */
import { addressFault } from "../workspaces/ProviderAddress.ts"
import { parsedUrl } from "../../platform/ParsedUrl.ts"

/**
 * The fault of an address; undefined when it is allowed. The function checks only the text: it resolves no host name
 * and fetches nothing. A program that fetches the address must check the resolved host and every redirect.
 */
export const urlFault = (text: string): string | undefined => {
  const url = /^https?:\/\//i.test(text) ? parsedUrl(text) : undefined
  if (url === undefined) return "Use an address that begins with http:// or https://."
  // Different URL parsers read these characters in different ways. So this check and the reader's browser could see two
  // different addresses.
  if (/[\\\s\p{Cc}]/u.test(text)) return "Leave out spaces, control characters and backslashes."
  if (/^https?:\/\/[^/?#]*@/i.test(text)) return "Leave out the user name: the text before @ is not part of the host."
  return addressFault(url.origin, false)
}
