/** Ends this process with the npm or npx that started it. Without one it does nothing. */
export declare const stopWithStarter: () => void
