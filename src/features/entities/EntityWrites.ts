/** How entities are written: each write is a change that passes the gate, and one way applies it, approved or direct. */
import { Context, Effect, Either, Layer, ParseResult, Schema } from "effect"
import { Conflict, type Forbidden, Invalid, invalid, NotFound } from "../../doors/Failure.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import { Reach } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { type AppliedChange, Changers } from "../governance/Changers.ts"
import { GovernanceGate } from "../governance/GovernanceGate.ts"
import type { Change, GatedWrite, Json, Snapshot } from "../governance/Write.ts"
import {
  type Entity,
  type EntityChange,
  type EntityChanged,
  EntityContent,
  type EntityDraft,
  type EntityNotFound,
  previewOf,
  type ProfileUnknown
} from "./Entity.ts"
import { EntityStore } from "./EntityStore.ts"

const kindFallback = "note"

/** Refused by the gate, put before a person, or not what its profile allows. */
export type EntityRefused = Forbidden | Proposed | Invalid | Conflict

const snapshotOf = (entity: Entity): Snapshot => ({
  version: entity.version,
  fields: {
    title: entity.title,
    preview: entity.preview,
    description: entity.description,
    properties: entity.properties
  }
})

/** The properties a change leaves: merged key by key, then without those it deletes. */
const propertiesAfter = (entity: Entity, { deleteProperties = [], properties = {} }: EntityChange): Json =>
  Object.fromEntries(
    Object.entries({ ...entity.properties, ...properties }).filter(([name]) => !deleteProperties.includes(name))
  )

const decodeContent = Schema.decodeUnknownEither(EntityContent, { onExcessProperty: "error", errors: "all" })

const contentOf = (content: Json) =>
  Either.mapLeft(
    decodeContent(content),
    (error) =>
      new Invalid({
        faults: ParseResult.ArrayFormatter.formatErrorSync(error).map(({ message, path }) => ({
          path: path.map(String).join("."),
          message
        }))
      })
  )

