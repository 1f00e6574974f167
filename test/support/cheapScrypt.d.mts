/** The types of cheapScrypt.mjs, which the tests need. */
export declare const sharedPassword: string
export declare const wrongGuess: string
