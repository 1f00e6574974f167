/** What an assistant is told of the person it works for. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { read } from "../../doors/Declare.ts"
import { fullGrant } from "../../doors/Door.ts"
import { CallerId, described, JsonObject } from "../../doors/Fields.ts"
import { NotFound } from "../../doors/Failure.ts"
import { Activity } from "./Activity.ts"

const UserContext = Schema.Struct({
  userId: described("The id of the path, said back. The context is the caller's own, whoever it names.", Schema.String),
  preferences: described("What the person chose.", JsonObject),
  recentActivity: described("What the caller did last, newest first.", Schema.Array(Activity))
}).annotations({ identifier: "UserContext" })

export const ContextApi = HttpApiGroup.make("context")
  .annotate(OpenApi.Description, "What the caller did last.")
  .add(
    read("users.context", {
      path: "/users/:userId/context",
      params: Schema.Struct({ userId: CallerId }),
      success: UserContext,
      errors: [NotFound],
      door: fullGrant("hub-protocol.read"),
      summary: "Read what the caller did last; the userId of the path is not an identity."
    })
  )