export class EntityWrites extends Context.Tag("pod/EntityWrites")<
  EntityWrites,
  {
    readonly create: (draft: EntityDraft) => Effect.Effect<Entity, EntityRefused | ProfileUnknown, Reach>
    readonly update: (
      id: string,
      change: EntityChange
    ) => Effect.Effect<Entity, EntityRefused | EntityNotFound | EntityChanged, Reach>
    readonly remove: (id: string) => Effect.Effect<void, EntityRefused | EntityNotFound | EntityChanged, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* EntityStore
      const gate = yield* GovernanceGate
      const changers = yield* Changers

      /** Filing it makes a link besides, unless the grant is for that very project and nothing could be made otherwise. */
      const filing = (
        principalProjects: ReadonlyArray<string>,
        { content, object }: Pick<Change, "content" | "object">
      ) =>
        typeof content["projectId"] === "string" && !principalProjects.includes(content["projectId"])
          ? [{ subject: "relation", kind: null, action: "create", object } satisfies GatedWrite]
          : []

      const added = (change: Pick<Change, "targetId" | "object" | "kind">, content: EntityContent) => {
        const kind = change.kind ?? kindFallback
        return store.add(
          {
            id: change.targetId,
            spaceId: change.object.spaceId,
            kind,
            title: content.title ?? "",
            preview: content.preview ?? null,
            description: content.description ?? null,
            properties: content.properties ?? {},
            projectId: content.projectId
          },
          {
            type: `entity.${kind}.create`,
            subjectId: change.targetId,
            data: { profileSlug: kind, title: content.title }
          }
        )
      }

      const eventOf = (action: "update" | "delete" | "restore", id: string, kind: string | null, data: Json) => ({
        type: `entity.${kind}.${action}`,
        subjectId: id,
        data: { profileSlug: kind, ...data }
      })

      /** Applies what was approved. The record is read once more: properties that went have to be named. */
      const apply = (change: AppliedChange) =>
        Effect.gen(function* () {
          const { action, expectedVersion, kind, targetId } = change
          const content = yield* contentOf(change.content)
          switch (action) {
            case "create":
              return snapshotOf(yield* added(change, content))
            case "update": {
              const { properties } = yield* store.get(targetId)
              const after = content.properties
              const gone = after === undefined ? [] : Object.keys(properties).filter((name) => !(name in after))
              const { projectId: _, ...fields } = content
              return snapshotOf(
                yield* store.change(
                  targetId,
                  {
                    ...fields,
                    deleteProperties: gone,
                    ...(expectedVersion === null ? {} : { version: expectedVersion })
                  },
                  eventOf("update", targetId, kind, { fields: Object.keys(fields) })
                )
              )
            }
            case "delete":
              yield* store.remove(targetId, expectedVersion, eventOf("delete", targetId, kind, {}))
              return null
            case "restore":
              return snapshotOf(yield* store.restore(targetId, eventOf("restore", targetId, kind, {})))
          }
        }).pipe(
          Effect.catchTags({
            EntityNotFound: () => Effect.fail(new NotFound({ why: "There is no such entity." })),
            EntityChanged: ({ version }) =>
              Effect.fail(
                new Conflict({ code: "VERSION_CONFLICT", why: `The entity is at version ${version} by now.` })
              ),
            ProfileUnknown: ({ slug }) => Effect.fail(invalid("profileSlug", `There is no profile ${slug}.`))
          })
        )

      yield* changers.register("entity", {
        current: (id) =>
          store.get(id).pipe(
            Effect.map(snapshotOf),
            Effect.catchTag("EntityNotFound", () => Effect.succeed(null))
          ),
        apply,
        check: (change) =>
          Effect.flatMap(contentOf(change.content), ({ title }) =>
            change.action === "create" && title === undefined
              ? Effect.fail(invalid("title", "An entity needs a title."))
              : Effect.void
          ),
        also: (change) => filing([], change),
        describe: (action, targetId, content, named) =>
          Effect.gen(function* () {
            const { principal } = yield* Reach
            if (action === "create") {
              const { profileSlug: kind = kindFallback, title = "" } = yield* contentOf(content)
              const object = {
                spaceId: named,
                isPersonal: named === principal.personId,
                objectId: null,
                projectIds: []
              }
              return { subject: "entity" as const, kind, object, summary: `Create ${kind} “${title}”` }
            }
            const placed = yield* Effect.catchTag(store.place(targetId, action), "EntityNotFound", () =>
              Effect.fail(new NotFound({ why: "There is no such entity." }))
            )
            return { subject: "entity" as const, ...described(placed, action, targetId, principal.personId) }
          })
      })

      const described = (
        { entity, projectIds, spaceId }: { entity: Entity; projectIds: ReadonlyArray<string>; spaceId: string },
        action: "update" | "delete",
        id: string,
        personId: string
      ) => ({
        kind: entity.profileSlug,
        object: { spaceId, isPersonal: spaceId === personId, objectId: id, projectIds },
        summary: `${action === "update" ? "Change" : "Delete"} ${entity.profileSlug} “${entity.title}”`
      })

      return {
        create: (draft) =>
          Effect.gen(function* () {
            const { principal } = yield* Reach
            const spaceId = draft.workspaceId ?? principal.personId
            const kind = draft.profileSlug ?? draft.type ?? kindFallback
            const content: EntityContent = {
              profileSlug: kind,
              title: draft.title,
              preview: previewOf(draft),
              description: draft.description ?? null,
              properties: draft.properties ?? {},
              ...(draft.projectId === undefined ? {} : { projectId: draft.projectId })
            }
            const object = {
              spaceId,
              isPersonal: spaceId === principal.personId,
              objectId: null,
              projectIds: draft.projectId === undefined ? [] : [draft.projectId]
            }
            const change: Change = {
              subject: "entity",
              kind,
              action: "create",
              object,
              also: filing(principal.grant?.projectIds ?? [], { content, object }),
              targetType: "entity",
              targetId: uuidv7(),
              content,
              base: null,
              summary: `Create ${kind} “${draft.title}”`,
              reasoning: draft.reasoning,
              sessionId: draft.sessionId
            }
            yield* gate.pass(change)
            return yield* added(change, content)
          }),

        update: (id, change) =>
          Effect.gen(function* () {
            const { principal } = yield* Reach
            const placed = yield* store.place(id, "update")
            const { userId: _, version: __, reasoning, sessionId, deleteProperties: ___, ...fields } = change
            const hasProperties = change.properties !== undefined || change.deleteProperties !== undefined
            yield* gate.pass({
              subject: "entity",
              action: "update",
              ...described(placed, "update", id, principal.personId),
              targetType: "entity",
              targetId: id,
              content: { ...fields, ...(hasProperties ? { properties: propertiesAfter(placed.entity, change) } : {}) },
              base: snapshotOf(placed.entity),
              reasoning,
              sessionId
            })
            return yield* store.change(
              id,
              change,
              eventOf("update", id, placed.entity.profileSlug, {
                fields: Object.keys({ ...fields, ...(hasProperties ? { properties: 0 } : {}) })
              })
            )
          }),

        remove: (id) =>
          Effect.gen(function* () {
            const { principal } = yield* Reach
            const placed = yield* store.place(id, "delete")
            yield* gate.pass({
              subject: "entity",
              action: "delete",
              ...described(placed, "delete", id, principal.personId),
              targetType: "entity",
              targetId: id,
              content: {},
              base: snapshotOf(placed.entity)
            })
            const { profileSlug, title } = placed.entity
            yield* store.remove(id, null, eventOf("delete", id, profileSlug, { title }))
          })
      }
    })
  )
}
