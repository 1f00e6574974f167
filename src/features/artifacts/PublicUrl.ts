/**
 * Checks the addresses that an artifact shows. Only public web addresses are allowed. The check uses the standard form
 * of an address, so it also refuses a private address in an unusual notation.
 */
import { addressFault } from "../workspaces/ProviderAddress.ts"
import { parsedUrl } from "../../platform/ParsedUrl.ts"

/** Returns what is wrong with the form of an address, whatever its host is. Returns undefined if the form is allowed. */
export const urlFormFault = (text: string): string | undefined => {
  if (!/^https?:\/\//i.test(text) || parsedUrl(text) === undefined)
    return "Use an address that begins with `http://` or `https://`."
  // URL parsers read these characters in different ways. So the browser could open another address than the one that
  // this function checked.
  if (/[\\\s\p{Cc}]/u.test(text)) return "Leave out spaces, control characters and backslashes."
  if (/^https?:\/\/[^/?#]*@/i.test(text)) return "Leave out the user name: the text before @ is not part of the host."
  return undefined
}

/**
 * Returns the fault of an address. Returns undefined if the address is allowed. The function checks only the text: it
 * resolves no host name and fetches nothing. A program that fetches the address must check the resolved host and every
 * redirect.
 */
export const urlFault = (text: string): string | undefined =>
  urlFormFault(text) ?? addressFault(parsedUrl(text)?.origin ?? "", false)
