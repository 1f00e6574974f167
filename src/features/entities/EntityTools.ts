/** The MCP tools of entities. */
import { Schema } from "effect"
import { describeArguments } from "../../doors/Arguments.ts"
import { tool } from "../../doors/Declare.ts"
import { fullGrant, rows, writes } from "../../doors/Door.ts"
import { pagedStruct } from "../../doors/Page.ts"
import { writeDetailDescriptions } from "../records/RecordType.ts"
import { IdentityAnswer, IdentityInput, LeanEntity, WrittenEntity } from "./EntityAnswers.ts"
import { EntityChange, EntityDraft, EntityInput, ProfileSlug } from "./Entity.ts"

/** `lean` cuts long texts and leaves nulls out, because the context of an agent is expensive. */
const detailText = "lean cuts long texts and leaves empty fields out, full gives everything."
const Detail = Schema.optionalWith(Schema.Literal("lean", "full"), { default: () => "lean" as const })

export const EntityTools = [
  tool("svc_get_entities", {
    title: "Get entities",
    input: describeArguments(Schema.extend(EntityInput, Schema.Struct({ detail: Detail })), {
      profileSlug: "Only entities of this kind, such as note, task or person.",
      type: "Another name for profileSlug.",
      workspaceId: "Only entities of this workspace.",
      projectId: "Only entities that are filed in this project.",
      facetSlug: "Only entities that play this role.",
      limit: "How many to list at most.",
      cursor: "The nextCursor of the previous page.",
      detail: detailText
    }),
    success: pagedStruct(
      Schema.Struct({
        entities: Schema.Array(LeanEntity),
        /** The next page: send it as `cursor`. Left out on the last page. */
        nextCursor: Schema.optional(Schema.String)
      })
    ),
    door: rows("mcp.read", "entity"),
    summary:
      "List entities (notes, knowledge, people, companies, tasks …) that you may read, newest first. Narrow with profileSlug, facetSlug, workspaceId or projectId; detail full gives whole texts. For the next page, send nextCursor as cursor."
  }),
  tool("svc_get_entity", {
    title: "Get entity",
    input: describeArguments(
      Schema.Struct({
        entityId: Schema.UUID,
        workspaceId: Schema.optional(Schema.UUID),
        detail: Detail
      }),
      {
        entityId: "The entity to read.",
        workspaceId: "Read it only if it lives in this workspace.",
        detail: detailText
      }
    ),
    success: LeanEntity,
    door: fullGrant("mcp.read"),
    summary: "Read one entity by its id; detail full gives whole texts. With workspaceId only if it lives there."
  }),
  tool("svc_resolve_identity", {
    title: "Resolve identity",
    input: describeArguments(IdentityInput, {
      kindSlug: "The kind that it would be, such as person or company.",
      title: "The name that it would have.",
      signals: "What identifies it: email, phone, url, twitter, github or externalId. Others are ignored.",
      properties: "The properties that it would have; signals among them are used too.",
      workspaceId: "Look in this workspace only."
    }),
    success: IdentityAnswer,
    door: rows("mcp.read", "entity"),
    summary:
      "Ask whether a person or thing is known already, by signals (email, phone, url, twitter, github, externalId) or by kind and title, among what you may read. It writes nothing."
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
        Schema.Struct({ profileSlug: ProfileSlug })
      ),
      {
        workspaceId: "The workspace to create it in; left out, it is the person's own space.",
        projectId: "The project to file it in.",
        title: "Its title.",
        description: "What it is, in plain text.",
        content: "The text of a new document that belongs to it, in Markdown.",
        properties: "Its properties by name, as the profile of its kind defines them.",
        tags: "Words to find it by.",
        facets: "The roles that it plays in addition to its kind.",
        "facets.slug": "The role.",
        "facets.profileSlug": "Another name for slug.",
        "facets.properties": "The properties of the role.",
        forceCreate:
          "true creates it even if the same entity exists; false refuses a duplicate of any kind; left out, only people and companies are compared.",
        ...writeDetailDescriptions,
        profileSlug: "Its kind, such as note, task or person; svc_list_profiles lists them."
      }
    ),
    success: WrittenEntity,
    door: writes("mcp.write", "entity", ["create"]),
    summary:
      "Create an entity. A person or company of the same name is refused with the candidates unless forceCreate; one with the same address or handle is changed instead. A person may have to approve it first."
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
        Schema.Struct({ entityId: Schema.UUID })
      ),
      {
        title: "Its new title.",
        description: { value: "What it is, in plain text.", null: "Removes the description." },
        preview: { value: "The short text that listings show.", null: "Removes the preview." },
        properties: "Properties to set by name; the others stay as they are.",
        tags: "The words to find it by; they replace its present ones.",
        metadata: "Another name for properties; when both have a key, properties wins.",
        deleteProperties: "The names of properties to remove.",
        version: "The version that you read; the change is refused if somebody has changed it since.",
        ...writeDetailDescriptions,
        entityId: "The entity to change."
      }
    ),
    success: WrittenEntity,
    door: writes("mcp.write", "entity", ["update"]),
    summary: "Change an entity; properties are merged key by key. A person may have to approve it first."
  })
] as const
