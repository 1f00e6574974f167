/** The type of playedTail.mjs, for the tests. */
export declare const playedTail: (perSecond: number, seconds: number) => string
