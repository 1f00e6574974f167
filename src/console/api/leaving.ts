/** Runs work that must not be lost when the page closes or the person signs out. */
type Work = () => Promise<unknown>

const works = new Set<Work>()

/**
 * Registers work that runs when the page closes or the person signs out. The work must not need a component, because
 * possibly no component is mounted at that time.
 */
export const beforeLeaving = (work: Work): void => {
  works.add(work)
}

/** Runs the registered work, and waits until all of it has succeeded or failed. */
export const finishBeforeLeaving = async (): Promise<void> => {
  await Promise.allSettled([...works].map((work) => work()))
}

if (typeof addEventListener === "function") addEventListener("pagehide", () => void finishBeforeLeaving())
