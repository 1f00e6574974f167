/** Workspaces: reading them, and changing what they are set up with. */
import { Context, Effect, Layer, Schema } from "effect"
import { Conflict, type WriteRefusal, type Forbidden, invalid, NotFound, NotImplemented } from "../../doors/Failure.ts"
import { strictly } from "../../doors/Faults.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import { Reach } from "../../doors/Reach.ts"
import { writerOf } from "../gate/Changers.ts"
import { contentOver, type Snapshot } from "../gate/Write.ts"
import { Provisioning } from "./Provisioning.ts"
import type { Workspace, WorkspaceDetail, WorkspaceNotFound } from "./Workspace.ts"
import { spaceNamed } from "./WorkspaceAccess.ts"
import { type StandingWorkspace, WorkspaceChangeStore } from "./WorkspaceChangeStore.ts"
import { WorkspaceFields } from "./WorkspaceSettings.ts"
import { WorkspaceStore } from "./WorkspaceStore.ts"
import { unused, WorkspaceUse } from "./WorkspaceUse.ts"
import { wishOf } from "./WorkspaceWish.ts"

export type WorkspaceRefused = WriteRefusal | Proposed | WorkspaceNotFound

const fieldsOf = strictly(Schema.partialWith(WorkspaceFields, { exact: true }))

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

      /**
       * Looked for first and refused after: what is remembered of a caller's memberships may be older than a workspace
       * they just made, and only a statement finds that out.
       */
      const reached = <A, E>(id: string, work: Effect.Effect<A, E, Reach>) =>
        Effect.flatMap(Effect.either(work), (found) => Effect.zipRight(spaceNamed(id), found))

      const find = (id: string) => reached(id, changes.find(id))

      const write = yield* writerOf<StandingWorkspace | null>("workspace", {
        traits: { subject: "workspace", actions: ["create", "update"] },
        current: (id) =>
          changes.find(id).pipe(
            Effect.map(snapshotOf),
            Effect.catchTag("WorkspaceNotFound", () => Effect.succeed(null))
          ),
        describe: (asked) =>
          Effect.gen(function* () {
            const { action, targetId } = asked
            if (action === "create") return yield* provisioning.describe(asked)
            const standing = yield* Effect.mapError(find(targetId), (failure) =>
              failure._tag === "Forbidden" ? failure : absent
            )
            const base = snapshotOf(standing)
            const content = contentOver(asked, base)
            const what = action === "update" ? `Change ${Object.keys(content).join(", ")} of` : "Take back"
            return {
              object: objectOf(targetId),
              content,
              base,
              summary: `${what} the workspace “${standing.fields.name}”`
            }
          }),
        check: ({ action, content }, moment) =>
          Effect.gen(function* () {
            if (action === "delete") return yield* notDeleted
            if (action === "create") yield* provisioning.check(yield* wishOf(content), moment)
            else if (Object.keys(yield* fieldsOf(content)).length === 0)
              return yield* invalid("", "Say what to change.")
            return { content }
          }),
        apply: ({ action, content, expectedVersion, targetId }, passed) =>
          Effect.gen(function* () {
            switch (action) {
              case "create":
                yield* provisioning.approved(targetId, yield* wishOf(content), passed)
                return null
              case "update": {
                const fields = yield* fieldsOf(content)
                return yield* changes.change(targetId, fields, expectedVersion, eventOf(targetId, fields), passed)
              }
              case "delete": {
                const event = { type: "workspace.delete", subjectId: targetId, data: {} }
                return (yield* changes.unmake(targetId, event, passed)) ? null : yield* inUse
              }
              case "restore":
                return yield* notDeleted
            }
          }).pipe(
            Effect.catchTags({
              WorkspaceNotFound: () => Effect.fail(absent),
              WorkspaceChanged: versionConflict
            })
          )
      })

      /** Made from the fields as they stand, and written while they still do. */
      const updateOnce = (
        id: string,
        next: (standing: WorkspaceFields) => Partial<WorkspaceFields>,
        reasoning: string | null
      ) =>
        Effect.gen(function* () {
          const { fields, version } = yield* find(id)
          const changed = yield* write(
            { action: "update", targetId: id, spaceId: id, content: next(fields) },
            { reasoning, expectedVersion: version }
          )
          return changed?.fields ?? (yield* absent)
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
            while: (failure) => failure._tag === "Conflict" && failure.code === "VERSION_CONFLICT"
          })
      }
    })
  )
}
