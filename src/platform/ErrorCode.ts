/** Reads the code of an error of the system or of the database driver, such as `ENOENT` or `23505`. */

/** Returns the code. Returns undefined if the value is no error with a code in text. */
export const codeOf = (error: unknown): string | undefined =>
  typeof error === "object" && error !== null && "code" in error && typeof error.code === "string"
    ? error.code
    : undefined
