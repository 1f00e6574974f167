/**
 * The service of preferences. A person reads and sets the person's own preferences. Agents read the preferences of
 * their person and cannot set them.
 */
import { Context, Effect, Layer } from "effect"
import { fitsOneField, oneFieldMessage } from "../../doors/Fields.ts"
import { Conflict, type Forbidden, type Invalid, invalid, isVersionConflict } from "../../doors/Failure.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import { Reach } from "../../doors/Reach.ts"
import { ownSpacePass } from "../gate/OwnSpacePass.ts"
import type { Passed } from "../gate/Passed.ts"
import {
  mergeChange,
  type PersonalPreferences,
  type PreferenceChange,
  type PreferenceMerge,
  type StoredPreferences
} from "./Preference.ts"
import { PreferenceStore } from "./PreferenceStore.ts"

// the maximum number of retries; a retry is necessary only if another call wrote first
const retriesMax = 10

const changedMeanwhile = new Conflict({
  code: "VERSION_CONFLICT",
  why: "Other calls changed the preferences at the same time. Send the request again."
})

export class Preferences extends Context.Tag("pod/Preferences")<
  Preferences,
  {
    readonly get: Effect.Effect<PersonalPreferences, never, Reach>
    /**
     * Merges names into `uiPreferences` and `graphPreferences`. Two simultaneous merges do not overwrite each other.
     * Fails with Invalid if a field becomes too large.
     */
    readonly merge: (
      patch: PreferenceMerge
    ) => Effect.Effect<PersonalPreferences, Forbidden | Proposed | Invalid | Conflict, Reach>
    readonly change: (change: PreferenceChange) => Effect.Effect<PersonalPreferences, Forbidden | Proposed, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* PreferenceStore
      const passFor = yield* ownSpacePass("preference", { subject: "preference", actions: ["update"] })
      const owned = (stored: StoredPreferences) =>
        Effect.map(Reach, ({ principal: { personId } }) => ({ userId: personId, ...stored }))
      const mergedOnce = Effect.fnUntraced(function* (patch: PreferenceMerge, passed: Passed) {
        const before = yield* store.base
        const change = mergeChange(before, patch)
        const tooLarge = Object.entries(change).find(([, value]) => !fitsOneField(value))
        if (tooLarge !== undefined) return yield* invalid(tooLarge[0], oneFieldMessage)
        return (yield* store.changeFrom(before, change, passed)) ?? (yield* changedMeanwhile)
      })

      return {
        merge: (patch) =>
          Effect.flatMap(passFor("update"), (passed) =>
            Effect.retry(mergedOnce(patch, passed), {
              times: retriesMax,
              while: isVersionConflict
            })
          ).pipe(Effect.flatMap(owned)),
        get: Effect.flatMap(store.get, owned),
        change: (change) =>
          Effect.flatMap(passFor("update"), (passed) => Effect.flatMap(store.change(change, passed), owned))
      }
    })
  )
}
