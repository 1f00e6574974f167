/** The service of workspaces. It reads workspaces and changes their settings. */
import { Context, Effect, Layer, Schema } from "effect"
import { missingRecord } from "../../doors/MissingRecord.ts"
import {
  Conflict,
  type WriteRefusal,
  type Forbidden,
  invalid,
  NotImplemented,
  isVersionConflict
} from "../../doors/Failure.ts"
import { strictDecoder } from "../../doors/Faults.ts"
import { JsonObjectInput } from "../../doors/Fields.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import { Reach } from "../../doors/Reach.ts"
import { writerOf } from "../gate/Changers.ts"
import { requestedContent, type Snapshot } from "../gate/Write.ts"
import { Provisioning } from "./Provisioning.ts"
import { forOlderClients, type Workspace, type WorkspaceDetail, type WorkspaceNotFound } from "./Workspace.ts"
import { requestedSpace } from "./WorkspaceAccess.ts"
import { type CurrentWorkspace, WorkspaceChangeStore } from "./WorkspaceChangeStore.ts"
import { WorkspaceFields } from "./WorkspaceSettings.ts"
import { WorkspaceStore } from "./WorkspaceStore.ts"
import { noUse, projectsNamedMax, WorkspaceUse } from "./WorkspaceUse.ts"
import { workspaceRequestOf } from "./WorkspaceRequest.ts"

export type WorkspaceRefused = WriteRefusal | Proposed | WorkspaceNotFound

/**
 * The fields that a change can contain, with their limits. The pod merges `sourceRoles` and `defaultSources` of a
 * change into the stored values. The limits also apply to the merged values. Otherwise many small changes together
 * could exceed the limits.
 */
const Content = Schema.Struct({
  ...WorkspaceFields.fields,
  sourceRoles: JsonObjectInput,
  defaultSources: JsonObjectInput
})
const fieldsOf = strictDecoder(Schema.partialWith(Content, { exact: true }))

const snapshotOf = ({ fields, version, workspaceRequest }: CurrentWorkspace): Snapshot => ({
  version,
  fields: { ...workspaceRequest, ...fields }
})

const objectOf = (id: string) => ({ spaceId: id, isPersonal: false, objectId: id, projectIds: [] })

/**
 * Matches content that makes a part of a workspace public. The content is unknown JSON here, because it can come from a
 * stored proposal.
 */
const PublishedPart = Schema.Struct({ publicProjection: Schema.Struct({ enabled: Schema.Literal(true) }) })
const publishes = Schema.is(PublishedPart)

/**
 * The subjects of the records that become public. These records are entities. A workspace selects them by their kind or
 * by a facet.
 */
const published = ["entity", "facet"] as const

const notFound = missingRecord("workspace")
const inUse = new Conflict({
  code: "WORKSPACE_IN_USE",
  why: "The workspace already has content, so the pod cannot revert its creation. A revert would hide that content."
})
const publishedMeanwhile = new Conflict({
  code: "PROPOSAL_CONFLICT",
  why: "Somebody has made a part of the workspace public since the proposal was made. Edit the proposal, and set which part should be public."
})
const notDeleted = new NotImplemented({ why: "A workspace cannot be deleted by a proposal." })

const versionConflict = ({ version }: { readonly version: number }) =>
  Effect.fail(
    new Conflict({
      code: "VERSION_CONFLICT",
      why: `The workspace has changed: it is now at version ${version}. Read it again before you change it.`
    })
  )

const eventOf = (id: string, fields: object) => ({
  type: "workspace.update",
  subjectId: id,
  data: { fields: Object.keys(fields) }
})

// the maximum number of retries if somebody else changes the workspace at the same time
const retriesMax = 3

export interface WorkspaceListing {
  readonly workspaces: ReadonlyArray<Workspace>
  /** The number of entities in the caller's own space. */
  readonly podEntityCount: number
}

