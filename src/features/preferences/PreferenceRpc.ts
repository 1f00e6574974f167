/**
 * The procedures of preferences: read them, replace whole fields, and merge names into `uiPreferences` and
 * `graphPreferences`.
 */
import { RpcGroup } from "@effect/rpc"
import { Schema } from "effect"
import { mutation, NoInput, query } from "../../doors/DeclareProcedure.ts"
import { fullGrant, writes } from "../../doors/Door.ts"
import { described } from "../../doors/Fields.ts"
import { ModelService } from "../intelligence/ModelService.ts"
import { PersonalPreferences, PreferenceChange, PreferenceMerge, ViewModes } from "./Preference.ts"

const readDoor = fullGrant("hub-protocol.read")

export const PreferenceProcedures = RpcGroup.make(
  query("preferences.get", {
    input: NoInput,
    success: PersonalPreferences,
    door: readDoor,
    summary: "Read your preferences: theme, settings of clients and how lists look."
  }),
  query("preferences.getViewModes", {
    input: NoInput,
    success: ViewModes,
    door: readDoor,
    summary: "Read your settings for the look of lists."
  }),
  query("preferences.getIntelligenceServices", {
    input: NoInput,
    success: Schema.Struct({
      preferences: PersonalPreferences.fields.intelligenceServices,
      available: described("Model services of the pod.", Schema.Array(ModelService))
    }),
    door: readDoor,
    summary: "Read which model services you prefer, and which the pod has."
  }),
  mutation("preferences.set", {
    input: PreferenceChange,
    success: PersonalPreferences,
    door: writes("hub-protocol.write", "preference", ["update"]),
    summary: "Change your preferences; fields that you leave out keep their values. Only for people."
  }),
  mutation("preferences.merge", {
    input: PreferenceMerge,
    success: PersonalPreferences,
    door: writes("hub-protocol.write", "preference", ["update"]),
    summary:
      "Change single fields of your free-form preferences (JSON Merge Patch): fields that you leave out keep their values, and null removes a field. Only for people."
  })
)
