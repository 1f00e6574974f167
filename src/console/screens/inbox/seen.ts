/** Remembers which proposals this browser has shown in full. The inbox marks all other proposals with a dot. */
const place = "pod-seen-proposals"
const most = 500 // Only this many of the latest ids are stored. A proposal with an older id gets its dot again.

const stored = (): ReadonlyArray<string> => {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(place) ?? "[]")
    return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : []
  } catch {
    return []
  }
}

export const seenIds = (): ReadonlySet<string> => new Set(stored())

export const markSeen = (id: string): void => {
  const others = stored().filter((each) => each !== id)
  localStorage.setItem(place, JSON.stringify([...others, id].slice(-most)))
}
