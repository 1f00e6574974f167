/**
 * The key that a preview is about: a draft of a new key, or an existing key as it is now. For an existing key, this
 * file also lists the items of the grant that the person can no longer access.
 */
import { Context, DateTime, Effect, Layer } from "effect"
import { type Forbidden, invalid, type Invalid, NotFound } from "../../doors/Failure.ts"
import type { Principal } from "../../doors/Principal.ts"
import { Reach } from "../../doors/Reach.ts"
import { Changers } from "../gate/Changers.ts"
import { boundsOf } from "../grants/Grant.ts"
import { parsePermission } from "../grants/Permission.ts"
import type { StoredKey } from "../keys/Key.ts"
import { Keys } from "../keys/Keys.ts"
import { People } from "../people/People.ts"
import { Profiles } from "../profiles/Profiles.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"
import type { KeyEnd } from "./GrantSentence.ts"
import type { LostAccess, PreviewInput } from "./Preview.ts"

const scopesDefault = ["hub-protocol.read", "hub-protocol.write", "mcp.read", "mcp.write"]

export interface PreviewedKey {
  /** The principal of a call with the key: who calls, and with which rights. */
  readonly principal: Principal
  readonly end: KeyEnd
  /** The names of the workspaces to which the key is limited. Null if the key is not limited to workspaces. */
  readonly workspaces: ReadonlyArray<string> | null
  readonly lost: ReadonlyArray<LostAccess>
}

export class PreviewedKeys extends Context.Tag("pod/PreviewedKeys")<
  PreviewedKeys,
  {
    /**
     * Returns the key that a preview is about. Fails with Forbidden or Invalid in the same cases as the creation of the
     * key. Fails with NotFound if the caller has no key with the given id.
     */
    readonly of: (input: PreviewInput) => Effect.Effect<PreviewedKey, Forbidden | Invalid | NotFound, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const changers = yield* Changers
      const keys = yield* Keys
      const people = yield* People
      const profiles = yield* Profiles
      const workspaces = yield* Workspaces

      const holderOf = Effect.fnUntraced(function* (agentId: string | undefined) {
        const { principal } = yield* Reach
        if (agentId === undefined || agentId === principal.personId) return principal.holder
        const agent = yield* people.agentGiven(agentId)
        return { id: agent.id, kind: "agent" as const, capabilities: agent.capabilities }
      })

      /**
       * Returns the names of the workspaces to which the key is limited. If the person cannot see a workspace, the list
       * has the id of the workspace instead of the name.
       */
      const namesOf = Effect.fnUntraced(function* ({ grant, workspaceId }: Principal) {
        const ids = workspaceId === null ? grant?.workspaceIds : [workspaceId]
        if (ids == null) return null
        const known = new Map((yield* workspaces.list).workspaces.map(({ id, name }) => [id, name]))
        return ids.map((id) => known.get(id) ?? id)
      })

      const drafted = Effect.fnUntraced(function* (input: PreviewInput) {
        const { principal } = yield* Reach
        if (input.grant === undefined) return yield* invalid("grant", "Send `grant`, or the id of a key in `keyId`.")
        const grant = yield* keys.check(input.grant, input.workspaceId)
        const draft: Principal = {
          ...principal,
          credential: { kind: "key", id: principal.credential.id },
          holder: yield* holderOf(input.agentId),
          scopes: input.scope ?? scopesDefault,
          grant: boundsOf(grant),
          workspaceId: input.workspaceId ?? null,
          toolProfile: input.toolProfile ?? null
        }
        const { expiresInDays: days } = input
        const end = days == null ? days : DateTime.add(yield* DateTime.now, { days })
        return { principal: draft, end, workspaces: yield* namesOf(draft), lost: [] }
      })

      /** Returns the objects with these ids that the person cannot access now, each with a reason. */
      const lostObjects = Effect.fnUntraced(function* (type: "project" | "entity", ids: ReadonlyArray<string> | null) {
        const found = yield* Effect.forEach(ids ?? [], (id) =>
          Effect.map(changers.of(type)?.current(id, null) ?? Effect.succeed(null), (current) =>
            current === null ? [{ type, id, reason: `The ${type} was deleted, or you can no longer see it.` }] : []
          )
        )
        return found.flat()
      })

      /**
       * Lists the items of the key's grant that the person can no longer access: workspaces, projects, entities, and
       * permissions for kinds that no longer exist.
       */
      const lostBy = Effect.fnUntraced(function* (key: StoredKey) {
        const { principal } = yield* Reach
        const { grant } = key
        const spaces = new Set(principal.memberships.map(({ spaceId }) => spaceId))
        const named = new Set([...(grant?.workspaceIds ?? []), ...(key.workspaceId === null ? [] : [key.workspaceId])])
        const kinds = yield* profiles.kinds
        const lost: ReadonlyArray<LostAccess> = [
          ...[...named]
            .filter((id) => !spaces.has(id))
            .map((id) => ({
              type: "workspace" as const,
              id,
              reason: "You are no longer a member of this workspace."
            })),
          ...(yield* lostObjects("project", grant?.projectIds ?? null)),
          ...(yield* lostObjects("entity", grant?.entityIds ?? null)),
          ...(grant?.permissions ?? []).flatMap((permission) => {
            const parsed = parsePermission(permission)
            const [subject, kind] = parsed._tag === "Right" ? parsed.right : []
            const isGone = subject === "entity" && kind !== undefined && kind !== "*" && !kinds.has(kind)
            return isGone
              ? [{ type: "permission" as const, id: permission, reason: `There is no entity kind ${kind} any more.` }]
              : []
          })
        ]
        return lost
      })

      const existing = Effect.fnUntraced(function* (keyId: string) {
        const { principal } = yield* Reach
        const key = yield* Effect.catchTag(
          keys.get(keyId),
          "KeyNotFound",
          () => new NotFound({ why: "You have no key with this id." })
        )
        const principalOfKey: Principal = {
          ...principal,
          credential: { kind: "key", id: key.id },
          holder: yield* holderOf(key.holderId),
          scopes: key.scopes,
          grant: key.grant,
          workspaceId: key.workspaceId,
          toolProfile: key.toolProfile
        }
        const [workspaces, lost] = [yield* namesOf(principalOfKey), yield* lostBy(key)]
        return { principal: principalOfKey, end: key.expiresAt, workspaces, lost }
      })

      return {
        of: Effect.fnUntraced(function* (input) {
          const { keyId } = input
          if (keyId === undefined) return yield* drafted(input)
          const extra = (["grant", "scope", "agentId", "workspaceId", "toolProfile", "expiresInDays"] as const).find(
            (name) => input[name] !== undefined
          )
          return extra === undefined
            ? yield* existing(keyId)
            : yield* invalid(extra, "A preview of an existing key takes this field from the key. Leave this field out.")
        })
      }
    })
  )
}
