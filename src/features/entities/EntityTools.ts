/** The MCP tools of entities. */
import { Schema } from "effect"
import { tool } from "../../doors/Declare.ts"
import { fullGrant, rows, writes } from "../../doors/Door.ts"
import { continuing } from "../../doors/Page.ts"
import { IdentityAnswer, IdentityInput, LeanEntity, Written } from "./EntityAnswers.ts"
import { EntityChange, EntityDraft, EntityInput, ProfileSlug } from "./Entity.ts"
import { WorkspaceId, described } from "../../doors/Fields.ts"

/** `lean` cuts long texts and leaves nulls out: an agent's context is dear. */
const Detail = Schema.optionalWith(Schema.Literal("lean", "full"), { default: () => "lean" as const })

export const EntityTools = [
  tool("svc_get_entities", {
    title: "Get entities",
    input: Schema.extend(EntityInput, Schema.Struct({ detail: described("How much is said of each.", Detail) })),
    success: continuing(
      Schema.Struct({
        entities: described("The entities.", Schema.Array(LeanEntity)),
        nextCursor: described(
          "Where to go on: give it as `cursor`. Left out at the end.",
          Schema.optional(Schema.String)
        )
      })
    ),
    door: rows("mcp.read", "entity"),
    summary:
      "List entities (notes, knowledge, people, companies, tasks …) that you may read, newest first. Narrow with profileSlug, facetSlug, workspaceId or projectId; detail full gives whole texts, nextCursor as cursor the page after."
  }),
  tool("svc_get_entity", {
    title: "Get entity",
    input: Schema.Struct({
      entityId: described("The entity it is about.", Schema.UUID),
      workspaceId: Schema.optional(WorkspaceId),
      detail: described("How much is said of each.", Detail)
    }),
    success: LeanEntity,
    door: fullGrant("mcp.read"),
    summary: "Read one entity by its id; detail full gives whole texts. With workspaceId only if it lives there."
  }),
  tool("svc_resolve_identity", {
    title: "Resolve identity",
    input: IdentityInput,
    success: IdentityAnswer,
    door: rows("mcp.read", "entity"),
    summary:
      "Ask whether somebody or something is known already, by signals (email, phone, url, twitter, github, externalId) or by kind and title, among what you may read. Nothing is written."
  }),
  tool("svc_create_entity", {
    title: "Create entity",
    input: Schema.extend(
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
      Schema.Struct({ profileSlug: described("Its kind: the slug of a profile.", ProfileSlug) })
    ),
    success: Written,
    door: writes("mcp.write", "entity", ["create"]),
    summary:
      "Create an entity. A person or company of the same name is refused with the candidates unless forceCreate; one with the same address or handle is changed instead. A person may have to approve it first."
  }),
  tool("svc_update_entity", {
    title: "Update entity",
    input: Schema.extend(
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
      Schema.Struct({ entityId: described("The entity it is about.", Schema.UUID) })
    ),
    success: Written,
    door: writes("mcp.write", "entity", ["update"]),
    summary: "Change an entity; properties are merged key by key. A person may have to approve it first."
  })
] as const
