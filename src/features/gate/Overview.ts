/** The overview of the records of one type: how many there are, and a few of the latest. */
import { Effect } from "effect"
import { workspaceIdOf } from "../../doors/OwnSpace.ts"
import { Reach } from "../../doors/Reach.ts"

/**
 * A summary of the records of one type that a caller may read: the number of records by kind and workspace, and a few
 * of the latest records.
 */
export interface Overview {
  readonly counts: ReadonlyArray<{
    readonly kind: string | null
    readonly workspaceId: string | null
    readonly count: number
  }>
  readonly samples: ReadonlyArray<{
    readonly id: string
    readonly title: string
    readonly kind: string | null
    readonly workspaceId: string | null
  }>
}

/** Makes the counts of the overview for a type without kinds. */
export const countsWithoutKinds = (
  counted: Effect.Effect<ReadonlyArray<{ readonly spaceId: string; readonly count: number }>, never, Reach>
): Effect.Effect<Overview["counts"], never, Reach> =>
  Effect.zipWith(Reach, counted, ({ principal }, spaces) =>
    spaces.map(({ count, spaceId }) => ({
      kind: null,
      workspaceId: workspaceIdOf(spaceId, principal.personId),
      count
    }))
  )
