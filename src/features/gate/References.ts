/**
 * Checks references. If a record names another record by its id, the caller must be able to reach the other record, and
 * both records must be in the same space.
 */
import { Array, Effect } from "effect"
import { isUuid } from "../../platform/Ids.ts"
import { type Fault, Invalid } from "../../doors/Failure.ts"
import { type Bounds, Reach, type ReachShape } from "../../doors/Reach.ts"
import type { Changer, Changers } from "./Changers.ts"
import { titlesAmong } from "./RecordTitles.ts"
import { type GatedWrite, objectIn } from "./Write.ts"

export interface Reference {
  /** The path of a field that contains the id of another record. */
  readonly path: string
  /** The type of the record to which the field refers. */
  readonly targetType: string
  readonly id: string
}

/**
 * Returns the reach of the caller with one difference: a read finds the records that the caller may update, instead of
 * the records that the caller may read.
 */
const asWriter = (reach: ReachShape): ReachShape => ({
  ...reach,
  bounds: (subject, action) => reach.bounds(subject, action === "read" ? "update" : action)
})

/**
 * Returns access rights (a reach) for one whole space if the caller's person is a member of the space. Otherwise
 * returns a reach without any access.
 */
const asPersonIn = (reach: ReachShape, spaceId: string): ReachShape => {
  const isTheirs = reach.principal.memberships.some((membership) => membership.spaceId === spaceId)
  const bounds: Bounds = { spaces: isTheirs ? [spaceId] : [], kinds: null, objects: null, projects: null }
  return { ...reach, bounds: () => bounds }
}

/** Returns the references of one type that lead to a record within the reach of the caller. */
const presentAmong = Effect.fnUntraced(function* (
  changer: Changer,
  references: ReadonlyArray<Reference>,
  spaceId: string
) {
  const reach = yield* Reach
  const wellFormed = references.filter(({ id }) => isUuid(id))
  const present = new Set<Reference>()
  const find = Effect.fnUntraced(function* (isTried: (reference: Reference) => boolean) {
    const missing = wellFormed.filter((reference) => !present.has(reference) && isTried(reference))
    if (missing.length === 0) return
    // The database writes ids in lower case, and a caller can write them in capital letters.
    const ids = new Set(missing.map(({ id }) => id.toLowerCase()))
    const found = yield* titlesAmong(changer, [...ids], spaceId)
    for (const reference of missing) if (found.has(reference.id.toLowerCase())) present.add(reference)
  })
  // Most callers can read the records with the access rights that they already have. So the pod tries these first. It
  // tries other access rights only for records that it does not find.
  yield* find(() => true)
  // If a key can update a record, it can also refer to the record, even if it cannot read the record. If the grant of a
  // key is limited to a project, the key can also refer to that project.
  yield* Effect.provideService(
    find(() => true),
    Reach,
    asWriter(reach)
  )
  yield* Effect.provideService(
    find(({ id, targetType }) => targetType === "project" && reach.principal.grant?.projectIds?.includes(id) === true),
    Reach,
    asPersonIn(reach, spaceId)
  )
  return present
})

/**
 * Checks the references of a write. Fails with the same Invalid in three cases: the record is missing, the caller
 * cannot reach it, or it is in another space. Does not check references to types that are not in `Changers`.
 */
export const checkReferences = (
  changers: typeof Changers.Service,
  references: ReadonlyArray<Reference>,
  spaceId: string
): Effect.Effect<void, Invalid, Reach> =>
  Effect.gen(function* () {
    const missing = new Set<Reference>()
    for (const [targetType, ofType] of Object.entries(Array.groupBy(references, ({ targetType }) => targetType))) {
      const changer = changers.of(targetType)
      if (changer === undefined) continue
      const present = yield* presentAmong(changer, ofType, spaceId)
      for (const reference of ofType) if (!present.has(reference)) missing.add(reference)
    }
    if (missing.size === 0) return
    const faults = references
      .filter((reference) => missing.has(reference))
      .map(({ path, targetType }): Fault => ({
        path,
        message: `The workspace or personal space of this record has no ${targetType} with this id.`
      }))
    return yield* new Invalid({ faults })
  })

/**
 * Returns the write that puts a record in a project. This write also changes the project, as the endpoint
 * `/projects/:id/entities` does.
 */
export const filingWrite = (personId: string, spaceId: string, projectId: string): GatedWrite => ({
  subject: "project",
  kind: null,
  action: "update",
  object: objectIn(personId, spaceId, projectId, [projectId]),
  isFiling: true
})
