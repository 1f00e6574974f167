/** Lists the kinds of entity, with their properties and the number of their entities, and suggests what to do next. */
import { Context, Effect, Layer } from "effect"
import type { Forbidden } from "../../doors/Failure.ts"
import type { Cursor } from "../../doors/Cursor.ts"
import type { Page } from "../../doors/Page.ts"
import { Reach } from "../../doors/Reach.ts"
import { readFirst } from "../../platform/ResultSize.ts"
import { Entities } from "../entities/Entities.ts"
import { type StoredProfile, toWire } from "../profiles/Profile.ts"
import { ProfileRecords } from "../profiles/ProfileRecords.ts"
import { RelationDefs } from "../relations/RelationDefs.ts"
import { requestedSpace } from "../workspaces/WorkspaceAccess.ts"
import { type DiscoveredProfile, type DiscoveryPayload, type DiscoveryQuery, propertiesOf } from "./Discovery.ts"
import { DiscoveryStore } from "./DiscoveryStore.ts"

const pageSize = 1000 // the number of profiles or definitions in one page
// The maximum number of pages of profiles, or of definitions of properties, that discovery reads. A caller who has more
// must name a workspace.
const pagesMax = 10

const commands = {
  "list entities": "GET /api/hub/entities?profileSlug={slug}",
  "create an entity": "POST /api/hub/entities",
  "change an entity": "PATCH /api/hub/entities/{id}",
  "connect two entities": "POST /api/hub/relations",
  "show what is connected": "GET /api/hub/graph/entity/{id}",
  "read one profile with its properties": "GET /api/hub/discover?userId=me&profileSlugs={slug}",
  "see where you are": "GET /api/hub/orient",
  "read the documentation": "GET /llms.txt"
}

const createCommand = ({ profileKind, slug, workspaceId }: StoredProfile): string => {
  const where = workspaceId === null ? "" : `,"workspaceId":"${workspaceId}"`
  return profileKind === "role"
    ? `PUT /api/hub/entities/{id}/facets {"slug":"${slug}"}`
    : `POST /api/hub/entities {"profileSlug":"${slug}","title":"…"${where}}`
}

const visibilities = { system: "pod", workspace: "workspace", user: "private" } as const

/**
 * If the person's own space has another profile with the same slug, tells the caller that a write without a workspace
 * uses that other profile.
 */
const writesTo = (
  profile: StoredProfile,
  alike: ReadonlyArray<StoredProfile>,
  personId: string
): Pick<DiscoveredProfile, "slugWritesTo"> => {
  const ownProfile = alike.find(({ userId, workspaceId }) => workspaceId === null && userId === personId)
  if (ownProfile === undefined || ownProfile.id === profile.id) return {}
  return {
    slugWritesTo: {
      reason: "same_slug",
      profileId: ownProfile.id,
      hint: "Without `workspaceId`, a write uses your own profile with the same slug."
    }
  }
}

const groupsOf = (profiles: ReadonlyArray<DiscoveredProfile>): NonNullable<DiscoveryPayload["groups"]> => {
  const groups = new Map<string, NonNullable<DiscoveryPayload["groups"]>[number]>()
  for (const { id, scope: origin, workspaceId } of profiles) {
    const key = `${origin} ${workspaceId ?? ""}`
    groups.set(key, { origin, workspaceId, profileIds: [...(groups.get(key)?.profileIds ?? []), id] })
  }
  return [...groups.values()]
}

const hintOf = (
  { profileSlugs, summary }: DiscoveryQuery,
  profiles: ReadonlyArray<DiscoveredProfile>,
  isCut: boolean
): string => {
  const missing = (profileSlugs ?? []).filter((slug) => !profiles.some((profile) => profile.slug === slug))
  const cut = isCut ? " This list is not complete: send `workspaceId` to see more profiles." : ""
  if (missing.length > 0)
    return `There is no profile with the slug ${missing.slice(0, 10).join(", ")} that you may read.${cut}`
  const next = summary
    ? "Call this operation again with `profileSlugs` to read the properties of the profiles that you need."
    : "Create an entity with the slug of its profile and the properties listed here."
  return `${next}${cut}`
}

