/** Parses addresses. */

/**
 * The parsed address; undefined if the text is none. `URL.canParse` is not used: on Node 20 it refuses addresses with letters
 * such as ü once the compiler has optimized it.
 */
export const parsedUrl = (text: string): URL | undefined => {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
