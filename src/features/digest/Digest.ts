/** A digest: what a project or a workspace holds, in figures, its latest entities and one line. No model writes it. */
import { Schema } from "effect"
import { WorkspaceId, ProjectId, described, Timestamp } from "../../doors/Fields.ts"

const KeyEntity = Schema.Struct({
  id: Schema.UUID,
  title: Schema.String,
  profileSlug: described("Its kind: the slug of a profile.", Schema.String),
  workspaceId: Schema.NullOr(WorkspaceId),
  updatedAt: Timestamp
}).annotations({ identifier: "DigestEntity" })

/** The fields that every digest has. A workspace's leaves `byWorkspace` out. */
export const digestFields = {
  total: Schema.Number,
  counts: described("How many of each kind.", Schema.Record({ key: Schema.String, value: Schema.Number })),
  keyEntities: described("The latest, at most ten.", Schema.Array(KeyEntity)),
  summary: Schema.String
}

const SpaceTotal = Schema.Struct({
  workspaceId: Schema.NullOr(WorkspaceId),
  name: Schema.String,
  total: Schema.Number
}).annotations({ identifier: "DigestWorkspace" })

export const Digest = Schema.Struct({
  ...digestFields,
  byWorkspace: described("By workspace.", Schema.Array(SpaceTotal))
})
export type Digest = typeof Digest.Type

export const ProjectDigest = Schema.Struct({
  projectId: ProjectId,
  name: Schema.String,
  ...Digest.fields
}).annotations({ identifier: "ProjectDigest" })

export const keyEntitiesMost = 10 // rows

/** What a digest is of. The name stands in its summary. */
export type DigestScope =
  | { readonly kind: "workspace"; readonly spaceId: string; readonly name?: string | undefined }
  | { readonly kind: "project"; readonly projectId: string; readonly name?: string | undefined }

/** How many entities of one kind are in one space. */
export interface KindCount {
  readonly spaceId: string
  readonly kind: string
  readonly total: number
}

const byTotal = (one: readonly [string, number], other: readonly [string, number]) =>
  other[1] - one[1] || (one[0] < other[0] ? -1 : 1)

const summed = (counts: ReadonlyArray<KindCount>, key: (count: KindCount) => string) => {
  const totals = new Map<string, number>()
  for (const count of counts) totals.set(key(count), (totals.get(key(count)) ?? 0) + count.total)
  return [...totals].sort(byTotal)
}

const kindsSaid = 6 // kinds that the summary names

const counted = (total: number, one: string, several: string) => `${total} ${total === 1 ? one : several}`

/** One line: how much, of which kinds (most first), in how many workspaces (projects only), and what came last. */
export const summaryOf = (
  { kind, name = kind === "project" ? "This project" : "This workspace" }: DigestScope,
  { byWorkspace, counts, keyEntities, total }: Omit<Digest, "summary">
): string => {
  if (total === 0) return `${name}: nothing yet that you may read.`
  const kinds = Object.entries(counts).sort(byTotal)
  const named = kinds.slice(0, kindsSaid).map(([slug, count]) => `${count} ${slug}`)
  const further = kinds.length > kindsSaid ? [`${kinds.length - kindsSaid} more kinds`] : []
  const workspaces = byWorkspace.filter(({ workspaceId }) => workspaceId !== null).length
  const where = kind === "project" && workspaces > 0 ? ` in ${counted(workspaces, "workspace", "workspaces")}` : ""
  const latest = keyEntities[0] === undefined ? "" : ` Latest: “${keyEntities[0].title}”.`
  return `${name}: ${counted(total, "entity", "entities")} (${[...named, ...further].join(", ")})${where}.${latest}`
}

/**
 * The digest of counted entities. `names` knows workspaces that the caller may list; `ownSpace` is the caller's own.
 * `latest` is in order, latest first.
 */
export const digestFrom = (
  scope: DigestScope,
  counts: ReadonlyArray<KindCount>,
  latest: Digest["keyEntities"],
  names: ReadonlyMap<string, string>,
  ownSpace: string
): Digest => {
  const figures = {
    total: counts.reduce((sum, { total }) => sum + total, 0),
    counts: Object.fromEntries(summed(counts, ({ kind }) => kind)),
    byWorkspace: summed(counts, ({ spaceId }) => spaceId).map(([spaceId, total]) =>
      spaceId === ownSpace
        ? { workspaceId: null, name: "Pod-wide", total }
        : { workspaceId: spaceId, name: names.get(spaceId) ?? "A workspace", total }
    ),
    keyEntities: latest.slice(0, keyEntitiesMost)
  }
  return { ...figures, summary: summaryOf(scope, figures) }
}
