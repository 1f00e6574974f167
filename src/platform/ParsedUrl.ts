/** Parses addresses. */

/**
 * The parsed URL. Undefined if the text is not a URL. `URL.canParse` is not used: on Node 20 it refuses URLs with
 * letters such as ü once the compiler has optimized it.
 */
export const parsedUrl = (text: string): URL | undefined => {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
