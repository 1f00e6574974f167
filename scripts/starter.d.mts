/**
 * Ends this process when the npm or npx process that started it ends. Does nothing if neither npm nor npx started this
 * process.
 */
export declare const stopWithStarter: () => void
