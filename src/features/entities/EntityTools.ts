/** The MCP tools of entities. */
import { Schema } from "effect"
import { describeArguments } from "../../doors/Arguments.ts"
import { tool } from "../../doors/DeclareTool.ts"
import { fullGrantInSpaces, rows, writes } from "../../doors/Door.ts"
import { NotFound } from "../../doors/Failure.ts"
import { Id } from "../../doors/Id.ts"
import { toolPage } from "../../doors/Page.ts"
import { IdempotencyKeyInput, idempotencyKeyText } from "../../doors/RepeatableTool.ts"
import { writeDetailDescriptions } from "../records/RecordType.ts"
import { IdentityAnswer, IdentityInput, LeanEntity, WrittenEntity } from "./EntityAnswers.ts"
import { ProfileSlug } from "../profiles/ProfileSlug.ts"
import { EntityChange, EntityDraft, EntityInput } from "./Entity.ts"

/** `lean` cuts long texts and leaves out nulls, because text in the context of an agent is expensive. */
const detailText = "`lean` shortens long texts and leaves out empty fields; `full` returns everything."
const Detail = Schema.optionalWith(Schema.Literal("lean", "full"), { default: () => "lean" as const })

export const EntityTools = [
  tool("svc_get_entities", {
    title: "Get entities",
    input: describeArguments(Schema.extend(EntityInput, Schema.Struct({ detail: Detail })), {
      profileSlug:
        "The entity kind (profile slug), such as `note`, `task` or `person`: only entities of this kind are listed.",
      type: "Another name for `profileSlug`.",
      workspaceId: "The id of a workspace: only its entities are listed.",
      projectId: "The id of a project: only entities that the project contains are listed.",
      facetSlug: "The slug of a facet: only entities that have the facet are listed.",
      limit: "The largest number of entities to list.",
      cursor: "The `nextCursor` of the previous page, to get the next page.",
      detail: detailText
    }),
    success: toolPage(Schema.Struct({ entities: Schema.Array(LeanEntity) })),
    door: rows("mcp.read", "entity"),
    profiles: ["builder"],
    summary:
      "List entities (notes, knowledge, people, companies, tasks …) that you may read, newest first. Limit the list with `profileSlug`, `facetSlug`, `workspaceId` or `projectId`. If `detail` is `full`, texts are not shortened. For the next page, send `nextCursor` as `cursor`."
  }),
  tool("svc_get_entity", {
    title: "Get entity",
    input: describeArguments(
      Schema.Struct({
        entityId: Id,
        workspaceId: Schema.optional(Id),
        detail: Detail
      }),
      {
        entityId: "The id of the entity to read.",
        workspaceId: "The id of a workspace: the entity is found only if it is in this workspace.",
        detail: detailText
      }
    ),
    success: LeanEntity,
    door: fullGrantInSpaces("mcp.read"),
    errors: [NotFound],
    profiles: ["builder"],
    summary:
      "Read one entity by its id. If `detail` is `full`, texts are not shortened. With `workspaceId`, the entity is found only in that workspace."
  }),
  tool("svc_resolve_identity", {
    title: "Resolve identity",
    input: describeArguments(IdentityInput, {
      kindSlug: "The entity kind (profile slug) of the person or thing, such as `person` or `company`.",
      title: "The name of the person or thing.",
      signals:
        "The signals of the person or thing: `email`, `phone`, `url`, `twitter`, `github` or `externalId`. The pod ignores other names.",
      properties: "The properties of the person or thing. The pod compares the signals in these properties too.",
      workspaceId: "The id of a workspace: only its entities are compared."
    }),
    success: IdentityAnswer,
    door: rows("mcp.read", "entity"),
    profiles: ["builder"],
    summary:
      "Find out whether the pod already has an entity for a person or thing. The pod compares the signals (`email`, `phone`, `url`, `twitter`, `github`, `externalId`), or the kind and the title, with the entities that you may read. The pod writes nothing."
  }),
  tool("svc_create_entity", {
    title: "Create entity",
    input: describeArguments(
      Schema.extend(
        EntityDraft.pick(
          "workspaceId",
          "projectId",
          "title",
          "description",
          "content",
          "properties",
          "tags",
          "facets",
          "forceCreate",
          "reasoning",
          "sessionId"
        ),
        Schema.Struct({ profileSlug: ProfileSlug, idempotencyKey: IdempotencyKeyInput })
      ),
      {
        workspaceId: "The id of the workspace to create the entity in. Default: the personal space.",
        projectId: "The id of the project to add the entity to.",
        title: "The title of the entity.",
        description: "The description of the entity, in plain text.",
        content: "The text of a new document for the entity, in Markdown.",
        properties: "The values of the entity's properties, by slug.",
        tags: "Words by which people find the entity.",
        facets: "The facets of the entity: its roles in addition to its kind.",
        "facets.slug": "The slug of the facet.",
        "facets.profileSlug": "Another name for `slug`.",
        "facets.properties": "The properties of the facet.",
        forceCreate:
          "`true`: create the entity even if the same entity exists. `false`: look for duplicates of every kind. Default: look only for those of people and companies.",
        ...writeDetailDescriptions,
        profileSlug:
          "The entity kind (profile slug), such as `note`, `task` or `person`; `svc_list_profiles` lists the kinds.",
        idempotencyKey: idempotencyKeyText
      }
    ),
    success: WrittenEntity,
    door: writes("mcp.write", "entity", ["create"]),
    profiles: ["builder"],
    summary:
      "Create an entity. If a person or company with the same identity signal (such as e-mail) exists, the pod changes that entity instead. If only the name is the same, the pod refuses the call and returns the existing entities. If `forceCreate` is true, the pod creates the entity in both cases. A person might have to approve the write."
  }),
  tool("svc_update_entity", {
    title: "Update entity",
    input: describeArguments(
      Schema.extend(
        EntityChange.pick(
          "title",
          "description",
          "preview",
          "properties",
          "tags",
          "metadata",
          "deleteProperties",
          "version",
          "reasoning",
          "sessionId"
        ),
        Schema.Struct({ entityId: Id })
      ),
      {
        title: "The new title of the entity.",
        description: { value: "The description of the entity, in plain text.", null: "Removes the description." },
        preview: { value: "The short text of the entity that listings show.", null: "Removes the preview." },
        properties: "The properties to set, by name; the other properties stay as they are.",
        tags: "The words by which people find the entity; they replace the old words.",
        metadata:
          "Another name for `properties`. If both contain the same name, the pod uses the value in `properties`.",
        deleteProperties: "The names of properties to remove.",
        version: "The version that you read; the pod refuses the change if the entity has another version now.",
        ...writeDetailDescriptions,
        entityId: "The id of the entity to change."
      }
    ),
    success: WrittenEntity,
    door: writes("mcp.write", "entity", ["update"]),
    profiles: ["builder"],
    summary: "Change an entity; the pod merges properties key by key. A person might have to approve the change first."
  })
] as const
