/**
 * Files entities in projects. To file an entity, a caller needs `project.update`, and also `relation.create` in the
 * space of the entity. To remove an entity, a caller needs `relation.delete` instead of `relation.create`
 * (specification §5.2.4).
 */
import { Context, Effect, Layer, Schema } from "effect"
import { Id } from "../../doors/Id.ts"
import { spaceOf } from "../../doors/OwnSpace.ts"
import { missingRecord } from "../../doors/MissingRecord.ts"
import { type WriteRefusal, invalid, NotFound } from "../../doors/Failure.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import { strictDecoder } from "../../doors/Faults.ts"
import { Reach } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { Entities } from "../entities/Entities.ts"
import type { EntityHead } from "../entities/Entity.ts"
import { writerOf } from "../gate/Changers.ts"
import type { Passed } from "../gate/Passed.ts"
import { requestedContent, type GatedWrite, objectIn } from "../gate/Write.ts"
import { Records } from "../records/Records.ts"
import { membershipType, Project } from "./Project.ts"
import { type ProjectMember, ProjectMemberStore } from "./ProjectMemberStore.ts"
import { described } from "../../doors/Fields.ts"

type Refused = WriteRefusal | Proposed

interface FilingDetails {
  readonly reasoning?: string | null | undefined
  readonly sessionId?: string | null | undefined
}

