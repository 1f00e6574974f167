/**
 * A digest of a project or workspace: counts, the latest entities and one line of text. No language model writes a
 * digest.
 */
import { Schema } from "effect"
import { WorkspaceId, ProjectId, described, Timestamp } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"
import { shownCount } from "../../doors/Page.ts"
import { pluralOf } from "../../shared/pluralOf.ts"
import type { EntityCount } from "../entities/Entity.ts"

/** An entity in the form that two answers use: the digest of a space, and the orientation. */
export const KeyEntity = Schema.Struct({
  id: Id,
  title: Schema.String,
  profileSlug: described("Entity kind (profile slug).", Schema.String),
  workspaceId: Schema.NullOr(WorkspaceId),
  updatedAt: Timestamp
}).annotations({ identifier: "DigestEntity" })

/** The fields of every digest. The digest of a workspace leaves out `byWorkspace`. */
export const digestFields = {
  total: Schema.Number,
  counts: described(
    "Number of entities of each kind. The pod stops counting at 10,000.",
    Schema.Record({ key: Schema.String, value: Schema.Number })
  ),
  keyEntities: described("Entities that changed last, at most ten.", Schema.Array(KeyEntity)),
  summary: Schema.String
}

const SpaceTotal = Schema.Struct({
  workspaceId: Schema.NullOr(WorkspaceId),
  name: Schema.String,
  total: Schema.Number
}).annotations({ identifier: "DigestWorkspace" })

export const Digest = Schema.Struct({
  ...digestFields,
  byWorkspace: described("Number of entities in each workspace.", Schema.Array(SpaceTotal))
})
export type Digest = typeof Digest.Type

export const ProjectDigest = Schema.Struct({
  projectId: ProjectId,
  name: Schema.String,
  ...Digest.fields
}).annotations({ identifier: "ProjectDigest" })

export const keyEntitiesMax = 10 // the maximum number of entities that a digest names

/**
 * The project or workspace that a digest describes. The summary of the digest begins with the `name` of this project or
 * workspace.
 */
export type DigestScope =
  | { readonly kind: "workspace"; readonly spaceId: string; readonly name?: string | undefined }
  | { readonly kind: "project"; readonly projectId: string; readonly name?: string | undefined }

const byTotal = (one: readonly [string, number], other: readonly [string, number]) =>
  other[1] - one[1] || (one[0] < other[0] ? -1 : 1)

const sumByKey = (counts: ReadonlyArray<EntityCount>, key: (count: EntityCount) => string) => {
  const totals = new Map<string, number>()
  for (const each of counts) totals.set(key(each), (totals.get(key(each)) ?? 0) + each.count)
  return [...totals].sort(byTotal)
}

const summaryKindsMax = 6 // the maximum number of kinds that the summary names

const countText = (total: number, one: string, plural: string) => `${shownCount(total)} ${total === 1 ? one : plural}`

/**
 * Makes the summary of a digest, in one line: the number of entities, their kinds (largest number first), the
 * workspaces (only for a project), and the latest entity.
 */
export const summaryOf = (
  { kind, name = kind === "project" ? "This project" : "This workspace" }: DigestScope,
  { byWorkspace, counts, keyEntities, total }: Omit<Digest, "summary">
): string => {
  if (total === 0) return `${name}: no entities that you may read.`
  const kinds = Object.entries(counts).sort(byTotal)
  const named = kinds.slice(0, summaryKindsMax).map(([slug, count]) => countText(count, slug, pluralOf(slug)))
  const further = kinds.length > summaryKindsMax ? [`${kinds.length - summaryKindsMax} more kinds`] : []
  const workspaces = byWorkspace.filter(({ workspaceId }) => workspaceId !== null).length
  const where = kind === "project" && workspaces > 0 ? ` in ${countText(workspaces, "workspace", "workspaces")}` : ""
  const latest = keyEntities[0] === undefined ? "" : ` Latest: “${keyEntities[0].title}”.`
  return `${name}: ${countText(total, "entity", "entities")} (${[...named, ...further].join(", ")})${where}.${latest}`
}

/**
 * Makes a digest from the numbers of entities. `names` contains the workspaces that the caller may list. `ownSpace` is
 * the caller's own space. `latest` begins with the latest entity.
 */
export const digestFrom = (
  scope: DigestScope,
  counts: ReadonlyArray<EntityCount>,
  latest: Digest["keyEntities"],
  names: ReadonlyMap<string, string>,
  ownSpace: string
): Digest => {
  const figures = {
    total: counts.reduce((sum, { count }) => sum + count, 0),
    counts: Object.fromEntries(sumByKey(counts, ({ kind }) => kind)),
    byWorkspace: sumByKey(counts, ({ spaceId }) => spaceId).map(([spaceId, total]) =>
      spaceId === ownSpace
        ? { workspaceId: null, name: "Pod-wide", total }
        : { workspaceId: spaceId, name: names.get(spaceId) ?? "A workspace", total }
    ),
    keyEntities: latest.slice(0, keyEntitiesMax)
  }
  return { ...figures, summary: summaryOf(scope, figures) }
}
