/**
 * Filing entities in projects. It changes the project and makes an edge besides, so it needs `project.update` and, for
 * each entity, `relation.create` or `relation.delete` (specification §5.2.4).
 */
import { Context, Effect, Either, Layer, Schema } from "effect"
import { Conflict, type Forbidden, Invalid, invalid, NotFound } from "../../doors/Failure.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import { strictly } from "../../doors/Faults.ts"
import { Reach } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { Entities } from "../entities/Entities.ts"
import type { Entity } from "../entities/Entity.ts"
import { Changers } from "../governance/Changers.ts"
import { GovernanceGate } from "../governance/GovernanceGate.ts"
import type { Change, GatedWrite } from "../governance/Write.ts"
import { Records } from "../records/Records.ts"
import { membershipType, Project } from "./Project.ts"
import { type ProjectMember, ProjectMemberStore } from "./ProjectMemberStore.ts"

type Refused = Forbidden | Proposed | NotFound | Invalid | Conflict

interface Said {
  readonly reasoning?: string | null | undefined
  readonly sessionId?: string | null | undefined
}

export class ProjectMembers extends Context.Tag("pod/ProjectMembers")<
  ProjectMembers,
  {
    /** Files the entities and answers the edges made; those filed already stay. NotFound for what is out of reach. */
    readonly file: (
      projectId: string,
      entityIds: ReadonlyArray<string>,
      said?: Said
    ) => Effect.Effect<ReadonlyArray<ProjectMember>, Refused, Reach>
    /** NotFound too where the entity is not in the project. */
    readonly unfile: (projectId: string, entityId: string, said?: Said) => Effect.Effect<ProjectMember, Refused, Reach>
    /** The edge from an entity to the project it is filed in; null where the call may not read it. */
    readonly edge: (projectId: string, entityId: string) => Effect.Effect<ProjectMember | null, never, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* ProjectMemberStore
      const records = yield* Records
      const entities = yield* Entities
      const gate = yield* GovernanceGate
      const changers = yield* Changers
      const { atomically } = yield* Transaction

      const placed = (projectId: string) =>
        Effect.catchTag(records.place(Project, projectId, "update"), "RecordNotFound", () =>
          Effect.fail(new NotFound({ why: "There is no such project." }))
        )
      const entityOf = (id: string) =>
        Effect.catchTag(entities.get(id), "EntityNotFound", () =>
          Effect.fail(new NotFound({ why: "There is no such entity." }))
        )

      const eventOf = (action: "create" | "delete", { entityId, id, projectId }: Omit<ProjectMember, keyof Kept>) => ({
        type: `relation.${action}`,
        subjectId: id,
        data: { type: membershipType, sourceEntityId: entityId, targetEntityId: projectId }
      })

      const fileEach = (projectId: string, entityIds: ReadonlyArray<string>) =>
        Effect.forEach(entityIds, (entityId) => {
          const made = { id: uuidv7(), entityId, projectId }
          return store.file(made, eventOf("create", made))
        })
      const unfileOne = (member: Omit<ProjectMember, keyof Kept>) =>
        Effect.filterOrFail(
          store.unfile(member, eventOf("delete", member)),
          (gone) => gone !== null,
          () => absentMember
        )

      /** What a proposal holds is of the project's own space: nobody approves for another. */
      const ofOneSpace = (spaceId: string, found: ReadonlyArray<Entity>) =>
        Effect.gen(function* () {
          const { principal } = yield* Reach
          if (principal.holder.kind === "agent" && found.some((entity) => spaceOf(entity) !== spaceId)) {
            return yield* invalid("entityIds", "An agent files only entities that live where the project does.")
          }
        })

      const passed = (
        projectId: string,
        content: Content,
        found: ReadonlyArray<Entity>,
        { reasoning, sessionId }: Said
      ) =>
        Effect.gen(function* () {
          const { principal } = yield* Reach
          const { record, spaceId } = yield* placed(projectId)
          yield* ofOneSpace(spaceId, found)
          const isFiling = content.file !== undefined
          const things = found.length === 1 ? `“${found[0].title}”` : `${found.length} entities`
          const object = {
            spaceId,
            isPersonal: spaceId === principal.personId,
            objectId: projectId,
            projectIds: [projectId]
          }
          const also = found.map((entity) =>
            edge(isFiling ? "create" : "delete", projectId, entity.id, {
              spaceId: spaceOf(entity),
              isPersonal: spaceOf(entity) === principal.personId
            })
          )
          yield* gate.pass({
            subject: "project",
            kind: null,
            action: "update",
            object,
            also,
            targetType,
            targetId: projectId,
            content,
            base: { version: record.version, fields: {} },
            summary: `${isFiling ? "File" : "Take"} ${things} ${isFiling ? "in" : "out of"} project “${record.name}”`,
            // An edge that goes is a delete, and no agent deletes by itself.
            isForced: !isFiling,
            reasoning,
            sessionId
          })
        })

      yield* changers.register(targetType, {
        current: (projectId) =>
          records.get(Project, projectId).pipe(
            Effect.map(({ version }) => ({ version, fields: {} })),
            Effect.catchTag("RecordNotFound", () => Effect.succeed(null))
          ),
        apply: (change) =>
          Effect.gen(function* () {
            const { file = [], unfile = [] } = yield* contentOf(change.content)
            const { record } = yield* placed(change.targetId)
            for (const entityId of file) yield* entityOf(entityId)
            yield* fileEach(change.targetId, file)
            const members = yield* store.find(unfile, change.targetId, "delete")
            yield* Effect.forEach(members, unfileOne)
            return { version: record.version, fields: {} }
          }),
        describe: (action, projectId, content) =>
          Effect.gen(function* () {
            const { principal } = yield* Reach
            if (action !== "update") return yield* invalid("proposalType", "Filing is an update of the project.")
            const { file = [], unfile = [] } = yield* contentOf(content)
            const { record, spaceId } = yield* placed(projectId)
            yield* ofOneSpace(spaceId, yield* Effect.forEach([...file, ...unfile], entityOf))
            return {
              subject: "project" as const,
              kind: null,
              object: {
                spaceId,
                isPersonal: spaceId === principal.personId,
                objectId: projectId,
                projectIds: [projectId]
              },
              summary: `Change what is filed in project “${record.name}”`
            }
          }),
        check: ({ content }) =>
          Effect.flatMap(contentOf(content), ({ file = [], unfile = [] }) =>
            Effect.forEach([...file, ...unfile], entityOf, { discard: true })
          ),
        also: ({ content, object, targetId }) =>
          Either.match(contentOf(content), {
            onLeft: () => [],
            onRight: ({ file = [], unfile = [] }) => [
              ...file.map((id) => edge("create", targetId, id, object)),
              ...unfile.map((id) => edge("delete", targetId, id, object))
            ]
          }),
        irreversible: "What was filed is taken out of the project entity by entity."
      })

      return {
        edge: (projectId, entityId) =>
          Effect.map(store.find([entityId], projectId, "read"), ([member]) => member ?? null),
        file: Effect.fn("ProjectMembers.file")(function* (projectId, entityIds, said = {}) {
          yield* placed(projectId)
          const found = yield* Effect.forEach([...new Set(entityIds)], entityOf)
          const members = yield* store.find(entityIds, projectId, "read")
          const missing = found.filter(({ id }) => !members.some(({ entityId }) => entityId === id))
          if (missing.length === 0) return []
          const ids = missing.map(({ id }) => id)
          yield* passed(projectId, { file: ids }, missing, said)
          const made = yield* atomically(fileEach(projectId, ids))
          return made.filter((member) => member !== null)
        }),
        unfile: Effect.fn("ProjectMembers.unfile")(function* (projectId, entityId, said = {}) {
          yield* placed(projectId)
          const entity = yield* entityOf(entityId)
          const [member] = yield* store.find([entityId], projectId, "delete")
          if (member === undefined) return yield* absentMember
          yield* passed(projectId, { unfile: [entityId] }, [entity], said)
          return yield* unfileOne(member)
        })
      }
    })
  )
}

type Kept = Pick<ProjectMember, "spaceId" | "userId" | "createdAt">

const targetType = "project_entities"
const absentMember = new NotFound({ why: "The entity is not in this project." })

const Ids = Schema.Array(Schema.UUID).pipe(Schema.maxItems(100))
const Content = Schema.Struct({ file: Schema.optional(Ids), unfile: Schema.optional(Ids) })
type Content = typeof Content.Type

const contentOf = strictly(Content)

const spaceOf = ({ userId, workspaceId }: Entity) => workspaceId ?? userId

/** The edge that is made or goes, as the gate asks about it. Its object is the entity. */
const edge = (
  action: "create" | "delete",
  projectId: string,
  entityId: string,
  { isPersonal, spaceId }: Pick<Change["object"], "spaceId" | "isPersonal">
): GatedWrite => ({
  subject: "relation",
  kind: null,
  action,
  object: { spaceId, isPersonal, objectId: entityId, projectIds: [projectId] }
})
