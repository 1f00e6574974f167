/**
 * Prepares the numbers of a preview for people: for each kind, how many records the person sees and how many of them
 * the key can read. Also finds the differences between two previews.
 */
import type { ProcedureOutput } from "../../api/procedures.ts"

export type Preview = ProcedureOutput<"grants.preview">
type Sample = Preview["samples"][number]
type DoorOfPreview = Preview["doors"][number]

export interface CountedKind {
  /** The plural name of the kind, such as `notes` or `documents`. */
  readonly name: string
  /** The name that follows the number `of`: `note` after 1, `notes` after any other number. */
  readonly countedName: string
  readonly count: number
  /** The number of records of this kind that the person can see. */
  readonly of: number
  readonly samples: ReadonlyArray<Sample>
  /** The samples that the key cannot read. The samples are the person's latest records. */
  readonly missed: ReadonlyArray<Sample>
}

const typeNames: Readonly<Record<string, string>> = { knowledge_entry: "knowledge entry", memory: "memory fact" }

const pluralOf = (name: string): string =>
  /[^aeiou]y$/.test(name) ? `${name.slice(0, -1)}ies` : name.endsWith("s") ? name : `${name}s`

/**
 * The name to show for one record of a kind. An entity of the kind `knowledge` is called "knowledge record", so that
 * nobody takes it for a knowledge entry.
 */
const singularOf = ({ kind, type }: { readonly type: string; readonly kind: string | null }) =>
  kind === null ? (typeNames[type] ?? type) : kind === "knowledge" ? "knowledge record" : kind

const nameOf = (counted: Parameters<typeof singularOf>[0]) => pluralOf(singularOf(counted))

const sums = (preview: Pick<Preview, "counts"> | undefined) => {
  const found = new Map<string, number>()
  for (const row of preview?.counts ?? []) found.set(nameOf(row), (found.get(nameOf(row)) ?? 0) + row.count)
  return found
}

/** The numbers of records by kind, the largest number first. Leaves out a kind if the person sees no record of it. */
export const countsOf = (
  preview: Pick<Preview, "counts" | "samples" | "missed">,
  whole: Pick<Preview, "counts"> | undefined
): ReadonlyArray<CountedKind> => {
  const [mine, all] = [sums(preview), sums(whole)]
  const singulars = new Map(
    [preview, whole].flatMap((each) => each?.counts ?? []).map((row) => [nameOf(row), singularOf(row)])
  )
  return [...singulars]
    .map(([name, singular]) => {
      const count = mine.get(name) ?? 0
      const of = Math.max(all.get(name) ?? 0, count)
      return {
        name,
        countedName: of === 1 ? singular : name,
        count,
        of,
        samples: preview.samples.filter((sample) => nameOf(sample) === name),
        missed: preview.missed.filter((sample) => nameOf(sample) === name)
      }
    })
    .filter(({ of }) => of > 0)
    .toSorted((one, other) => other.count - one.count || other.of - one.of || one.name.localeCompare(other.name))
}

export const totalOf = (preview: Preview | undefined): number =>
  (preview?.counts ?? []).reduce((sum, { count }) => sum + count, 0)

const surfaceNames = { rest: "REST", procedure: "Procedures", tool: "MCP tools" } as const

/**
 * Sorts the operations of each surface into two lists: the operations that the key may call, and all others. The second
 * list is grouped by the reason for which the key may not call the operations.
 */
export const doorsOf = (preview: Preview) =>
  (["rest", "tool", "procedure"] as const).map((surface) => {
    const doors = preview.doors.filter((door) => door.surface === surface)
    const closed = new Map<string, Array<DoorOfPreview>>()
    for (const door of doors) {
      if (door.isOpen) continue
      const reason = door.reason ?? door.code ?? "Closed."
      closed.set(reason, [...(closed.get(reason) ?? []), door])
    }
    return {
      surface,
      name: surfaceNames[surface],
      open: doors.filter(({ isOpen }) => isOpen).map(({ operation }) => operation),
      closed: [...closed]
        .map(([reason, of]) => ({
          reason,
          code: of[0]?.code ?? "",
          operations: of.map(({ operation }) => operation)
        }))
        .toSorted((one, other) => other.operations.length - one.operations.length)
    }
  })

const openNames = ({ doors }: Preview) =>
  new Set(
    doors.filter(({ isOpen }) => isOpen).map(({ operation, surface }) => `${surfaceNames[surface]}: ${operation}`)
  )

/**
 * The differences between two previews: the different counts, and the operations that only one of the two grants
 * allows.
 */
export const differenceOf = (mine: Preview, other: Preview) => {
  const [here, there] = [openNames(mine), openNames(other)]
  const [counts, otherCounts] = [sums(mine), sums(other)]
  return {
    counts: [...new Set([...counts.keys(), ...otherCounts.keys()])]
      .map((name) => ({ name, mine: counts.get(name) ?? 0, other: otherCounts.get(name) ?? 0 }))
      .filter((row) => row.mine !== row.other),
    onlyMine: [...here].filter((name) => !there.has(name)),
    onlyOther: [...there].filter((name) => !here.has(name))
  }
}
