/** The rows of the live tail: the newest first, at most a few thousand, and what came while nobody wanted the list to move. */
import type { PodEvent } from "../../api/stream.ts"
import type { EventsSearch } from "./eventsRoutes.ts"

export const rowsMost = 5_000

/** A gap says that the stream broke there: the events between may be missing, or came later all at once. */
export type TailRow =
  | { readonly kind: "event"; readonly id: string; readonly event: PodEvent }
  | { readonly kind: "gap"; readonly id: string; readonly at: string; readonly isMissing: boolean }

export interface Tail {
  /** The newest first. */
  readonly rows: ReadonlyArray<TailRow>
  /** The events that arrived while the list was paused, newest first. */
  readonly held: ReadonlyArray<TailRow>
}

export const emptyTail: Tail = { rows: [], held: [] }

/** Puts arrived rows, the oldest first, above those that stand there. An event that stands there already is dropped. */
const above = (arrived: ReadonlyArray<TailRow>, standing: ReadonlyArray<TailRow>, known: ReadonlySet<string>) => {
  const fresh = arrived.filter(({ id }) => !known.has(id))
  return fresh.length === 0 ? standing : [...fresh.toReversed(), ...standing].slice(0, rowsMost)
}

const idsOf = (...lists: ReadonlyArray<ReadonlyArray<TailRow>>) =>
  new Set(lists.flatMap((rows) => rows.map(({ id }) => id)))

/** Takes what arrived since the last frame. While the list is held it grows behind the pill, and nothing moves. */
export const withArrived = (tail: Tail, arrived: ReadonlyArray<TailRow>, isHeld: boolean): Tail => {
  const known = idsOf(tail.rows, tail.held)
  return isHeld
    ? { ...tail, held: above(arrived, tail.held, known) }
    : { rows: above(arrived, [...tail.held, ...tail.rows].slice(0, rowsMost), known), held: [] }
}

/** Adds older events, the newest first, below: the log from before the stream began. */
export const withOlder = (tail: Tail, older: ReadonlyArray<PodEvent>): Tail => {
  const known = idsOf(tail.rows, tail.held)
  const rows = older
    .filter(({ id }) => !known.has(id))
    .map((event): TailRow => ({ kind: "event", id: event.id, event }))
  return { ...tail, rows: [...tail.rows, ...rows].slice(0, rowsMost) }
}

/** Shows the events that arrived while the list was paused. */
export const released = (tail: Tail): Tail => (tail.held.length === 0 ? tail : withArrived(tail, [], false))

/** The filters that the stream of the pod does not have. */
export const isWanted = ({ source, subjectId }: EventsSearch, event: PodEvent): boolean =>
  (source === undefined || event.source === source) && (subjectId === undefined || event.subjectId === subjectId)
