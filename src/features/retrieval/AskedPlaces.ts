/**
 * Finds the workspaces and projects that a question names, so that the pod searches only these. Also counts matches in
 * the caller's other workspaces.
 */
import { Context, Effect, Layer } from "effect"
import type { Forbidden } from "../../doors/Failure.ts"
import { isUuid } from "../../platform/Ids.ts"
import { Reach } from "../../doors/Reach.ts"
import { Project } from "../projects/Project.ts"
import { everyRecord } from "../records/EveryRecord.ts"
import { Records } from "../records/Records.ts"
import { Search } from "../search/Search.ts"
import type { IndexLoading } from "../search/SearchIndexes.ts"
import type { Filters, Question } from "../search/text/Question.ts"
import { requestedSpace } from "../workspaces/WorkspaceAccess.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"
import type { Spaces } from "./RetrievalResult.ts"

export interface SearchPlaces {
  /** The spaces to search. Null means every space that the caller may read. */
  readonly spaces: ReadonlyArray<string> | null
  /**
   * The projects to search. Null means that the question is not limited to projects. An empty list means that no
   * project has the name in the question, so the search finds nothing.
   */
  readonly projects: ReadonlyArray<string> | null
  /**
   * The spaces and projects that the question excludes. If no space or project has an excluded name, the name has no
   * effect.
   */
  readonly without: { readonly spaces: ReadonlyArray<string>; readonly projects: ReadonlyArray<string> }
}

interface RequestedPlace {
  readonly workspaceId?: string | null | undefined
  readonly projectId?: string | null | undefined
}

// the pod counts matches in other workspaces up to this number
const elsewhereMax = 50

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

export class AskedPlaces extends Context.Tag("pod/AskedPlaces")<
  AskedPlaces,
  {
    readonly narrowing: (placed: RequestedPlace, filters: Filters) => Effect.Effect<SearchPlaces, Forbidden, Reach>
    /**
     * Searches the caller's other workspaces and counts the matches of each kind there. Returns null if the question
     * already covers all workspaces, or if there is no match.
     */
    readonly elsewhere: (narrowing: SearchPlaces, question: Question) => Effect.Effect<Spaces, IndexLoading, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const records = yield* Records
      const search = yield* Search
      const workspaces = yield* Workspaces

      /**
       * Returns the workspace that the request names. If the caller is not a member of this workspace, returns null, as
       * if the request named no workspace. But if a key is limited to some workspaces, the call fails with Forbidden
       * for any other workspace.
       */
      const namedSpace = Effect.fnUntraced(function* (workspaceId: string) {
        const { principal } = yield* Reach
        const isConfined = principal.workspaceId !== null || (principal.grant?.workspaceIds ?? null) !== null
        const isMember = principal.memberships.some(({ spaceId }) => spaceId === workspaceId)
        return isMember || isConfined ? [yield* requestedSpace(workspaceId)] : null
      })

      const spacesNamed = (names: ReadonlyArray<string>) =>
        Effect.map(workspaces.list, (listing) =>
          listing.workspaces
            .filter(({ id, name }) => names.some((each) => isSame(each, id) || isSame(each, name)))
            .map(({ id }) => id)
        )

      const projectsNamed = Effect.fnUntraced(function* (names: ReadonlyArray<string>) {
        const ids = names.filter(isUuid).map((id) => id.toLowerCase())
        if (ids.length === names.length) return ids
        const found = (yield* everyRecord(records, Project, {})).filter(({ name }) =>
          names.some((each) => isSame(each, name))
        )
        return [...ids, ...found.map(({ id }) => id)]
      })

      return {
        narrowing: Effect.fnUntraced(function* ({ projectId, workspaceId }, filters) {
          const named = workspaceId === undefined || workspaceId === null ? null : yield* namedSpace(workspaceId)
          const written = filters.workspaces.length === 0 ? null : yield* spacesNamed(filters.workspaces)
          const filed = filters.projects.length === 0 ? null : yield* projectsNamed(filters.projects)
          const requestedProjects = projectId === undefined || projectId === null ? null : [projectId]
          const { projects: notFiled, workspaces: notIn } = filters.without
          const without = {
            spaces: notIn.length === 0 ? [] : yield* spacesNamed(notIn),
            projects: notFiled.length === 0 ? [] : yield* projectsNamed(notFiled)
          }
          return { spaces: intersect(named, written), projects: intersect(requestedProjects, filed), without }
        }),
        elsewhere: Effect.fnUntraced(function* ({ projects: filed, spaces, without }, question) {
          if (spaces === null) return null
          const { workspaces: listed } = yield* workspaces.list
          const others = listed.filter(({ id }) => !spaces.includes(id) && !without.spaces.includes(id))
          const { items } = yield* search.find({
            question,
            types: ["entity", "document"],
            spaces: others.map(({ id }) => id),
            projects: filed,
            without,
            limit: elsewhereMax
          })
          const matches = others.flatMap(({ description, id, name }) => {
            const kinds = new Map<string, number>()
            for (const { kind, spaceId, type } of items) {
              if (spaceId === id) kinds.set(kind ?? type, (kinds.get(kind ?? type) ?? 0) + 1)
            }
            if (kinds.size === 0) return []
            const counted = Array.from(kinds, ([slug, count]) => ({ slug, count }))
            return [{ workspaceId: id, name, purpose: description ?? "", kinds: counted }]
          })
          return matches.length === 0 ? null : { matches }
        })
      }
    })
  )
}

/** Returns the ids that are in both lists. A list that is null stands for all ids. */
const intersect = (
  one: ReadonlyArray<string> | null,
  other: ReadonlyArray<string> | null
): ReadonlyArray<string> | null =>
  one === null ? other : other === null ? one : one.filter((each) => other.includes(each))
