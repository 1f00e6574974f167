/** The types of commitMessages.mjs, for the tests. */
export const faultsOf: (message: string) => ReadonlyArray<string>
