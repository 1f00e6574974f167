/** The Hub endpoints of calendar feeds. A grant cannot limit a feed, so a key needs an unrestricted grant. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { open, read, write } from "../../doors/DeclareRest.ts"
import { everybody, fullGrant, unrestrictedWrites } from "../../doors/Door.ts"
import { NotFound } from "../../doors/Failure.ts"
import { described } from "../../doors/Fields.ts"
import { RawText } from "../../doors/RawText.ts"
import { CalendarFeedState, CalendarFeedUrl } from "./Calendar.ts"

export const CalendarApi = HttpApiGroup.make("calendar")
  .annotate(OpenApi.Description, "A secret URL where calendar programs read your records with dates.")
  .add(
    read("calendar.state", {
      path: "/calendar/feed",
      success: CalendarFeedState,
      door: fullGrant("hub-protocol.read"),
      summary: "Read whether you have a calendar feed. The answer does not show its URL."
    })
  )
  .add(
    write("calendar.rotate", {
      method: "POST",
      path: "/calendar/feed",
      success: CalendarFeedUrl,
      door: unrestrictedWrites("hub-protocol.write", "calendar", ["create"]),
      answersSecret: true,
      summary: "Make the URL of your calendar feed. A former URL stops working at once. Only for people."
    })
  )
  .add(
    write("calendar.revoke", {
      method: "DELETE",
      path: "/calendar/feed",
      success: CalendarFeedState,
      door: unrestrictedWrites("hub-protocol.write", "calendar", ["delete"]),
      summary: "End your calendar feed: its URL stops working at once. Only for people."
    })
  )
  .add(
    open("calendar.read", {
      path: "/calendar/feed/:file",
      params: Schema.Struct({ file: described("Token of the feed, followed by `.ics`.", Schema.String) }),
      success: RawText,
      errors: [NotFound],
      door: everybody("the secret token in the path is enough"),
      summary: "Read a calendar feed (RFC 5545)."
    })
  )
