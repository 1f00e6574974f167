/** Postpones work from the start of the pod to the first use of its result. */

/**
 * Returns a function that calls `make` only when somebody first uses it. Otherwise each start would compile a thousand
 * schemas, although most processes use only a few of them.
 */
export const atFirstUse = <In extends ReadonlyArray<unknown>, Out>(
  make: () => (...input: In) => Out
): ((...input: In) => Out) => {
  let ready: ((...input: In) => Out) | undefined
  return (...input) => (ready ??= make())(...input)
}
