/** The sentence above a preview: which kinds a grant reads, and in which workspaces, by their names. */
import { everything, segmentsOf } from "./permissionMatrix.ts"

interface Limits {
  readonly permissions: ReadonlyArray<string>
  readonly workspaceIds?: ReadonlyArray<string> | null | undefined
  readonly projectIds?: ReadonlyArray<string> | null | undefined
  readonly entityIds?: ReadonlyArray<string> | null | undefined
}

const namedMost = 5 // names; for a longer list the sentence has only the number of names

export const listed = (names: ReadonlyArray<string>, many: string): string =>
  names.length > namedMost
    ? `${names.length} ${many}`
    : names.length < 2
      ? names.join("")
      : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`

/** The plural names of the subjects that people know under another word. */
const words: Readonly<Record<string, string>> = {
  "entity.knowledge": "knowledge",
  entity: "records of every kind",
  memory: "memory",
  messaging: "messages",
  knowledge: "knowledge"
}

const plural = (name: string) => words[name] ?? (name.endsWith("s") ? name : `${name}s`)

/** What the permissions let a key read, such as "knowledge" and "documents". */
const kindsRead = (permissions: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(
    permissions.flatMap((permission) => {
      const [subject = "", kind, verb] = segmentsOf(permission)
      if (subject !== "entity") return kind === undefined || kind === "read" || kind === "*" ? [plural(subject)] : []
      if (verb !== undefined && verb !== "read" && verb !== "*") return []
      return [
        kind === undefined || kind === "*"
          ? plural("entity")
          : words[`entity.${kind}`] === undefined
            ? plural(kind)
            : plural(`entity.${kind}`)
      ]
    })
  )
]

const counted = (count: number, one: string) => `${count} ${count === 1 ? one : `${one}s`}`

/**
 * In: a grant and the name of each workspace by its id. Out: such as "Reads knowledge and documents in Acme and Ops."
 */
export const readSentence = (
  { entityIds, permissions, projectIds, workspaceIds }: Limits,
  nameOf: (workspaceId: string) => string
): string => {
  const isWhole = permissions.some((each) => each.trim() === everything)
  const kinds = isWhole ? ["everything that you can see"] : kindsRead(permissions)
  if (kinds.length === 0) return "Reads nothing."
  const where = [
    ...(workspaceIds == null ? [] : [`in ${listed(workspaceIds.map(nameOf), "workspaces")}`]),
    ...(projectIds == null ? [] : [`within ${counted(projectIds.length, "project")}`]),
    ...(entityIds == null ? [] : [`among ${counted(entityIds.length, "object")}`])
  ]
  return `Reads ${[listed(kinds, "kinds of records"), ...where].join(" ")}.`
}
