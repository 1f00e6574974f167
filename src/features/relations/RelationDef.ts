/**
 * The definition of a type of relation: one label for each direction, and the kinds of entity that relations of this
 * type can link.
 */
import { Schema } from "effect"
import { described, WorkspaceId } from "../../doors/Fields.ts"
import { pageInput, pageQuery } from "../../doors/PageFields.ts"
import { Id } from "../../doors/Id.ts"
import { ProfileSlug } from "../profiles/ProfileSlug.ts"
import { membershipType } from "../projects/Project.ts"
import { writable } from "../records/RecordFields.ts"
import { changeOf, draftOf } from "../records/RecordInputs.ts"
import { recordType } from "../records/RecordType.ts"

/** The name of a relation type. Some edges have a type that has no definition. */
export const RelationSlug = Schema.String.pipe(
  Schema.pattern(/^[a-z0-9][a-z0-9_-]*$/),
  Schema.maxLength(64)
).annotations({ identifier: "RelationSlug" })

const Label = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(255))
const Kinds = Schema.Array(ProfileSlug).pipe(Schema.maxItems(64)).annotations({
  identifier: "RelationKinds",
  description: "Entity kinds (profile slugs) that are allowed at this end of the relation; an empty list means all."
})

export const RelationDef = recordType("relation_def", {
  identifier: "RelationDef",
  subject: "relation_def",
  table: "relation_defs",
  order: "created",
  title: ({ displayName, slug }) => displayName ?? slug ?? "",
  fields: {
    slug: writable(RelationSlug, { change: false }),
    displayName: writable(Label),
    description: writable(Schema.NullOr(Schema.String.pipe(Schema.maxLength(10_000))), { default: null }),
    isDirectional: writable(Schema.Boolean, {
      meaning: "Whether the relation has a direction.",
      default: true
    }),
    inverseLabel: writable(Schema.NullOr(Label), {
      meaning: "Label of the relation, seen from the target.",
      default: null
    }),
    sourceKinds: writable(Kinds, { default: [] }),
    targetKinds: writable(Kinds, { default: [] })
  }
})
export type RelationDef = typeof RelationDef.schema.Type

export const RelationDefDraft = draftOf(RelationDef, {
  slug: "owns",
  displayName: "Owns",
  inverseLabel: "Owned by",
  sourceKinds: ["company"]
})
/** A change of a definition. The slug cannot change, because every edge of the relation type contains the slug. */
export const RelationDefChange = changeOf(RelationDef, { inverseLabel: "Belongs to" })

const filters = { workspaceId: Schema.optional(WorkspaceId) }
export const RelationDefQuery = Schema.Struct({ ...filters, ...pageQuery("relationDefs", 100, 500) })
export const RelationDefInput = Schema.Struct({ ...filters, ...pageInput("relationDefs", 100, 500) })

/** A relation type as discovery returns it (specification §2.10). */
export const RelationType = Schema.Struct({
  slug: Schema.String,
  displayName: Schema.String,
  description: Schema.NullOr(Schema.String),
  isDirectional: described("Whether the relation has a direction.", Schema.Boolean),
  inverseLabel: described("Label of the relation, seen from the target.", Schema.NullOr(Schema.String)),
  workspaceId: Schema.NullOr(WorkspaceId)
}).annotations({ identifier: "RelationType" })
export type RelationType = typeof RelationType.Type

/** The relation types that every pod has. */
export const builtInTypes: ReadonlyArray<RelationType> = [
  {
    slug: "relates_to",
    displayName: "Relates to",
    description: "The two entities are related.",
    isDirectional: false,
    inverseLabel: null,
    workspaceId: null
  },
  {
    slug: membershipType,
    displayName: "Belongs to project",
    description: "The entity belongs to the project.",
    isDirectional: true,
    inverseLabel: "Contains",
    workspaceId: null
  }
]

type Labelled = Pick<RelationType, "displayName" | "inverseLabel" | "isDirectional">

/**
 * Returns the label of an edge from the point of view of one of its ends. If the type has no definition, the label
 * consists of the words of the type's slug.
 */
export const labelOf = (slug: string, direction: "outgoing" | "incoming", meaning: Labelled | undefined): string => {
  if (meaning === undefined) return slug.replaceAll(/[_-]+/g, " ").trim()
  return direction === "incoming" && meaning.isDirectional
    ? (meaning.inverseLabel ?? meaning.displayName)
    : meaning.displayName
}

/**
 * Checks the kinds at both ends of a relation. Returns the first end whose kind the relation type does not allow.
 * Returns null if both kinds are allowed.
 */
export const endOfWrongKind = (
  { isDirectional, sourceKinds, targetKinds }: Pick<RelationDef, "isDirectional" | "sourceKinds" | "targetKinds">,
  sourceKind: string,
  targetKind: string
): { readonly end: "source" | "target"; readonly kinds: ReadonlyArray<string> } | null => {
  const isIn = (kinds: ReadonlyArray<string>, kind: string) => kinds.length === 0 || kinds.includes(kind)
  const fits = (source: string, target: string) => isIn(sourceKinds, source) && isIn(targetKinds, target)
  // If the type has no direction, people can also read an edge from its target to its source. So the pod also compares
  // the two kinds in the other order.
  if (fits(sourceKind, targetKind) || (!isDirectional && fits(targetKind, sourceKind))) return null
  return isIn(sourceKinds, sourceKind) ? { end: "target", kinds: targetKinds } : { end: "source", kinds: sourceKinds }
}

export const ProfileRelationInput = Schema.Struct({
  profileSlug: described(
    "Slug of an entity kind: only relation types that may connect this kind are listed.",
    Schema.optional(ProfileSlug)
  ),
  ...RelationDefInput.fields
})

/** A pair of kinds. The relation type allows relations between entities of these kinds. Null means any kind. */
export const ProfileRelation = Schema.Struct({
  relationDefId: described("Id of the relation definition.", Id),
  type: Schema.String,
  label: Schema.String,
  sourceProfileSlug: described(
    "Entity kind (profile slug) that the relation starts from.",
    Schema.NullOr(Schema.String)
  ),
  targetProfileSlug: described("Entity kind (profile slug) that the relation leads to.", Schema.NullOr(Schema.String)),
  isDirectional: described("Whether the relation has a direction.", Schema.Boolean),
  workspaceId: Schema.NullOr(WorkspaceId)
}).annotations({ identifier: "ProfileRelation" })
export type ProfileRelation = typeof ProfileRelation.Type

/**
 * Returns the pairs of kinds (source, target) that a definition allows. Null in a pair means any kind. If `kind` is
 * given, returns only the pairs that contain this kind or null.
 */
export const kindPairs = (def: RelationDef, kind?: string): ReadonlyArray<ProfileRelation> => {
  const ends = (kinds: ReadonlyArray<string>) => (kinds.length === 0 ? [null] : kinds)
  const concerns = (end: string | null) => kind === undefined || end === null || end === kind
  return ends(def.sourceKinds).flatMap((source) =>
    ends(def.targetKinds)
      .filter((target) => concerns(source) || concerns(target))
      .map((target) => ({
        relationDefId: def.id,
        type: def.slug,
        label: def.displayName,
        sourceProfileSlug: source,
        targetProfileSlug: target,
        isDirectional: def.isDirectional,
        workspaceId: def.workspaceId
      }))
  )
}
