/** Work that must not be lost when the page goes away or the person signs out. */
type Work = () => Promise<unknown>

const works = new Set<Work>()

/** Registers work to run when the page closes or the person signs out. The work must not need any visible component. */
export const beforeLeaving = (work: Work): void => {
  works.add(work)
}

/** Runs the registered work, and waits until all of it has succeeded or failed. */
export const finishBeforeLeaving = async (): Promise<void> => {
  await Promise.allSettled([...works].map((work) => work()))
}

if (typeof addEventListener === "function") addEventListener("pagehide", () => void finishBeforeLeaving())
