/**
 * The rows of the live list of events: at most a few thousand, the newest first. While the person pauses the list, new
 * rows wait outside the list.
 */
import type { PodEvent } from "../../api/stream.ts"
import type { EventsSearch } from "./eventsRoutes.ts"

export const rowsMax = 5_000

/**
 * A row is an event or a gap. A gap marks the place where the stream broke. If `isMissing` is true, some events of that
 * time are possibly missing. Otherwise the events of that time arrived later, all at once.
 */
export type TailRow =
  | { readonly kind: "event"; readonly id: string; readonly event: PodEvent }
  | { readonly kind: "gap"; readonly id: string; readonly at: string; readonly isMissing: boolean }

export interface Tail {
  /** The visible rows, newest first. */
  readonly rows: ReadonlyArray<TailRow>
  /** The events that arrived while the list was paused, newest first. */
  readonly waitingRows: ReadonlyArray<TailRow>
}

export const emptyTail: Tail = { rows: [], waitingRows: [] }

/** Puts the arrived rows (oldest first) above the rows in `standing`. Drops arrived rows whose id is in `known`. */
const mergeNewest = (arrived: ReadonlyArray<TailRow>, standing: ReadonlyArray<TailRow>, known: ReadonlySet<string>) => {
  const fresh = arrived.filter(({ id }) => !known.has(id))
  return fresh.length === 0 ? standing : [...fresh.toReversed(), ...standing].slice(0, rowsMax)
}

const idsOf = (...lists: ReadonlyArray<ReadonlyArray<TailRow>>) =>
  new Set(lists.flatMap((rows) => rows.map(({ id }) => id)))

/**
 * Adds the rows that arrived since the last animation frame. While the list is paused, the new rows go to
 * `waitingRows`, and the visible rows do not move.
 */
export const withArrived = (tail: Tail, arrived: ReadonlyArray<TailRow>, isPaused: boolean): Tail => {
  const known = idsOf(tail.rows, tail.waitingRows)
  return isPaused
    ? { ...tail, waitingRows: mergeNewest(arrived, tail.waitingRows, known) }
    : { rows: mergeNewest(arrived, [...tail.waitingRows, ...tail.rows].slice(0, rowsMax), known), waitingRows: [] }
}

/**
 * Adds older events (newest first) at the end of the list. They come from the log and happened before the stream began.
 */
export const withOlder = (tail: Tail, older: ReadonlyArray<PodEvent>): Tail => {
  const known = idsOf(tail.rows, tail.waitingRows)
  const rows = older
    .filter(({ id }) => !known.has(id))
    .map((event): TailRow => ({ kind: "event", id: event.id, event }))
  return { ...tail, rows: [...tail.rows, ...rows].slice(0, rowsMax) }
}

/** Shows the events that arrived while the list was paused. */
export const showWaitingRows = (tail: Tail): Tail =>
  tail.waitingRows.length === 0 ? tail : withArrived(tail, [], false)

/** True if an event passes those filters of the page that the pod cannot apply to its stream. */
export const isWanted = ({ actorId, metadataKind, source, subjectId, until }: EventsSearch, event: PodEvent): boolean =>
  (source === undefined || event.source === source) &&
  (subjectId === undefined || event.subjectId === subjectId) &&
  (actorId === undefined || event.actorId === actorId) &&
  (metadataKind !== "any" || event.metadata != null) &&
  (until === undefined || Date.parse(event.timestamp) <= Date.parse(until))