export class ProjectMembers extends Context.Tag("pod/ProjectMembers")<
  ProjectMembers,
  {
    /**
     * Files the entities in the project and returns the new edges. Makes no new edge for entities that are already in
     * the project. Fails with NotFound for an entity that the caller cannot access.
     */
    readonly file: (
      projectId: string,
      entityIds: ReadonlyArray<string>,
      details?: FilingDetails
    ) => Effect.Effect<ReadonlyArray<ProjectMember>, Refused, Reach>
    /**
     * Removes an entity from a project. Fails with NotFound if the entity is not in the project, or if the caller
     * cannot access the entity.
     */
    readonly unfile: (
      projectId: string,
      entityId: string,
      details?: FilingDetails
    ) => Effect.Effect<ProjectMember, Refused, Reach>
    /**
     * Returns the edge from an entity to the project in which the entity is filed. Returns null if the call may not
     * read the edge.
     */
    readonly edge: (projectId: string, entityId: string) => Effect.Effect<ProjectMember | null, never, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* ProjectMemberStore
      const records = yield* Records
      const entities = yield* Entities
      const { exclusively } = yield* Transaction

      /**
       * Runs work that files several entities in a project. For each project, only one such work runs at a time.
       * Otherwise two transactions could wait for each other, because each has filed an entity for which the other
       * waits.
       */
      const oneByOne = <A, E>(projectId: string, work: Effect.Effect<A, E, Reach>) =>
        exclusively(`entities of the project ${projectId}`, work)

      const placed = (projectId: string) =>
        Effect.catchTag(records.locate(Project, projectId, "update"), "RecordNotFound", () =>
          Effect.fail(missingRecord("project"))
        )
      /** Reads the entities with these ids, in this order. Fails with NotFound if the caller may not read one of them. */
      const entitiesOf = (ids: ReadonlyArray<string>) =>
        Effect.filterOrFail(
          entities.heads(ids),
          (found) => found.length === ids.length,
          () => missingRecord("entity")
        )

      const eventOf = (
        action: "create" | "delete",
        { entityId, id, projectId }: Omit<ProjectMember, keyof StoreFields>
      ) => ({
        type: `relation.${action}`,
        subjectId: id,
        data: { type: membershipType, sourceEntityId: entityId, targetEntityId: projectId }
      })

      const fileEach = (projectId: string, entityIds: ReadonlyArray<string>, passed: Passed) =>
        Effect.forEach(entityIds, (entityId, at) => {
          const filing = { id: uuidv7(), entityId, projectId }
          return store.file(filing, eventOf("create", filing), at === 0 ? passed : passed.forNext)
        })
      const unfileEach = (members: ReadonlyArray<ProjectMember>, passed: Passed) =>
        Effect.forEach(members, (member, at) =>
          Effect.filterOrFail(
            store.unfile(member, eventOf("delete", member), at === 0 ? passed : passed.forNext),
            (removed) => removed !== null,
            () => absentMember
          )
        )

      /**
       * Checks that an agent files only entities of the project's space. The write of an agent can become a proposal,
       * and the approval of a proposal has rights only in that space.
       */
      const ofOneSpace = Effect.fnUntraced(function* (spaceId: string, found: ReadonlyArray<EntityHead>) {
        const { principal } = yield* Reach
        if (principal.holder.kind === "agent" && found.some((entity) => spaceOf(entity) !== spaceId)) {
          return yield* invalid(
            "entityIds",
            "An agent can add only entities that are in the same workspace or personal space as the project."
          )
        }
      })

      const write = yield* writerOf<ReadonlyArray<ProjectMember>>(targetType, {
        traits: { subject: "project", actions: ["update"] },
        current: (projectId, spaceId) =>
          records.get(Project, projectId).pipe(
            Effect.map(({ userId, version, workspaceId }) =>
              spaceId === null || (workspaceId ?? userId) === spaceId ? { version, fields: {} } : null
            ),
            Effect.catchTag("RecordNotFound", () => Effect.succeed(null))
          ),
        describe: Effect.fnUntraced(function* (request) {
          const { personId } = (yield* Reach).principal
          const { action, targetId: projectId } = request
          if (action !== "update")
            return yield* invalid(
              "proposalType",
              "A proposal to add or remove entities must be an update of the project. Send the action `update`."
            )
          const { record, spaceId } = yield* placed(projectId)
          const content = requestedContent(request, null)
          const { file = [], unfile = [] } = yield* contentOf(content)
          const found = yield* entitiesOf([...file, ...unfile])
          const edge = (verb: "create" | "delete", entity: EntityHead): GatedWrite => ({
            subject: "relation",
            kind: null,
            action: verb,
            object: objectIn(personId, spaceOf(entity), entity.id, [projectId])
          })
          const things = found.length === 1 ? `“${found[0].title}”` : `${found.length} entities`
          const project = `the project “${record.name}”`
          const summary =
            unfile.length === 0
              ? `Add ${things} to ${project}`
              : file.length === 0
                ? `Remove ${things} from ${project}`
                : `Add ${file.length} entities to ${project} and remove ${unfile.length}`
          return {
            object: objectIn(personId, spaceId, projectId, [projectId]),
            also: found.map((entity, at) => edge(at < file.length ? "create" : "delete", entity)),
            mentions: found.map(({ id, profileSlug }) => ({
              subject: "entity" as const,
              kind: profileSlug,
              objectId: id
            })),
            content,
            base: { version: record.version, fields: {} },
            summary
          }
        }),
        check: Effect.fnUntraced(function* (change, moment) {
          const { file = [], unfile = [] } = yield* contentOf(change.content)
          const checked = Effect.flatMap(entitiesOf([...file, ...unfile]), (found) =>
            ofOneSpace(change.object.spaceId, found)
          )
          // An approval is one transaction, and it locks the event log of the space early. A direct filing locks the
          // event log last. So the approval waits for direct filings here, before it locks the event log. Otherwise
          // they could wait for each other.
          yield* moment === "approved" ? oneByOne(change.targetId, checked) : checked
          return { content: change.content }
        }),
        apply: Effect.fnUntraced(function* ({ content, targetId: projectId }, passed) {
          const { file = [], unfile = [] } = yield* contentOf(content)
          const members = yield* store.find(unfile, projectId, "delete")
          return yield* oneByOne(
            projectId,
            Effect.gen(function* () {
              const addedMembers = yield* fileEach(projectId, file, passed)
              const gone = yield* unfileEach(members, file.length === 0 ? passed : passed.forNext)
              return [...addedMembers, ...gone].filter((member) => member !== null)
            })
          )
        }),
        irreversible:
          "The pod cannot revert this proposal as a whole. Instead, remove each entity from the project, or add it again."
      })

      const requestFor = (projectId: string, content: Content) =>
        Effect.map(Reach, ({ principal }) => ({
          action: "update" as const,
          targetId: projectId,
          spaceId: principal.personId,
          content
        }))

      return {
        edge: (projectId, entityId) =>
          Effect.map(store.find([entityId], projectId, "read"), ([member]) => member ?? null),
        file: Effect.fnUntraced(function* (projectId, entityIds, details = {}) {
          yield* placed(projectId)
          const found = yield* entitiesOf([...new Set(entityIds)])
          const members = yield* store.find(entityIds, projectId, "read")
          const missing = found.filter(({ id }) => !members.some(({ entityId }) => entityId === id))
          if (missing.length === 0) return []
          return yield* write(yield* requestFor(projectId, { file: missing.map(({ id }) => id) }), details)
        }),
        unfile: Effect.fnUntraced(function* (projectId, entityId, details = {}) {
          yield* placed(projectId)
          yield* entitiesOf([entityId])
          const [member] = yield* store.find([entityId], projectId, "delete")
          if (member === undefined) return yield* absentMember
          const [gone] = yield* write(yield* requestFor(projectId, { unfile: [entityId] }), details)
          return gone ?? (yield* absentMember)
        })
      }
    })
  )
}

type StoreFields = Pick<ProjectMember, "spaceId" | "userId" | "createdAt">

const targetType = "project_entities"
const absentMember = new NotFound({ why: "The entity is not in this project, or this credential has no access to it." })

const Ids = Schema.Array(Id).pipe(Schema.maxItems(100))
const Content = Schema.Struct({
  file: described("Ids of the entities to add to the project.", Schema.optional(Ids)),
  unfile: described("Ids of the entities to remove from the project.", Schema.optional(Ids))
})
type Content = typeof Content.Type

const contentOf = strictDecoder(Content)
