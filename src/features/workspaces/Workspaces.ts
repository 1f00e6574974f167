/** Workspaces: reading them, and changing what they are set up with. */
import { Context, Effect, Layer, Schema } from "effect"
import { Conflict, type Forbidden, type Invalid, invalid, NotFound, NotImplemented } from "../../doors/Failure.ts"
import { strictly } from "../../doors/Faults.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import { Reach } from "../../doors/Reach.ts"
import { Changers } from "../governance/Changers.ts"
import { GovernanceGate } from "../governance/GovernanceGate.ts"
import type { Change, Snapshot } from "../governance/Write.ts"
import { Provisioning } from "./Provisioning.ts"
import type { Workspace, WorkspaceDetail, WorkspaceNotFound } from "./Workspace.ts"
import { spaceNamed } from "./WorkspaceAccess.ts"
import { type StandingWorkspace, WorkspaceChangeStore } from "./WorkspaceChangeStore.ts"
import { WorkspaceFields } from "./WorkspaceSettings.ts"
import { WorkspaceStore } from "./WorkspaceStore.ts"
import { unused, WorkspaceUse } from "./WorkspaceUse.ts"
import { WorkspaceWish } from "./WorkspaceWish.ts"

export type WorkspaceRefused = Forbidden | Proposed | Conflict | Invalid | WorkspaceNotFound

const fieldsOf = strictly(Schema.partialWith(WorkspaceFields, { exact: true }))
const wishOf = strictly(WorkspaceWish)

const snapshotOf = ({ fields, version, wish }: StandingWorkspace): Snapshot => ({
  version,
  fields: { ...wish, ...fields }
})

const objectOf = (id: string) => ({ spaceId: id, isPersonal: false, objectId: id, projectIds: [] })

const absent = new NotFound({ why: "There is no such workspace." })
const inUse = new Conflict({
  code: "WORKSPACE_IN_USE",
  why: "Something was done in the workspace since it was made; taking it back would hide that."
})
const notDeleted = new NotImplemented({ why: "A workspace is not deleted by a proposal." })

const versionConflict = ({ version }: { readonly version: number }) =>
  Effect.fail(new Conflict({ code: "VERSION_CONFLICT", why: `The workspace is at version ${version} by now.` }))

const eventOf = (id: string, fields: object) => ({
  type: "workspace.update",
  subjectId: id,
  data: { fields: Object.keys(fields) }
})

const retriesMost = 3 // somebody else changed it between look and write: looked at again

export interface WorkspaceListing {
  readonly workspaces: ReadonlyArray<Workspace>
  /** Entities in the caller's own space. */
  readonly podEntityCount: number
}