export class Discoveries extends Context.Tag("pod/Discoveries")<
  Discoveries,
  {
    /**
     * Lists the kinds of entity that the caller can use. Fails with Forbidden for a workspace that the caller cannot
     * reach.
     */
    readonly discover: (query: DiscoveryQuery) => Effect.Effect<DiscoveryPayload, Forbidden, Reach>
    /** Lists the profiles that the caller can use, each with the number of its entities, largest number first. */
    readonly listUsed: (workspaceId: string | undefined) => Effect.Effect<ReadonlyArray<UsedProfile>, Forbidden, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const entities = yield* Entities
      const profiles = yield* ProfileRecords
      const relationDefs = yield* RelationDefs
      const store = yield* DiscoveryStore

      /**
       * Reads the items of all pages of a list, up to `pagesMax` pages. `isCut` says whether the list has more items.
       */
      const all = <A>(
        list: (page: {
          readonly limit: number
          readonly offset: number
          readonly cursor: Cursor | undefined
        }) => Effect.Effect<Page<A>, Forbidden, Reach>
      ) =>
        Effect.gen(function* () {
          const found: Array<A> = []
          let cursor: Cursor | undefined
          for (let page = 0; page < pagesMax; page += 1) {
            const from = cursor
            const { items, next }: Page<A> = yield* readFirst(pageSize, (limit) =>
              list({ limit, offset: 0, cursor: from })
            )
            found.push(...items)
            if (next === null) return { found, isCut: false }
            cursor = next
          }
          return { found, isCut: true }
        })

      const known = (workspaceId: string | undefined) =>
        all((page) => profiles.list({ workspaceId, profileKind: undefined, ...page }))

      /**
       * Makes the function that counts the entities of a profile. For a built-in profile, the function counts in every
       * space that the caller reads. For any other profile, it counts only in the space of the profile.
       */
      const counting = Effect.fnUntraced(function* (workspaceId: string | undefined) {
        const { principal } = yield* Reach
        const spaceId = workspaceId === undefined ? null : yield* requestedSpace(workspaceId)
        const tallies = yield* entities.countByKind({ spaces: spaceId === null ? null : [spaceId] })
        return (profile: StoredProfile) => {
          const { scope, slug } = toWire(profile)
          const own = scope === "system" ? null : (profile.workspaceId ?? principal.personId)
          return tallies
            .filter((each) => each.kind === slug && (own === null || each.spaceId === own))
            .reduce((sum, { count }) => sum + count, 0)
        }
      })

      return {
        listUsed: Effect.fnUntraced(function* (workspaceId) {
          const { found } = yield* known(workspaceId)
          const countOf = yield* counting(workspaceId)
          return found
            .map((profile) => ({ profile, entityCount: countOf(profile) }))
            .toSorted((one, other) => other.entityCount - one.entityCount || byName(one.profile, other.profile))
        }),
        discover: Effect.fnUntraced(function* (query) {
          const { fill, groups, profileSlugs, sort, summary, workspaceId } = query
          const { principal } = yield* Reach
          const { found, isCut } = yield* known(workspaceId)
          const countOf = yield* counting(workspaceId)
          const definitions = summary
            ? []
            : (yield* all((page) => profiles.definitions.list({ workspaceId, ...page }))).found
          const requestedProfiles = found.filter(
            ({ slug }) => profileSlugs === undefined || profileSlugs.includes(slug)
          )
          const kinds = requestedProfiles.filter(({ profileKind }) => profileKind === "kind").map(({ slug }) => slug)
          const spaces = workspaceId === undefined ? null : [workspaceId]
          const fills = fill && !summary ? yield* store.fills({ kinds, spaces }) : null
          const byId = new Map(found.map((profile) => [profile.id, profile]))
          const listed = requestedProfiles.map((profile): DiscoveredProfile => {
            const { applicableKinds, description, displayName, icon, id, profileKind, scope, slug } = toWire(profile)
            const alike = found.filter((other) => other.slug === slug)
            const sampled = fills === null ? null : (fills.get(slug) ?? { sampleSize: 0, filled: {} })
            return {
              id,
              slug,
              displayName,
              scope,
              visibility: visibilities[scope],
              workspaceId: profile.workspaceId,
              description,
              icon,
              profileKind,
              applicableKinds,
              ...(summary ? {} : propertiesOf(profile, byId, definitions, profileKind === "kind" ? sampled : null)),
              ...writesTo(profile, alike, principal.personId),
              createCommand: createCommand(profile),
              entityCount: countOf(profile)
            }
          })
          const sorted = listed.toSorted(
            (one, other) => (sort === "usage" ? other.entityCount - one.entityCount : 0) || byName(one, other)
          )
          const types = yield* Effect.either(relationDefs.types(workspaceId))
          return {
            ...(types._tag === "Right" ? { relationTypes: types.right } : { relationTypesError: types.left.why }),
            profiles: sorted,
            ...(groups === undefined ? {} : { groups: groupsOf(sorted) }),
            commands,
            hint: hintOf(query, sorted, isCut)
          }
        })
      }
    })
  )
}

export interface UsedProfile {
  readonly profile: StoredProfile
  readonly entityCount: number
}

type Named = Pick<StoredProfile, "displayName" | "id">

const byName = (one: Named, other: Named): number =>
  one.displayName === other.displayName ? (one.id < other.id ? -1 : 1) : one.displayName < other.displayName ? -1 : 1
