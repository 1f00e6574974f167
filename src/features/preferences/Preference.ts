/** The preferences of a person: how clients show data, and which model services the person prefers. */
import { Predicate, Schema } from "effect"
import { described, example, JsonObject, JsonObjectInput } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"

const Theme = described("Colour theme of clients.", Schema.Literal("system", "light", "dark"))

/** The default form in which clients show the lists of entities, documents and views. */
export const standardViewModes = { entities: "grid", documents: "grid", views: "grid" } as const
const mode = (of: string) =>
  described(
    `How clients show lists of ${of}.`,
    Schema.Literal("grid", "list", "table", "gallery", "kanban", "calendar")
  )
const modes = { entities: mode("entities"), documents: mode("documents"), views: mode("views") }

export const ViewModes = Schema.Struct(modes).annotations({ identifier: "ViewModes" })
export type ViewModes = typeof ViewModes.Type

/**
 * The maximum number of capabilities of model services, such as `embeddings`, for which a person can choose a preferred
 * service.
 */
const capabilitiesMax = 20
const short = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(100))
const ChosenValues = Schema.Record({ key: short, value: short })
const ChosenInput = ChosenValues.pipe(
  Schema.filter((chosen) => Object.keys(chosen).length <= capabilitiesMax, {
    message: () => `Use at most ${capabilitiesMax} capabilities.`,
    jsonSchema: { maxProperties: capabilitiesMax }
  })
)

const descriptions = {
  ui: "Settings of clients.",
  graph: "Settings of the graph in clients.",
  onboarded: "Whether the person has seen the introduction.",
  chosen: "For each capability, the id of the preferred service."
}

export const PersonalPreferences = Schema.Struct({
  userId: described("Id of the person.", Id),
  theme: Theme,
  uiPreferences: described(descriptions.ui, JsonObject),
  graphPreferences: described(descriptions.graph, JsonObject),
  onboardingCompleted: described(descriptions.onboarded, Schema.Boolean),
  viewModes: described("How clients show lists.", ViewModes),
  intelligenceServices: described(descriptions.chosen, ChosenValues)
}).annotations({ identifier: "Preferences" })
export type PersonalPreferences = typeof PersonalPreferences.Type

export type StoredPreferences = Omit<PersonalPreferences, "userId">

export const PreferenceChange = example(
  Schema.Struct({
    theme: Theme,
    uiPreferences: described(descriptions.ui, JsonObjectInput),
    graphPreferences: described(descriptions.graph, JsonObjectInput),
    onboardingCompleted: described(descriptions.onboarded, Schema.Boolean),
    viewModes: described(
      "The new look of each list whose look changes.",
      Schema.partialWith(Schema.Struct(modes), { exact: true })
    ),
    intelligenceServices: described(descriptions.chosen, ChosenInput)
  })
    .pipe(Schema.partialWith({ exact: true }))
    .annotations({ identifier: "PreferenceChange" }),
  { theme: "dark", viewModes: { documents: "list" } }
)
export type PreferenceChange = typeof PreferenceChange.Type

/** Names and values to merge into `uiPreferences` and `graphPreferences` (see `mergeChange`). */
export const PreferenceMerge = example(
  Schema.Struct({
    uiPreferences: described(descriptions.ui, JsonObjectInput),
    graphPreferences: described(descriptions.graph, JsonObjectInput)
  })
    .pipe(Schema.partialWith({ exact: true }))
    .annotations({ identifier: "PreferenceMerge" }),
  { uiPreferences: { sidebar: { isOpen: false }, hint: null } }
)
export type PreferenceMerge = typeof PreferenceMerge.Type

/** The preferences of a person who never set any preference. */
export const standardPreferences: StoredPreferences = {
  theme: "system",
  uiPreferences: {},
  graphPreferences: {},
  onboardingCompleted: false,
  viewModes: standardViewModes,
  intelligenceServices: {}
}

type JsonRecord = StoredPreferences["uiPreferences"]

/**
 * Merges the patch into the target and returns the result, as in JSON Merge Patch (RFC 7396). A name that the patch
 * leaves out keeps its value. The value null removes the name.
 */
export const mergePatch = (target: unknown, patch: JsonRecord): JsonRecord => {
  const next = new Map(Object.entries(Predicate.isRecord(target) ? target : {}))
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) next.delete(name)
    else next.set(name, Predicate.isRecord(value) ? mergePatch(next.get(name), value) : value)
  }
  return Object.fromEntries(next)
}

/**
 * Merges the patch into `uiPreferences` and `graphPreferences` of `before`, and returns the change that stores the
 * result.
 */
export const mergeChange = (before: StoredPreferences, patch: PreferenceMerge): PreferenceChange => ({
  ...(patch.uiPreferences === undefined
    ? {}
    : { uiPreferences: mergePatch(before.uiPreferences, patch.uiPreferences) }),
  ...(patch.graphPreferences === undefined
    ? {}
    : { graphPreferences: mergePatch(before.graphPreferences, patch.graphPreferences) })
})

/**
 * Returns the stored preferences after a change. A field that is not in the change keeps its value. `viewModes` is
 * merged into the stored `viewModes`. Each other field in the change replaces the whole stored field.
 */
export const applyChange = (
  before: StoredPreferences,
  { viewModes, ...fields }: PreferenceChange
): StoredPreferences => ({
  ...before,
  ...fields,
  viewModes: { ...before.viewModes, ...viewModes }
})
