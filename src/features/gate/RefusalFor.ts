/**
 * Makes the refusal that a caller gets from the gate. It says which part of the write was refused, and what is missing.
 */
import { Forbidden } from "../../doors/Failure.ts"
import type { Principal } from "../../doors/Principal.ts"
import { allOf, type Verdict } from "./Ladder.ts"
import { canBeStale, rungAxis, rungCode } from "./Rungs.ts"
import { needsNoPermission, readsAll } from "./RungConditions.ts"
import type { Matcher } from "./RungShape.ts"
import { type GatedWrite, permissionFor } from "./Write.ts"

interface NeededPermission {
  readonly permission: string
  readonly isLacking: boolean
}

/**
 * Returns the permissions that a write needs, and whether the caller lacks them. Returns no permissions for a write
 * outside the person's spaces, because a permission could reveal the kind of a record that the caller cannot read.
 */
const needsOf = (matcher: Matcher, principal: Principal, write: GatedWrite): ReadonlyArray<NeededPermission> => {
  const { discloses = [], object, showsRecord } = write
  if (!principal.memberships.some(({ spaceId }) => spaceId === object.spaceId)) return []
  // A grant for a project includes the right to put records in the project.
  if (needsNoPermission({ principal, write })) return []
  const { capabilities, kind } = principal.holder
  const asGrant = { permissions: capabilities, workspaceIds: null, projectIds: null, entityIds: null }
  const isCovered = matcher.covers(principal.grant, write) && (kind !== "agent" || matcher.covers(asGrant, write))
  const asRead = { ...write, action: "read" as const }
  return [
    { permission: permissionFor(write), isLacking: !isCovered },
    ...(showsRecord === true
      ? [{ permission: permissionFor(asRead), isLacking: !matcher.covers(principal.grant, asRead) }]
      : []),
    ...discloses.map((subject) => ({
      permission: `${subject}.read`,
      isLacking: !readsAll({ matcher, principal, write }, subject)
    }))
  ]
}

/**
 * Returns the permissions that a refusal by this rule of the gate names. The grant of the caller possibly has some of
 * these permissions.
 */
const namedBy = (rung: Verdict["rung"], write: GatedWrite): ReadonlyArray<string> => [
  permissionFor(write),
  ...(rung === "disclosure" ? (write.discloses ?? []).map((subject) => `${subject}.read`) : []),
  ...(rung === "reading" ? [permissionFor({ ...write, action: "read" })] : [])
]

/** Returns the value that all elements have in common. Returns null if they differ. */
const common = <A>(values: ReadonlyArray<A>): A | null => (new Set(values).size === 1 ? values[0] : null)

/**
 * Returns the space and the object of the refused write, if one grant for them could allow the whole write. Only
 * refusals by the gate's rules `grant` and `capabilities` name them. The rules before these two refuse callers without
 * access to the space, and such callers must not learn about the objects of the space.
 */
const placeOf = (rung: Verdict["rung"], writes: ReadonlyArray<GatedWrite>) => {
  const spaceId = common(writes.map(({ object }) => object.spaceId))
  if ((rung !== "grant" && rung !== "capabilities") || spaceId === null) return {}
  return { about: { spaceId, objectId: common(writes.map(({ object }) => object.objectId)) } }
}

/** Makes the refusal of a write. The verdict says which of the writes was refused, and by which rule of the gate. */
export const refusalFor = (
  matcher: Matcher,
  principal: Principal,
  whole: GatedWrite,
  { rung, reason, write }: Verdict
): Forbidden => {
  const axis = rungAxis(rung)
  const isMissing = axis === "grant" || axis === "capabilities"
  const writes = allOf(whole)
  const needs = isMissing ? writes.flatMap((one) => needsOf(matcher, principal, one)) : []
  const lacking = needs.filter(({ isLacking }) => isLacking).map(({ permission }) => permission)
  // A rule of the gate that comes before `grant` can refuse a caller who has no access to the record of a further
  // write. So the refusal by such a rule names only the requested write, and no further write.
  const named = axis === "workspace" || axis === "role" ? whole : write
  const refused = permissionFor(named)
  return new Forbidden({
    code: rungCode(rung),
    why: refused === permissionFor(whole) ? reason : `${reason} The pod refused this part of the write: ${refused}.`,
    required: [...new Set([...namedBy(rung, named), ...lacking])],
    granted: rung === "capabilities" ? principal.holder.capabilities : (principal.grant?.permissions ?? ["*"]),
    rung,
    canBeStale: canBeStale(rung),
    ...(isMissing ? { needs: [...new Set(needs.map(({ permission }) => permission))] } : {}),
    ...placeOf(rung, writes)
  })
}
