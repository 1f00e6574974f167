/** Postpones work from the start of the pod to the first use of its result. */

/**
 * Returns a function that makes a value at its first call, and returns the same value at every later call. Otherwise
 * each start would compile a thousand schemas and compress every page, although most processes use only a few of them.
 */
export const atFirstUse = <A extends object>(make: () => A): (() => A) => {
  let value: A | undefined
  return () => (value ??= make())
}
