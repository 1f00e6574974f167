/**
 * The pause in milliseconds between two checks of a state for which there is no event. Without a pause, the test would
 * take processor time from the pod.
 */
const pauseMs = 25

/** Waits for `pauseMs`. A test calls this between two checks of a state. */
export const aMoment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, pauseMs))
