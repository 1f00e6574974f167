/** Parses URLs in the same way on every version of Node, and removes slashes at their end. */

/**
 * Returns the parsed URL, or undefined if the text is not a URL. The pod does not use `URL.canParse`, because Node 20
 * optimizes this function wrongly. The optimized function refuses URLs with letters such as ü.
 */
export const parsedUrl = (text: string): URL | undefined => {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

/**
 * Returns the text without slashes at its end. Reads only these slashes. A regular expression would begin again at each
 * slash of the text, and take half a minute for a text of a quarter of a megabyte.
 */
export const withoutLastSlashes = (text: string): string => {
  let end = text.length
  while (text.endsWith("/", end)) end -= 1
  return text.slice(0, end)
}
