/** The type of bundle.mjs, for the build of the tests. */
export declare const bundle: (folder: string) => Promise<void>
