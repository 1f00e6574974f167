/** Keeps a map or a set small. */

/** Removes the entry that was added first. Does nothing if there is no entry. */
export const removeOldest = <K>(entries: {
  readonly keys: () => Iterable<K>
  readonly delete: (key: K) => boolean
}) => {
  for (const key of entries.keys()) {
    entries.delete(key)
    return
  }
}
