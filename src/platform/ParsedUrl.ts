/** Parses URLs. */

/**
 * The parsed URL. Undefined if the text is not a URL. The pod does not use `URL.canParse`. On Node 20, after the
 * compiler has optimized `URL.canParse`, it refuses URLs with letters such as ü.
 */
export const parsedUrl = (text: string): URL | undefined => {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
