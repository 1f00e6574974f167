/** Says in sentences how the grant of a role differs from the grant of a key that was made from this role. */
import type { GrantDraft } from "../keys/keyDraft.ts"

const axes = [
  { axis: "workspaceIds", noun: "workspaces" },
  { axis: "projectIds", noun: "projects" },
  { axis: "entityIds", noun: "objects" }
] as const

const sortUnique = (values: ReadonlyArray<string>) => [...new Set(values)].toSorted()
const isSame = (one: ReadonlyArray<string> | null, other: ReadonlyArray<string> | null) =>
  one === null || other === null ? one === other : sortUnique(one).join(" ") === sortUnique(other).join(" ")

/** True if two grants have the same permissions and limits, in any order. */
export const isSameGrant = (one: GrantDraft, other: GrantDraft): boolean =>
  isSame(one.permissions, other.permissions) && axes.every(({ axis }) => isSame(one[axis], other[axis]))

const limitWords = (ids: ReadonlyArray<string> | null, noun: string) =>
  ids === null ? `is not limited to ${noun}` : `is limited to ${ids.length} ${noun}`

/** The differences between the grant of a role and the grant of a key, as sentences. Empty if the grants are equal. */
export const driftSentences = (role: GrantDraft, key: GrantDraft): ReadonlyArray<string> => {
  const added = sortUnique(role.permissions).filter((permission) => !key.permissions.includes(permission))
  const removed = sortUnique(key.permissions).filter((permission) => !role.permissions.includes(permission))
  return [
    ...(added.length === 0 ? [] : [`The role now also allows ${added.join(", ")}.`]),
    ...(removed.length === 0 ? [] : [`The role no longer allows ${removed.join(", ")}, but the key still does.`]),
    ...axes.flatMap(({ axis, noun }) =>
      isSame(role[axis], key[axis])
        ? []
        : [
            `The role ${limitWords(role[axis], noun)}, but the key ${limitWords(key[axis], noun)}${role[axis] !== null && key[axis] !== null ? " that are not the same" : ""}.`
          ]
    )
  ]
}

/** A short text about a grant: what the grant permits and where it applies. */
export const grantWords = ({ entityIds, permissions, projectIds, workspaceIds }: GrantDraft): string => {
  const what = permissions.includes("*") ? "Everything" : permissions.join(", ")
  const where = [
    { ids: workspaceIds, noun: "workspaces" },
    { ids: projectIds, noun: "projects" },
    { ids: entityIds, noun: "objects" }
  ].flatMap(({ ids, noun }) => (ids === null ? [] : [`${ids.length} ${noun}`]))
  return where.length === 0 ? what : `${what}; within ${where.join(" and ")}`
}
