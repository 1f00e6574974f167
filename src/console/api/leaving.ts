/** Work that must not be lost when the page goes away or the person signs out. */
type Work = () => Promise<unknown>

const works = new Set<Work>()

/** Registers work, for as long as the page lives. It must be able to run when nothing is shown any more. */
export const beforeLeaving = (work: Work): void => {
  works.add(work)
}

/** Runs the work, and waits until it has ended, however it ends. */
export const finishBeforeLeaving = async (): Promise<void> => {
  await Promise.allSettled([...works].map((work) => work()))
}

if (typeof addEventListener === "function") addEventListener("pagehide", () => void finishBeforeLeaving())
