/** Milliseconds between two looks at something whose change no event tells. Without a pause, the test would take the processor from the pod. */
const pauseMs = 10

/** Waits for a moment before the test looks again. */
export const aMoment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, pauseMs))
