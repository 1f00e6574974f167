/** Selects the passages of spaces that the caller may see and that match the filters of the question. */
import type { Bounds } from "../../doors/Reach.ts"
import type { SearchedType, IndexedPassage } from "./postings/IndexedObject.ts"
import { type Slice, sliceNamed } from "./postings/Visible.ts"
import type { Steps } from "../../platform/InSlices.ts"
import type { IdList } from "./ReadableIds.ts"
import type { SpaceIndex } from "./SpaceIndex.ts"
import type { Question } from "./text/Question.ts"

export interface SpaceQuery {
  readonly question: Question
  /** The types to search, each with the rows of this type that the caller may read. */
  readonly readable: ReadonlyArray<{ readonly type: SearchedType; readonly bounds: Bounds }>
  /**
   * For each type, the only ids that the search is allowed to find. A type without an entry has no such limit, because
   * neither the caller's grant nor the question names objects or projects.
   */
  readonly ids: ReadonlyMap<SearchedType, IdList>
  readonly readsFacetsIn: (spaceId: string) => boolean
}

/** A space, with the part of its index that the caller may see. */
export interface AskedSpace {
  readonly space: SpaceIndex
  readonly slice: Slice
}

/**
 * Selects the passages of a space that the caller may see and that match the filters of the question. The ranking
 * statistics count only these passages, so that they reveal nothing about hidden passages.
 */
const askIn = function* (space: SpaceIndex, { ids, question, readable, readsFacetsIn }: SpaceQuery): Steps<AskedSpace> {
  const withFacets = readsFacetsIn(space.spaceId)
  const { after = -Infinity, before = Infinity, makers, types, without } = question.filters
  const [askedTypes, refusedTypes] = [new Set(types), new Set(without.types)]
  const [askedMakers, refusedMakers] = [new Set(makers), new Set(without.makers)]
  const tests = new Map<SearchedType, (passage: IndexedPassage) => boolean>()
  const searched = readable.filter(({ bounds }) => bounds.spaces.includes(space.spaceId))
  for (const { bounds, type } of searched) {
    const kinds = bounds.kinds === null || type !== "entity" ? null : new Set(bounds.kinds)
    tests.set(type, ({ object: { kind, makerId, facets, updatedAt } }) => {
      const seen = withFacets ? facets : []
      return (
        (kinds === null || (kind !== null && kinds.has(kind))) &&
        updatedAt >= after &&
        updatedAt < before &&
        (askedMakers.size === 0 || askedMakers.has(makerId)) &&
        !refusedMakers.has(makerId) &&
        (askedTypes.size === 0 || isOneOf(askedTypes, type, kind, seen)) &&
        !isOneOf(refusedTypes, type, kind, seen)
      )
    })
  }
  const isVisible = (passage: IndexedPassage) => tests.get(passage.object.type)?.(passage) ?? false
  const lists = searched.map(({ type }) => ({ type, ids: ids.get(type)?.ids ?? null }))
  const bounded = searched.map(({ bounds, type }) => [
    type,
    type === "entity" ? bounds.kinds : null,
    ids.get(type)?.name ?? null
  ])
  const named = [makers, without.makers, types, without.types]
  const name = JSON.stringify([bounded, String(after), String(before), ...named, withFacets])
  const isListed = lists.some((each) => each.ids !== null)
  const selection = { isVisible, withFacets, ...(isListed ? { lists } : {}) }
  return { space, slice: yield* sliceNamed(space.index, name, selection) }
}

export const askEach = function* (
  spaces: ReadonlyArray<SpaceIndex>,
  spaceQuery: SpaceQuery
): Steps<ReadonlyArray<AskedSpace>> {
  const selections: Array<AskedSpace> = []
  for (const space of spaces) {
    selections.push(yield* askIn(space, spaceQuery))
    yield
  }
  return selections
}

/**
 * Returns true if a `type:` filter matches this object. The filter can name a kind of entity, a facet, or the type
 * `document` or `knowledge`.
 */
const isOneOf = (
  named: ReadonlySet<string>,
  type: SearchedType,
  kind: string | null,
  facets: ReadonlyArray<string>
): boolean =>
  named.has(kind ?? type) || (type !== "entity" && named.has(type)) || facets.some((facet) => named.has(facet))
