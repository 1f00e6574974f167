/** The service of views. It has one rule: the kind of entity that a view shows must exist in the space of the view. */
import { Context, Effect, Layer } from "effect"
import { invalid } from "../../doors/Failure.ts"
import { Profiles } from "../profiles/Profiles.ts"
import { governedRecords } from "../records/GovernedRecords.ts"
import type { RecordOperations } from "../records/RecordOperations.ts"
import { View } from "./View.ts"

export class Views extends Context.Tag("pod/Views")<Views, RecordOperations<View>>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const profiles = yield* Profiles
      return yield* governedRecords(View, {
        check: Effect.fnUntraced(function* ({ profileId }, { object }) {
          if (profileId == null || (yield* profiles.slugOf(profileId, object.spaceId)) !== null) return
          return yield* invalid(
            "profileId",
            "The workspace or personal space of this view has no entity kind with this profile id."
          )
        })
      })
    })
  )
}
