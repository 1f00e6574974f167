/** The service of preferences: a person reads and sets their own. Agents read those of their person and set none. */
import { Context, Effect, Layer } from "effect"
import type { Forbidden } from "../../doors/Failure.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import { Reach } from "../../doors/Reach.ts"
import { Changers } from "../gate/Changers.ts"
import { GovernanceGate } from "../gate/GovernanceGate.ts"
import { objectIn } from "../gate/Write.ts"
import type { PersonalPreferences, PreferenceChange, StoredPreferences } from "./Preference.ts"
import { PreferenceStore } from "./PreferenceStore.ts"

export class Preferences extends Context.Tag("pod/Preferences")<
  Preferences,
  {
    readonly get: Effect.Effect<PersonalPreferences, never, Reach>
    readonly change: (change: PreferenceChange) => Effect.Effect<PersonalPreferences, Forbidden | Proposed, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* PreferenceStore
      const gate = yield* GovernanceGate
      const asking = yield* (yield* Changers).declare("preference", {
        subject: "preference",
        kind: null,
        isForPeople: true,
        actions: ["update"]
      })
      const pass = Effect.flatMap(Reach, ({ principal: { personId } }) =>
        gate.pass({ ...asking, action: "update", object: objectIn(personId, personId, null) })
      )
      const owned = (stored: StoredPreferences) =>
        Effect.map(Reach, ({ principal: { personId } }) => ({ userId: personId, ...stored }))
      return {
        get: Effect.flatMap(store.get, owned),
        change: (change) => Effect.flatMap(pass, (passed) => Effect.flatMap(store.change(change, passed), owned))
      }
    })
  )
}
