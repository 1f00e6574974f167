/** Parses URLs in the same way on every version of Node. */

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
