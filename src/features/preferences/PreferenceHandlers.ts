/** The handlers of preferences: they translate between the procedures and the service. */
import { Effect } from "effect"
import { implementProcedures } from "../../doors/Implement.ts"
import { ModelServices } from "../intelligence/ModelServices.ts"
import { PreferenceProcedures } from "./PreferenceRpc.ts"
import { Preferences } from "./Preferences.ts"

export const layer = implementProcedures(
  PreferenceProcedures,
  Effect.map(Effect.all([Preferences, ModelServices]), ([{ change, get, merge }, { services }]) => ({
    "preferences.get": () => get,
    "preferences.getViewModes": () => Effect.map(get, ({ viewModes }) => viewModes),
    "preferences.getIntelligenceServices": () =>
      Effect.zipWith(get, services, ({ intelligenceServices }, available) => ({
        preferences: intelligenceServices,
        available
      })),
    "preferences.set": change,
    "preferences.merge": merge
  }))
)
