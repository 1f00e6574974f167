/** Remembers which proposals this browser has shown in full. The inbox marks all other proposals with a dot. */
const storageKey = "pod-seen-proposals"
// Only this many of the latest ids are stored. A proposal with an older id gets its dot again.
const idsMax = 500

const readStored = (): ReadonlyArray<string> => {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(storageKey) ?? "[]")
    return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : []
  } catch {
    return []
  }
}

export const seenIds = (): ReadonlySet<string> => new Set(readStored())

export const markSeen = (id: string): void => {
  const others = readStored().filter((each) => each !== id)
  localStorage.setItem(storageKey, JSON.stringify([...others, id].slice(-idsMax)))
}
