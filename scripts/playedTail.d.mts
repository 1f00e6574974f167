/** The type of playedTail.mjs, which the tests need. */
export declare const playedTail: (perSecond: number, seconds: number) => string