export class Workspaces extends Context.Tag("pod/Workspaces")<
  Workspaces,
  {
    readonly list: Effect.Effect<WorkspaceListing, never, Reach>
    /** Fails with Forbidden for a workspace outside the caller's, whether or not it exists. */
    readonly get: (id: string) => Effect.Effect<WorkspaceDetail, Forbidden | WorkspaceNotFound, Reach>
    /** What people change of it, as it stands. Fails like `get`. */
    readonly fields: (id: string) => Effect.Effect<WorkspaceFields, Forbidden | WorkspaceNotFound, Reach>
    /**
     * Writes the fields that `next` makes of those that stand. Its owners and admins may; an agent's change ends with
     * Proposed.
     */
    readonly update: (
      id: string,
      next: (standing: WorkspaceFields) => Partial<WorkspaceFields>,
      reasoning?: string | null
    ) => Effect.Effect<WorkspaceFields, WorkspaceRefused, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* WorkspaceStore
      const changes = yield* WorkspaceChangeStore
      const uses = yield* WorkspaceUse
      const provisioning = yield* Provisioning
      const gate = yield* GovernanceGate
      const changers = yield* Changers

      /**
       * Looked for first and refused after: what is remembered of a caller's memberships may be older than a workspace
       * they just made, and only a statement finds that out.
       */
      const reached = <A, E>(id: string, work: Effect.Effect<A, E, Reach>) =>
        Effect.flatMap(Effect.either(work), (found) => Effect.zipRight(spaceNamed(id), found))

      const find = (id: string) => reached(id, changes.find(id))

      yield* changers.register("workspace", {
        current: (id) =>
          changes.find(id).pipe(
            Effect.map(snapshotOf),
            Effect.catchTag("WorkspaceNotFound", () => Effect.succeed(null))
          ),
        apply: ({ action, content, expectedVersion, targetId }) =>
          Effect.gen(function* () {
            switch (action) {
              case "create": {
                const wish = yield* wishOf(content)
                yield* provisioning.approved(targetId, wish)
                return { version: 1, fields: { ...wish } }
              }
              case "update": {
                const fields = yield* fieldsOf(content)
                return snapshotOf(yield* changes.change(targetId, fields, expectedVersion, eventOf(targetId, fields)))
              }
              case "delete": {
                const isGone = yield* changes.unmake(targetId, {
                  type: "workspace.delete",
                  subjectId: targetId,
                  data: {}
                })
                return isGone ? null : yield* inUse
              }
              case "restore":
                return yield* notDeleted
            }
          }).pipe(
            Effect.catchTags({
              WorkspaceNotFound: () => Effect.fail(absent),
              WorkspaceChanged: versionConflict
            })
          ),
        describe: (action, targetId, content) =>
          Effect.gen(function* () {
            const { principal } = yield* Reach
            if (action === "delete") return yield* notDeleted
            if (action === "create") {
              const { name } = yield* wishOf(content)
              const object = { spaceId: principal.personId, isPersonal: true, objectId: null, projectIds: [] }
              return { subject: "workspace" as const, kind: null, object, summary: `Make the workspace “${name}”` }
            }
            const { fields } = yield* Effect.mapError(find(targetId), () => absent)
            const summary = `Change the workspace “${fields.name}”`
            return { subject: "workspace" as const, kind: null, object: objectOf(targetId), summary }
          }),
        check: ({ action, content }) =>
          action === "delete"
            ? Effect.fail(notDeleted)
            : action === "create"
              ? Effect.flatMap(wishOf(content), provisioning.check)
              : Effect.asVoid(fieldsOf(content))
      })

      const updateOnce = Effect.fnUntraced(function* (
        id: string,
        next: (standing: WorkspaceFields) => Partial<WorkspaceFields>,
        reasoning: string | null
      ) {
        const standing = yield* find(id)
        const fields = next(standing.fields)
        if (Object.keys(fields).length === 0) return yield* invalid("", "Say what to change.")
        const change: Change = {
          subject: "workspace",
          kind: null,
          action: "update",
          object: objectOf(id),
          targetType: "workspace",
          targetId: id,
          content: fields,
          base: snapshotOf(standing),
          summary: `Change ${Object.keys(fields).join(", ")} of the workspace “${standing.fields.name}”`,
          reasoning
        }
        yield* gate.pass(change)
        const changed = yield* Effect.catchTag(
          changes.change(id, fields, standing.version, eventOf(id, fields)),
          "WorkspaceChanged",
          versionConflict
        )
        return changed.fields
      })

      return {
        list: Effect.gen(function* () {
          const { principal } = yield* Reach
          const found = yield* store.list
          const used = yield* uses.of([principal.personId, ...found.map(({ id }) => id)])
          return {
            workspaces: found.map((workspace) => ({ ...workspace, ...(used.get(workspace.id) ?? unused) })),
            podEntityCount: (used.get(principal.personId) ?? unused).entityCount
          }
        }),
        get: (id) =>
          Effect.gen(function* () {
            const workspace = yield* reached(id, store.get(id))
            return { ...workspace, ...((yield* uses.of([id])).get(id) ?? unused) }
          }),
        fields: (id) => Effect.map(find(id), ({ fields }) => fields),
        update: (id, next, reasoning = null) =>
          Effect.retry(updateOnce(id, next, reasoning), {
            times: retriesMost,
            while: (failure) => failure._tag === "Conflict"
          })
      }
    })
  )
}
