/** Runs work that must not be lost when the page closes or the person signs out. */
type Work = () => Promise<unknown>

const works = new Set<Work>()

/**
 * Registers work that runs when the page closes or the person signs out. At that time no component may be visible, so
 * the work must not need one.
 */
export const beforeLeaving = (work: Work): void => {
  works.add(work)
}

/** Runs the registered work, and waits until all of it has succeeded or failed. */
export const finishBeforeLeaving = async (): Promise<void> => {
  await Promise.allSettled([...works].map((work) => work()))
}

if (typeof addEventListener === "function") addEventListener("pagehide", () => void finishBeforeLeaving())
