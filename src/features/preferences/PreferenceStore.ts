/** The store of preferences. A person can read and change only the person's own preferences. */
import { Context, Effect, Layer } from "effect"
import { isDeepStrictEqual } from "node:util"
import type { Reach } from "../../doors/Reach.ts"
import { memoryTable } from "../../platform/MemoryDatabase.ts"
import type { EventDraft } from "../events/Event.ts"
import { memoryStatements, type ReadContext } from "../events/EventTable.ts"
import type { Passed } from "../gate/Passed.ts"
import { applyChange, type PreferenceChange, standardPreferences, type StoredPreferences } from "./Preference.ts"

/**
 * Makes the event of a change to preferences. The event has the names of the changed fields, and never the content of
 * the fields.
 */
export const changedEvent = (change: PreferenceChange): EventDraft => ({
  type: "preference.update",
  data: { fields: Object.keys(change).toSorted() }
})

export type FreeFormFields = Pick<StoredPreferences, "uiPreferences" | "graphPreferences">

const freeForm = ({ graphPreferences, uiPreferences }: FreeFormFields) => ({ graphPreferences, uiPreferences })

export class PreferenceStore extends Context.Tag("pod/PreferenceStore")<
  PreferenceStore,
  {
    /** The preferences of the caller's person, or the standard preferences if the person never set any. */
    readonly get: Effect.Effect<StoredPreferences, never, Reach>
    /**
     * Returns the same as `get`, for a caller who is allowed to change the preferences, even if the caller may not read
     * them.
     */
    readonly base: Effect.Effect<StoredPreferences, never, Reach>
    /**
     * Stores the given fields with their event. Two simultaneous changes of different fields do not overwrite each
     * other.
     */
    readonly change: (change: PreferenceChange, passed: Passed) => Effect.Effect<StoredPreferences, never, Reach>
    /**
     * Stores fields that the caller computed from `base`. If the stored `uiPreferences` or `graphPreferences` differ
     * from `base`, changes nothing and returns undefined.
     */
    readonly changeFrom: (
      base: FreeFormFields,
      change: PreferenceChange,
      passed: Passed
    ) => Effect.Effect<StoredPreferences | undefined, never, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.map(memoryStatements, ({ read, write }) => ({
      get: read(storedFor("read")),
      base: read(storedFor("update")),
      change: (change, passed) =>
        write(({ append, reach, rows }) => {
          const { personId } = reach.principal
          if (!reach.bounds("preference", "update").spaces.includes(personId))
            return Effect.succeed(standardPreferences)
          const content = applyChange(rows.find(preferenceTable, personId)?.content ?? standardPreferences, change)
          rows.put(preferenceTable, { personId, content })
          append(personId, changedEvent(change), passed)
          return Effect.succeed(content)
        }),
      changeFrom: (base, change, passed) =>
        write(({ append, reach, rows }) => {
          const { personId } = reach.principal
          const found = rows.find(preferenceTable, personId)?.content ?? standardPreferences
          const isReached = reach.bounds("preference", "update").spaces.includes(personId)
          if (!isReached || !isDeepStrictEqual(freeForm(found), freeForm(base))) return noResult
          const content = applyChange(found, change)
          rows.put(preferenceTable, { personId, content })
          append(personId, changedEvent(change), passed)
          return Effect.succeed(content)
        })
    }))
  )
}

const storedFor =
  (action: "read" | "update") =>
  ({ reach, rows }: ReadContext) => {
    const { personId } = reach.principal
    const isReached = reach.bounds("preference", action).spaces.includes(personId)
    const found = isReached ? rows.find(preferenceTable, personId) : undefined
    return Effect.succeed(found?.content ?? standardPreferences)
  }

const noResult = Effect.as(Effect.void, undefined)

const preferenceTable = memoryTable<{ readonly personId: string; readonly content: StoredPreferences }>(
  "preferences",
  ({ personId }) => personId
)
