/**
 * Shows a list of permissions as a matrix: which cells the list contains, which cells a wider permission includes, and
 * what a click changes.
 */

export const actions = ["read", "create", "update", "delete"] as const
export type MatrixAction = (typeof actions)[number]

/**
 * A row of the matrix: a subject, or a kind of entity. The row of the subject `entity` without a kind is for all kinds.
 */
export interface MatrixRow {
  readonly subject: string
  /** The slug of the entity kind. Null if the row is not an entity kind. */
  readonly kind: string | null
}

/**
 * `chosen`: the list contains this permission. `inherited`: the list contains a wider permission that includes the
 * cell. `some`: the list contains this permission for some kinds of entity. `off`: none of these.
 */
export interface Cell {
  readonly state: "off" | "chosen" | "inherited" | "some"
  /** The wider permission that includes an inherited cell. */
  readonly by?: string
}

export const everyPermission = "*"

const verbs: ReadonlySet<string> = new Set(actions)

/** The segments of a permission in the form in which the pod compares them: `entity.read` becomes `entity.*.read`. */
export const segmentsOf = (permission: string): ReadonlyArray<string> => {
  const segments = permission.trim().split(".")
  const [subject, second] = segments
  return subject === "entity" && segments.length === 2 && second !== undefined && verbs.has(second)
    ? ["entity", "*", second]
    : segments
}

const covers = (granted: ReadonlyArray<string>, requested: ReadonlyArray<string>): boolean =>
  granted.length <= requested.length && granted.every((segment, at) => segment === "*" || segment === requested[at])

/** The permission for a cell in the usual short form. If `action` is null, the permission for the whole row. */
export const permissionOf = ({ kind, subject }: MatrixRow, action: MatrixAction | null): string =>
  [subject, ...(kind === null ? [] : [kind]), ...(action === null ? [] : [action])].join(".")

const askedBy = (row: MatrixRow, action: MatrixAction | null): ReadonlyArray<string> =>
  row.subject === "entity"
    ? ["entity", row.kind ?? "*", ...(action === null ? [] : [action])]
    : [row.subject, ...(action === null ? [] : [action])]

const isSame = (one: ReadonlyArray<string>, other: ReadonlyArray<string>) =>
  one.length === other.length && one.every((segment, at) => segment === other[at])

/** Removes each `*` at the end, because `entity.*` means the same as `entity`. */
const withoutTail = (segments: ReadonlyArray<string>): ReadonlyArray<string> =>
  segments.length > 1 && segments.at(-1) === "*" ? withoutTail(segments.slice(0, -1)) : segments

export const cellOf = (permissions: ReadonlyArray<string>, row: MatrixRow, action: MatrixAction | null): Cell => {
  const segments = askedBy(row, action)
  const exact = permissions.find((each) => isSame(withoutTail(segmentsOf(each)), withoutTail(segments)))
  if (exact !== undefined) return { state: "chosen" }
  // If `action` is null, the cell stands for the whole row. Only a permission without an action includes such a cell.
  const by = permissions.find((each) => covers(withoutTail(segmentsOf(each)), segments))
  if (by !== undefined) return { state: "inherited", by }
  if (row.subject === "entity" && row.kind === null && action !== null) {
    const hasSome = permissions.some((each) => {
      const [subject, kind, verb] = segmentsOf(each)
      return subject === "entity" && kind !== undefined && kind !== "*" && (verb === undefined || verb === action)
    })
    if (hasSome) return { state: "some" }
  }
  return { state: "off" }
}

/**
 * The list of permissions after a click on a cell. A click that chooses a whole row removes the permissions for single
 * cells of the row.
 */
export const togglePermission = (
  permissions: ReadonlyArray<string>,
  row: MatrixRow,
  action: MatrixAction | null
): ReadonlyArray<string> => {
  const segments = withoutTail(askedBy(row, action))
  const isIt = (each: string) => isSame(withoutTail(segmentsOf(each)), segments)
  if (permissions.some(isIt)) return permissions.filter((each) => !isIt(each))
  const rest = permissions.filter((each) => !covers(segments, segmentsOf(each)))
  return [...rest, permissionOf(row, action)]
}

/** True if any permission allows a write. */
export const hasWrites = (permissions: ReadonlyArray<string>): boolean =>
  permissions.some((each) => {
    const segments = segmentsOf(each)
    const last = segments.at(-1) ?? ""
    return !(last === "read" && segments.length > 1)
  })

export const hasReads = (permissions: ReadonlyArray<string>): boolean =>
  permissions.some((each) => {
    const segments = segmentsOf(each)
    const last = segments.at(-1) ?? ""
    return last === "read" || segments.length === 1 || !verbs.has(last)
  })
