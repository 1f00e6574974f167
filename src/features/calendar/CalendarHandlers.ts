/** The handlers of calendar feeds: they translate between the endpoints and the service. */
import { Effect } from "effect"
import { implement } from "../../doors/Implement.ts"
import { CalendarApi } from "./CalendarApi.ts"
import { Calendars } from "./Calendars.ts"

export const layer = implement(
  CalendarApi,
  Effect.map(Calendars, ({ createdAt, read, revoke, rotate }) => ({
    "calendar.state": () => Effect.map(createdAt, (at) => ({ isActive: at !== null, createdAt: at })),
    "calendar.rotate": () => Effect.map(rotate, (url) => ({ url })),
    "calendar.revoke": () => Effect.as(revoke, { isActive: false, createdAt: null }),
    "calendar.read": ({ path }) =>
      Effect.map(read(path.file), (text) => ({ mediaType: "text/calendar" as const, text }))
  }))
)
