/** The Hub endpoints of knowledge entries: list, read, write and archive entries, and list their versions. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { read, write } from "../../doors/DeclareRest.ts"
import { fullGrantInSpaces, writes } from "../../doors/Door.ts"
import { NotFound } from "../../doors/Failure.ts"
import { pageOf } from "../../doors/Page.ts"
import {
  KnowledgeDraft,
  KnowledgeEntry,
  KnowledgeKey,
  knowledgeKind,
  KnowledgeQuery,
  KnowledgeReplacement,
  KnowledgeVersion,
  VersionQuery
} from "./KnowledgeEntry.ts"
import { Done, WorkspaceId, described } from "../../doors/Fields.ts"

const keyPath = Schema.Struct({ key: described("Key of the entry, unique in the space.", KnowledgeKey) })
const inWorkspace = Schema.Struct({ workspaceId: Schema.optional(WorkspaceId) })

export const KnowledgeApi = HttpApiGroup.make("knowledge")
  .annotate(OpenApi.Description, "Knowledge entries: named values in a workspace or a personal space.")
  .add(
    read("knowledge.list", {
      path: "/knowledge",
      query: KnowledgeQuery,
      success: pageOf(KnowledgeEntry),
      door: fullGrantInSpaces("hub-protocol.read"),
      summary: "List the knowledge entries of a workspace or of your personal space, newest first."
    })
  )
  .add(
    write("knowledge.create", {
      method: "POST",
      path: "/knowledge",
      payload: KnowledgeDraft,
      success: KnowledgeEntry,
      door: writes("hub-protocol.write", "entity", ["create"], knowledgeKind),
      summary:
        "Store a value under a new key. If an active entry has this key, the answer is 409. If an archived entry has this key, the pod restores the entry with the new value."
    })
  )
  .add(
    read("knowledge.get", {
      path: "/knowledge/:key",
      params: keyPath,
      query: inWorkspace,
      success: KnowledgeEntry,
      errors: [NotFound],
      door: fullGrantInSpaces("hub-protocol.read"),
      summary: "Read one knowledge entry by its key, in a workspace or in your personal space."
    })
  )
  .add(
    read("knowledge.versions", {
      path: "/knowledge/:key/versions",
      params: keyPath,
      query: VersionQuery,
      success: pageOf(KnowledgeVersion),
      errors: [NotFound],
      door: fullGrantInSpaces("hub-protocol.read"),
      summary: "List the versions of a knowledge entry with their authors, latest first."
    })
  )
  .add(
    write("knowledge.put", {
      method: "PUT",
      path: "/knowledge/:key",
      params: keyPath,
      query: inWorkspace,
      payload: KnowledgeReplacement,
      success: KnowledgeEntry,
      door: writes("hub-protocol.write", "entity", ["create", "update"], knowledgeKind),
      summary:
        "Store a value under a key, in place of the old value. If an archived entry has this key, the pod restores the entry with the new value."
    })
  )
  .add(
    write("knowledge.delete", {
      method: "DELETE",
      path: "/knowledge/:key",
      params: keyPath,
      query: inWorkspace,
      success: Done,
      door: writes("hub-protocol.write", "entity", ["delete"], knowledgeKind),
      summary: "Archive a knowledge entry; `success` is false if no entry has the key."
    })
  )
