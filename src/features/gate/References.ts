/**
 * Checks references. If a record names another record by its id, the caller must be able to reach the other record, and
 * both records must be in the same space.
 */
import { Effect } from "effect"
import { isUuid } from "../../platform/Ids.ts"
import { type Fault, Invalid } from "../../doors/Failure.ts"
import { type Bounds, Reach, type ReachShape } from "../../doors/Reach.ts"
import type { Changers } from "./Changers.ts"
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
 * Returns access rights (a reach) for one whole space if the person for whom the caller acts is a member of the space.
 * Otherwise returns a reach without any access.
 */
const asPersonIn = (reach: ReachShape, spaceId: string): ReachShape => {
  const isTheirs = reach.principal.memberships.some((membership) => membership.spaceId === spaceId)
  const bounds: Bounds = { spaces: isTheirs ? [spaceId] : [], kinds: null, objects: null, projects: null }
  return { ...reach, bounds: () => bounds }
}

const isThere = Effect.fnUntraced(function* (
  changers: typeof Changers.Service,
  { id, targetType }: Reference,
  spaceId: string
) {
  const reach = yield* Reach
  const changer = changers.of(targetType)
  if (changer === undefined) return true
  if (!isUuid(id)) return false
  // If a key can update a record, it can also refer to the record, even if it cannot read the record. If the grant of a
  // key is limited to a project, the key can also refer to that project.
  const isGranted = targetType === "project" && reach.principal.grant?.projectIds?.includes(id) === true
  // Most callers can read the record with the access rights that they already have. So the pod tries these first. It
  // tries other access rights only if it does not find the record.
  if ((yield* changer.current(id, spaceId)) !== null) return true
  for (const view of [asWriter(reach), ...(isGranted ? [asPersonIn(reach, spaceId)] : [])]) {
    const found = yield* Effect.provideService(changer.current(id, spaceId), Reach, view)
    if (found !== null) return true
  }
  return false
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
    const faults: Array<Fault> = []
    for (const reference of references) {
      if (yield* isThere(changers, reference, spaceId)) continue
      faults.push({
        path: reference.path,
        message: `The workspace or personal space of this record has no ${reference.targetType} with this id.`
      })
    }
    if (faults.length > 0) return yield* new Invalid({ faults })
  })

/**
 * Returns the write that puts a record in a project. This write also changes the project, as the endpoint
 * `/projects/:id/entities` does.
 */
export const filingIn = (personId: string, spaceId: string, projectId: string): GatedWrite => ({
  subject: "project",
  kind: null,
  action: "update",
  object: objectIn(personId, spaceId, projectId, [projectId]),
  isFiling: true
})
