/** Which addresses an artifact may show: public ones of the web, whatever way they are written. */
import { addressFault } from "../workspaces/ProviderAddress.ts"

/**
 * What is wrong with an address; undefined when nothing is. Names are judged as they are written: nothing is looked up
 * here and nothing is fetched, and whoever fetches it looks at what the name resolves to and at every redirect.
 */
export const urlFault = (text: string): string | undefined => {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return "Use an address that begins with http:// or https://."
  // What parsers disagree on would be one address here and another one for the reader.
  if (/[\\\s\p{Cc}]/u.test(text)) return "Leave out spaces, control characters and backslashes."
  if (/^https?:\/\/[^/?#]*@/i.test(text)) return "Leave out the user name: what stands before @ is not where it leads."
  return addressFault(new URL(text).origin, false)
}
