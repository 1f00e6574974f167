/** Postpones work from the start of the pod to the first use of its result. */

/**
 * Makes the function only when it is called for the first time. A start compiles a thousand schemas otherwise, and most
 * processes use a few of them.
 */
export const atFirstUse = <In extends ReadonlyArray<unknown>, Out>(
  make: () => (...input: In) => Out
): ((...input: In) => Out) => {
  let ready: ((...input: In) => Out) | undefined
  return (...input) => (ready ??= make())(...input)
}