export class Workspaces extends Context.Tag("pod/Workspaces")<
  Workspaces,
  {
    readonly list: Effect.Effect<WorkspaceListing, never, Reach>
    /**
     * Reads a workspace of the caller. Fails with Forbidden if the workspace is missing or if the caller is not a
     * member. The error is the same in both cases.
     */
    readonly get: (id: string) => Effect.Effect<WorkspaceDetail, Forbidden | WorkspaceNotFound, Reach>
    /** Reads the fields that people can change, with their current values. Fails in the same cases as `get`. */
    readonly fields: (id: string) => Effect.Effect<WorkspaceFields, Forbidden | WorkspaceNotFound, Reach>
    /**
     * Reads the current fields, calls `next` with these fields, and writes the result. Only owners and admins are
     * allowed to do this. A change by an agent becomes a proposal, and the method fails with Proposed.
     */
    readonly update: (
      id: string,
      next: (current: WorkspaceFields) => Partial<WorkspaceFields>,
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
       * Runs the query on a workspace, and then refuses a caller who is not allowed to use the workspace. The query
       * must be first. If the caller has just created the workspace, the cached memberships are outdated, and only a
       * statement to the database can notice this.
       */
      const ifReachable = <A, E>(id: string, work: Effect.Effect<A, E, Reach>) =>
        Effect.flatMap(Effect.either(work), (found) => Effect.zipRight(requestedSpace(id), found))

      const find = (id: string) => ifReachable(id, changes.find(id))

      const write = yield* writerOf<CurrentWorkspace | null>("workspace", {
        traits: { subject: "workspace", actions: ["create", "update"] },
        current: (id) =>
          changes.find(id).pipe(
            Effect.map(snapshotOf),
            Effect.catchTag("WorkspaceNotFound", () => Effect.succeed(null))
          ),
        describe: Effect.fnUntraced(function* (request) {
          const { action, targetId } = request
          if (action === "create") return yield* provisioning.describe(request)
          const current = yield* Effect.mapError(find(targetId), (failure) =>
            failure._tag === "Forbidden" ? failure : notFound
          )
          const base = snapshotOf(current)
          const content = requestedContent(request, base)
          const what = action === "update" ? `Change ${Object.keys(content).join(", ")} of` : "Revert the creation of"
          return {
            object: objectOf(targetId),
            content,
            base,
            discloses: publishes(content) ? published : undefined,
            summary: `${what} the workspace “${current.fields.name}”`
          }
        }),
        check: Effect.fnUntraced(function* ({ action, content, discloses }, moment) {
          if (action === "delete") return moment === "reverted" ? { content } : yield* notDeleted
          // The gate decided on the proposed content alone. But together with the current settings, this content could
          // make more data public than the gate expected.
          if (publishes(content) && discloses === undefined) return yield* publishedMeanwhile
          if (action === "create") yield* provisioning.check(yield* workspaceRequestOf(content), moment)
          else if (Object.keys(yield* fieldsOf(content)).length === 0)
            return yield* invalid("", "Send at least one field to change.")
          return { content }
        }),
        unchanged: ({ targetId }) =>
          Effect.mapError(find(targetId), (failure) => (failure._tag === "Forbidden" ? failure : notFound)),
        apply: Effect.fnUntraced(
          function* ({ action, content, expectedVersion, targetId }, passed) {
            switch (action) {
              case "create":
                yield* provisioning.approved(targetId, yield* workspaceRequestOf(content), passed)
                return null
              case "update": {
                const fields = yield* fieldsOf(content)
                return yield* changes.change(targetId, fields, expectedVersion, eventOf(targetId, fields), passed)
              }
              case "delete": {
                const event = { type: "workspace.delete", subjectId: targetId, data: {} }
                return (yield* changes.revertCreation(targetId, event, passed)) ? null : yield* inUse
              }
              case "restore":
                return yield* notDeleted
            }
          },
          Effect.catchTags({
            WorkspaceNotFound: () => Effect.fail(notFound),
            WorkspaceChanged: versionConflict
          })
        )
      })

      /**
       * Computes the change from the current fields and writes the change. Fails if the fields have changed in the
       * meantime.
       */
      const updateOnce = Effect.fnUntraced(function* (
        id: string,
        next: (current: WorkspaceFields) => Partial<WorkspaceFields>,
        reasoning: string | null
      ) {
        const { fields, version } = yield* find(id)
        const changed = yield* write(
          { action: "update", targetId: id, spaceId: id, content: next(fields) },
          { reasoning, expectedVersion: version }
        )
        return changed?.fields ?? (yield* notFound)
      })

      return {
        list: Effect.gen(function* () {
          const { principal } = yield* Reach
          const found = yield* store.list
          const used = yield* uses.of([principal.personId, ...found.map(({ id }) => id)], projectsNamedMax)
          return {
            workspaces: found.map((workspace) => ({
              ...workspace,
              ...forOlderClients,
              ...(used.get(workspace.id) ?? noUse)
            })),
            podEntityCount: (used.get(principal.personId) ?? noUse).entityCount
          }
        }),
        get: Effect.fnUntraced(function* (id) {
          const workspace = yield* ifReachable(id, store.get(id))
          return { ...workspace, ...forOlderClients, ...((yield* uses.of([id], projectsNamedMax)).get(id) ?? noUse) }
        }),
        fields: (id) => Effect.map(find(id), ({ fields }) => fields),
        update: (id, next, reasoning = null) =>
          Effect.retry(updateOnce(id, next, reasoning), {
            times: retriesMax,
            while: isVersionConflict
          })
      }
    })
  )
}
