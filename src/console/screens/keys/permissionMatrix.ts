/** A list of permissions as a matrix: which cell is chosen, which follows from another permission, and what a click changes. */

export const actions = ["read", "create", "update", "delete"] as const
export type MatrixAction = (typeof actions)[number]

/** A row: a subject, or a kind of entity. `all` of `entity` is the row above its kinds. */
export interface MatrixRow {
  readonly subject: string
  /** Slug of the entity kind; null for every other row. */
  readonly kind: string | null
}

/** `chosen`: the list has this permission. `inherited`: a wider permission covers it. `some`: some kinds below have it. */
export interface Cell {
  readonly state: "off" | "chosen" | "inherited" | "some"
  /** The wider permission of an inherited cell. */
  readonly by?: string
}

export const everything = "*"

const verbs: ReadonlySet<string> = new Set(actions)

/** The segments in the form in which the pod compares them: `entity.read` is `entity.*.read`. */
export const segmentsOf = (permission: string): ReadonlyArray<string> => {
  const segments = permission.trim().split(".")
  const [subject, second] = segments
  return subject === "entity" && segments.length === 2 && second !== undefined && verbs.has(second)
    ? ["entity", "*", second]
    : segments
}

const covers = (held: ReadonlyArray<string>, asked: ReadonlyArray<string>): boolean =>
  held.length <= asked.length && held.every((segment, at) => segment === "*" || segment === asked[at])

/** The permission of a cell as people write it; `action` null means the whole row. */
export const permissionOf = ({ kind, subject }: MatrixRow, action: MatrixAction | null): string =>
  [subject, ...(kind === null ? [] : [kind]), ...(action === null ? [] : [action])].join(".")

const askedBy = (row: MatrixRow, action: MatrixAction | null): ReadonlyArray<string> =>
  row.subject === "entity"
    ? ["entity", row.kind ?? "*", ...(action === null ? [] : [action])]
    : [row.subject, ...(action === null ? [] : [action])]

const isSame = (one: ReadonlyArray<string>, other: ReadonlyArray<string>) =>
  one.length === other.length && one.every((segment, at) => segment === other[at])

/** `entity.*` and `document.*` say the same as `entity` and `document`. */
const withoutTail = (segments: ReadonlyArray<string>): ReadonlyArray<string> =>
  segments.length > 1 && segments.at(-1) === "*" ? withoutTail(segments.slice(0, -1)) : segments

export const cellOf = (permissions: ReadonlyArray<string>, row: MatrixRow, action: MatrixAction | null): Cell => {
  const asked = askedBy(row, action)
  const exact = permissions.find((each) => isSame(withoutTail(segmentsOf(each)), withoutTail(asked)))
  if (exact !== undefined) return { state: "chosen" }
  // A row without an action is asked as a whole: only a permission without an action covers it.
  const by = permissions.find((each) => covers(withoutTail(segmentsOf(each)), asked))
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

/** The list after a click on a cell. A chosen whole row makes its single cells superfluous, so they go. */
export const toggled = (
  permissions: ReadonlyArray<string>,
  row: MatrixRow,
  action: MatrixAction | null
): ReadonlyArray<string> => {
  const asked = withoutTail(askedBy(row, action))
  const isIt = (each: string) => isSame(withoutTail(segmentsOf(each)), asked)
  if (permissions.some(isIt)) return permissions.filter((each) => !isIt(each))
  const rest = permissions.filter((each) => !covers(asked, segmentsOf(each)))
  return [...rest, permissionOf(row, action)]
}

/** Whether any permission allows to change something. */
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
