/**
 * Remembers which proposals this browser has shown in full. This decides only whether a row of the inbox has the dot
 * for new proposals.
 */
const place = "pod-seen-proposals"
const most = 500 // only the latest ids are stored; a proposal with an older id shows its dot again

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
