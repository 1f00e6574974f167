/** The Hub endpoint that tells an assistant the latest activity of its person. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { read } from "../../doors/DeclareRest.ts"
import { fullGrantInSpaces } from "../../doors/Door.ts"
import { described, IgnoredUserId, JsonObject } from "../../doors/Fields.ts"
import { NotFound } from "../../doors/Failure.ts"
import { Activity } from "./Activity.ts"

const UserContext = Schema.Struct({
  userId: described("The `userId` from the path. The answer is always about the caller.", Schema.String),
  preferences: described("Preferences of the person.", JsonObject),
  recentActivity: described("Latest activity of the caller, newest first.", Schema.Array(Activity))
}).annotations({ identifier: "UserContext" })

export const ContextApi = HttpApiGroup.make("context")
  .annotate(OpenApi.Description, "Latest activity of the caller.")
  .add(
    read("users.context", {
      path: "/users/:userId/context",
      params: Schema.Struct({ userId: IgnoredUserId }),
      success: UserContext,
      errors: [NotFound],
      door: fullGrantInSpaces("hub-protocol.read"),
      summary: "Read the latest activity of the caller. The pod ignores the `userId` in the path."
    })
  )
