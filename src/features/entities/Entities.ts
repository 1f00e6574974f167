/** The service of entities: it lists, searches and writes them. */
import { Context, Effect, Layer } from "effect"
import { type Forbidden, GrantDoorUnsupported, type Invalid, invalid } from "../../doors/Failure.ts"
import { type Page, singlePage } from "../../doors/Page.ts"
import { Reach } from "../../doors/Reach.ts"
import { readInOrder } from "../../doors/RowOrder.ts"
import { mayAskForProject } from "../grants/AskedProjects.ts"
import { hasFullGrant } from "../grants/Grant.ts"
import { requestedSpace } from "../workspaces/WorkspaceAccess.ts"
import type { Entity, EntityHead, EntityNotFound, EntityQuery } from "./Entity.ts"
import { EntityStore, type LocatedEntity } from "./EntityStore.ts"
import { EntityWrites } from "./EntityWrites.ts"

/** The input of a list. With `q`, it is the input of a search. */
export type EntityListing = Omit<typeof EntityQuery.Type, "sort">

export class Entities extends Context.Tag("pod/Entities")<
  Entities,
  {
    /**
     * Returns the entities that the caller may read, latest update first. Fails with Forbidden for a workspace that the
     * caller cannot reach, and with Invalid if the cursor comes from another list.
     */
    readonly list: (listing: Omit<EntityListing, "q">) => Effect.Effect<Page<Entity>, Forbidden | Invalid, Reach>
    /**
     * Searches entities if the request has `q`; without `q`, lists them as `list` does. A search returns the best match
     * first. A search fails with GrantDoorUnsupported for a key whose grant has limits (specification §5.4).
     */
    readonly search: (
      listing: EntityListing
    ) => Effect.Effect<Page<Entity>, Forbidden | GrantDoorUnsupported | Invalid, Reach>
    readonly get: (id: string) => Effect.Effect<Entity, EntityNotFound, Reach>
    /**
     * Reads the entities with these ids in one statement, in the order of the ids. Leaves out the entities that `get`
     * would not find.
     */
    readonly listByIds: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Entity>, never, Reach>
    /**
     * Reads what names the entities with these ids in one statement, in the order of the ids. Leaves out the entities
     * that `get` would not find.
     */
    readonly heads: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<EntityHead>, never, Reach>
    /** Counts the entities of each kind in each space that the caller reads. */
    readonly countByKind: EntityStore["Type"]["countByKind"]
    /**
     * Reads an entity with its space and projects, which the gate needs for its decision. Fails if the call is allowed
     * neither to read the entity nor to do the action on it.
     */
    readonly locate: (id: string, action: "update" | "delete") => Effect.Effect<LocatedEntity, EntityNotFound, Reach>
  } & typeof EntityWrites.Service
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* EntityStore

      /** Returns the spaces whose entities a list contains. Null means all spaces that the caller may read. */
      const spacesOf = Effect.fnUntraced(function* (listing: EntityListing) {
        const { principal } = yield* Reach
        if (listing.workspaceId !== undefined) {
          const named = yield* requestedSpace(listing.workspaceId)
          return listing.includePodWide && listing.scope !== "workspace" ? [named, principal.personId] : [named]
        }
        if (listing.scope === "pod") return [principal.personId]
        return listing.includePodWide && listing.scope !== "workspace"
          ? null
          : principal.memberships.map(({ spaceId }) => spaceId).filter((spaceId) => spaceId !== principal.personId)
      })

      const writes = yield* EntityWrites

      const search = Effect.fnUntraced(function* (listing: EntityListing) {
        const { principal } = yield* Reach
        if (listing.q !== undefined && !hasFullGrant(principal)) {
          return yield* new GrantDoorUnsupported({
            why: "Full-text search needs a key with the permission `*` and without limits. To list entities, leave out `q`.",
            required: ["*"],
            granted: principal.grant?.permissions ?? ["*"]
          })
        }
        return yield* listed(listing)
      })

      const listed = Effect.fnUntraced(function* (listing: EntityListing) {
        const { cursor, facetSlug: facet, limit, offset, projectId, q } = listing
        if (cursor !== undefined && (q !== undefined || cursor.at === null)) {
          return yield* invalid(
            "cursor",
            "A cursor works only with the listing that returned the cursor. To continue a search, send `offset`."
          )
        }
        const kind = listing.profileSlug ?? listing.type
        const spaces = yield* spacesOf(listing)
        if (projectId !== undefined && !mayAskForProject(yield* Reach, projectId)) return singlePage([])
        return yield* store.list({ kind, projectId, facet, search: q, limit, offset, cursor }, spaces)
      })

      return {
        list: (listing) => listed({ ...listing, q: undefined }),
        search,
        get: (id) => store.get(id),
        listByIds: (ids) => readInOrder(ids, store.listByIds),
        heads: (ids) => readInOrder(ids, store.heads),
        countByKind: store.countByKind,
        locate: (id, action) => store.locate(id, action),
        ...writes
      }
    })
  )
}
