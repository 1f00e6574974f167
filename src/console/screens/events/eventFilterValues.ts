/** The filters of the events page that are part of its address. */
import { noTimeRange } from "../../ui/timeRange.ts"
import type { EventsSearch } from "./eventsRoutes.ts"

/** The query parameters of the page if no filter is set. */
export const noFilters = {
  type: undefined,
  source: undefined,
  workspaceId: undefined,
  subjectId: undefined,
  actorId: undefined,
  metadataKind: undefined,
  ...noTimeRange
} as const

export const isFiltered = (search: EventsSearch): boolean =>
  // `Object.keys` returns exactly the names of this literal.
  (Object.keys(noFilters) as ReadonlyArray<keyof typeof noFilters>).some((name) => search[name] !== undefined)
