/**
 * Writes a grant as JSON text, and reads such a text. Checks only the form of the JSON, because the pod checks the
 * permissions.
 */
import type { GrantDraft } from "./keyDraft.ts"

const axes = ["workspaceIds", "projectIds", "entityIds"] as const

export const grantText = (grant: GrantDraft): string =>
  JSON.stringify(
    {
      permissions: grant.permissions,
      ...Object.fromEntries(axes.flatMap((axis) => (grant[axis] === null ? [] : [[axis, grant[axis]]])))
    },
    undefined,
    2
  )

const textsOfList = (value: unknown): ReadonlyArray<string> | undefined =>
  Array.isArray(value) && value.every((each) => typeof each === "string") ? value : undefined

export const readGrant = (text: string): { readonly grant: GrantDraft } | { readonly fault: string } => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { fault: "This is not JSON yet." }
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { fault: "Write an object with the field permissions." }
  }
  const fields: Readonly<Record<string, unknown>> = { ...value }
  const unknown = Object.keys(fields).find((name) => name !== "permissions" && !axes.some((axis) => axis === name))
  if (unknown !== undefined) return { fault: `A grant has no field ${unknown}.` }
  const permissions = textsOfList(fields["permissions"])
  if (permissions === undefined) return { fault: "permissions must be a list of texts." }
  const limits: { -readonly [Axis in (typeof axes)[number]]: ReadonlyArray<string> | null } = {
    workspaceIds: null,
    projectIds: null,
    entityIds: null
  }
  for (const axis of axes) {
    if (fields[axis] === undefined || fields[axis] === null) continue
    const ids = textsOfList(fields[axis])
    if (ids === undefined) return { fault: `${axis} must be a list of ids.` }
    limits[axis] = ids
  }
  return { grant: { permissions, ...limits } }
}
