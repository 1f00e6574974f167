/** Entities: the rules of reading and changing what the pod knows. */
import { Context, Effect, Layer } from "effect"
import { Forbidden } from "../../doors/Failure.ts"
import { Reach } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { isUnrestricted } from "../grants/Grant.ts"
import { GovernanceGate } from "../governance/GovernanceGate.ts"
import { namesCaller } from "../people/Identity.ts"
import { spaceNamed } from "../workspaces/WorkspaceAccess.ts"
import {
  type Entity,
  type EntityChange,
  type EntityChanged,
  type EntityDraft,
  type EntityNotFound,
  type EntityQuery,
  previewOf,
  type ProfileUnknown
} from "./Entity.ts"
import { EntityStore } from "./EntityStore.ts"

const kindFallback = "note"

/** A listing as it was asked for; only `q` makes it a search. */
export type EntityListing = Omit<typeof EntityQuery.Type, "sort">

export class Entities extends Context.Tag("pod/Entities")<
  Entities,
  {
    /**
     * What the caller may read, newest first (a search: best first). Fails with Forbidden for a workspace the caller
     * does not reach, and for a search by a key whose grant narrows anything (specification §5.4).
     */
    readonly list: (listing: EntityListing) => Effect.Effect<ReadonlyArray<Entity>, Forbidden, Reach>
    readonly get: (id: string) => Effect.Effect<Entity, EntityNotFound, Reach>
    readonly create: (draft: EntityDraft) => Effect.Effect<Entity, Forbidden | ProfileUnknown, Reach>
    readonly update: (
      id: string,
      change: EntityChange
    ) => Effect.Effect<Entity, Forbidden | EntityNotFound | EntityChanged, Reach>
    readonly remove: (id: string) => Effect.Effect<void, Forbidden | EntityNotFound, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* EntityStore
      const gate = yield* GovernanceGate

      /** The spaces a listing was narrowed to; null for all that the caller reads. */
      const spacesOf = Effect.fnUntraced(function* (listing: EntityListing) {
        const { principal } = yield* Reach
        if (listing.workspaceId !== undefined) {
          const named = yield* spaceNamed(listing.workspaceId)
          return listing.includePodWide && listing.scope !== "workspace" ? [named, principal.personId] : [named]
        }
        if (listing.scope === "pod") return [principal.personId]
        return listing.includePodWide && listing.scope !== "workspace"
          ? null
          : principal.memberships.map(({ spaceId }) => spaceId).filter((spaceId) => spaceId !== principal.personId)
      })

      /** Passes the gate for something that exists already. What the caller can neither read nor touch does not exist. */
      const passFor = Effect.fnUntraced(function* (id: string, action: "update" | "delete") {
        const { principal } = yield* Reach
        const { entity, spaceId, projectIds } = yield* store.place(id, action)
        yield* gate.pass({
          subject: "entity",
          kind: entity.profileSlug,
          action,
          object: { spaceId, isPersonal: spaceId === principal.personId, objectId: id, projectIds }
        })
        return entity
      })

      return {
        list: Effect.fn("Entities.list")(function* (listing) {
          const { principal } = yield* Reach
          if (listing.q !== undefined && !isUnrestricted(principal)) {
            return yield* new Forbidden({
              code: "GRANT_DOOR_UNSUPPORTED",
              why: "Full-text search needs a key with the permission * and no limits. List without q instead.",
              required: ["*"],
              granted: principal.grant?.permissions ?? ["*"]
            })
          }
          const kind = listing.profileSlug ?? listing.type
          return yield* store.list(
            { kind, projectId: listing.projectId, search: listing.q, limit: listing.limit, offset: listing.offset },
            yield* spacesOf(listing)
          )
        }),
        get: (id) => store.get(id),
        create: Effect.fn("Entities.create")(function* (draft) {
          const { principal } = yield* Reach
          yield* namesCaller(draft.userId)
          const spaceId = draft.workspaceId ?? principal.personId
          const kind = draft.profileSlug ?? draft.type ?? kindFallback
          const projectIds = draft.projectId === undefined ? [] : [draft.projectId]
          const object = { spaceId, isPersonal: spaceId === principal.personId, objectId: null, projectIds }
          yield* gate.pass({ subject: "entity", kind, action: "create", object })
          // Filing it makes a link besides, which the grant has to cover too (specification §5.2.4), unless the grant
          // is for that very project and nothing could be made under it otherwise.
          if (draft.projectId !== undefined && principal.grant?.projectIds?.includes(draft.projectId) !== true) {
            yield* gate.pass({ subject: "relation", kind: null, action: "create", object })
          }
          const id = uuidv7()
          return yield* store.add(
            {
              id,
              spaceId,
              kind,
              title: draft.title,
              preview: previewOf(draft),
              description: draft.description ?? null,
              properties: draft.properties ?? {},
              projectId: draft.projectId
            },
            { type: `entity.${kind}.create`, subjectId: id, data: { profileSlug: kind, title: draft.title } }
          )
        }),
        update: Effect.fn("Entities.update")(function* (id, change) {
          yield* namesCaller(change.userId)
          const { profileSlug } = yield* passFor(id, "update")
          const { userId: _, version: __, ...fields } = change
          return yield* store.change(id, change, {
            type: `entity.${profileSlug}.update`,
            subjectId: id,
            data: { profileSlug, fields: Object.keys(fields) }
          })
        }),
        remove: Effect.fn("Entities.remove")(function* (id) {
          const { profileSlug, title } = yield* passFor(id, "delete")
          yield* store.remove(id, { type: `entity.${profileSlug}.delete`, subjectId: id, data: { profileSlug, title } })
        })
      }
    })
  )
}
