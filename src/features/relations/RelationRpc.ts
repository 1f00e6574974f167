/** The procedures of relations. They list relations, relation types and the definitions of these types. */
import { RpcGroup } from "@effect/rpc"
import { Schema } from "effect"
import { query } from "../../doors/DeclareProcedure.ts"
import { fullGrantInSpaces, rows } from "../../doors/Door.ts"
import { pageOf } from "../../doors/Page.ts"
import { PodWideInput, Relation, RelationInput } from "./Relation.ts"
import { ProfileRelation, ProfileRelationInput, RelationDef, RelationDefInput, RelationType } from "./RelationDef.ts"
import { WorkspaceId } from "../../doors/Fields.ts"

const readDoor = rows("hub-protocol.read", "relation")
const readEverythingDoor = fullGrantInSpaces("hub-protocol.read")

export const RelationProcedures = RpcGroup.make(
  query("relations.listRelations", {
    input: RelationInput,
    success: pageOf(Relation.schema),
    door: readDoor,
    summary:
      "List the relations of a workspace or of an entity, newest first. The list has only relations that the caller may read."
  }),
  query("relations.listRelationsPodWide", {
    input: PodWideInput,
    success: pageOf(Relation.schema),
    door: readDoor,
    summary: "List the relations in the personal space of the caller, newest first."
  }),
  query("relations.listTypes", {
    input: Schema.Struct({ workspaceId: Schema.optional(WorkspaceId) }),
    success: Schema.Array(RelationType),
    door: readEverythingDoor,
    summary: "List the built-in relation types, and those defined in the spaces of the caller."
  }),
  query("relationDefs.list", {
    input: RelationDefInput,
    success: pageOf(RelationDef.schema),
    door: readEverythingDoor,
    summary: "List the relation types that are defined in the spaces of the caller, newest first."
  }),
  query("profileRelations.list", {
    input: ProfileRelationInput,
    success: pageOf(ProfileRelation),
    door: readEverythingDoor,
    summary: "List which entity kinds a relation may connect: for each relation type, from which kind to which kind."
  })
)
