/**
 * Generators of grants, callers and rows for the visibility tests. They draw from few values, so that every combination
 * occurs often.
 */
import { sessionScopes } from "../../src/doors/Scope.ts"
import fc from "fast-check"
import type { MembershipRole, Principal } from "../../src/doors/Principal.ts"
import type { Credential, ModelGrant, Person, Row } from "./model.ts"

const id = (kind: string, at: number) => `0190a0a0-0000-7000-8${kind}-${String(at).padStart(12, "0")}`

export const person = id("001", 1)
export const spaces = [person, id("002", 1), id("002", 2), id("002", 3), id("002", 4)]
export const projects = [id("003", 1), id("003", 2), id("003", 3)]
export const rowIds = Array.from({ length: 10 }, (_, at) => id("004", at))
export const kinds = ["note", "knowledge", "task"]
const subjects = ["entity", "document", "relation", "event", "workspace", "memory", "profile"]
const actions = ["read", "create", "update", "delete"]
export const roles: ReadonlyArray<MembershipRole> = ["owner", "admin", "editor", "viewer"]

const pick = (words: ReadonlyArray<string>) => fc.constantFrom(...words)

/** A permission of any form that the pod accepts, even with a kind or a verb at an unusual place. */
export const permission = fc.oneof(
  { weight: 1, arbitrary: fc.constant("*") },
  { weight: 1, arbitrary: pick(subjects) },
  { weight: 3, arbitrary: fc.tuple(pick(subjects), pick([...actions, ...kinds, "*"])).map((parts) => parts.join(".")) },
  {
    weight: 6,
    arbitrary: fc.tuple(pick([...kinds, "*"]), pick([...actions, "*"])).map(([kind, verb]) => `entity.${kind}.${verb}`)
  }
)

/** A permission, or a text that is almost a permission. */
export const nearPermission = fc.oneof(
  permission,
  fc
    .array(
      pick(["*", "entity", "document", "note", "read", "Read", "no te", "", "-a", "_", "a-b_c", "é", "r\u0435ad"]),
      {
        minLength: 1,
        maxLength: 4
      }
    )
    .map((segments) => segments.join(".")),
  permission.map((text) => ` ${text}\n`),
  fc.string({ unit: "grapheme", maxLength: 12 })
)

const axis = (values: ReadonlyArray<string>) => fc.option(fc.subarray([...values]), { nil: null, freq: 3 })

export const grant: fc.Arbitrary<ModelGrant> = fc.record({
  permissions: fc.array(permission, { maxLength: 3 }),
  workspaceIds: axis(spaces),
  projectIds: axis(projects),
  entityIds: axis(rowIds)
})

const role = fc.constantFrom(...roles)

/** A person with a role in some of the spaces. The person never has a role in the last space. */
export const somebody: fc.Arbitrary<Person> = fc
  .tuple(fc.option(role), fc.option(role), fc.option(role))
  .map((found) => ({
    id: person,
    roles: new Map([
      [person, "owner" as const],
      ...found.flatMap((one, at) => (one === null ? [] : [[spaces[at + 1], one] as const]))
    ])
  }))

export const rows: fc.Arbitrary<ReadonlyArray<Row>> = fc.tuple(
  ...rowIds.map((rowId) =>
    fc.record({ id: fc.constant(rowId), spaceId: pick(spaces), kind: pick(kinds), projectIds: fc.subarray(projects) })
  )
)

const scopes = fc.subarray(
  ["hub-protocol.read", "hub-protocol.write", "hub-protocol.admin", "mcp.read", "mcp.write", "data.read", "data.write"],
  { minLength: 0 }
)

export const credential: fc.Arbitrary<Credential> = fc.oneof(
  { weight: 1, arbitrary: fc.constant({ kind: "session" as const }) },
  {
    weight: 9,
    arbitrary: fc.record({
      kind: fc.constant("key" as const),
      scopes,
      grant: fc.option(grant, { nil: null, freq: 8 }),
      workspaceId: fc.option(pick(spaces.slice(1)), { nil: null, freq: 2 }),
      capabilities: fc.option(fc.array(permission, { maxLength: 2 }), { nil: null, freq: 2 })
    })
  }
)

/** Returns the principal that the pod makes for this credential and person. */
export const principalOf = (credential: Credential, { id: personId, roles: inSpaces }: Person): Principal => {
  const key = credential.kind === "key" ? credential : undefined
  const capabilities = key?.capabilities ?? null
  return {
    credential: { kind: key === undefined ? "session" : "key", id: id("005", 1) },
    holder:
      capabilities === null
        ? { id: personId, kind: "person", capabilities: [] }
        : { id: id("006", 1), kind: "agent", capabilities },
    personId,
    podRole: "member",
    epoch: 1,
    memberships: [...inSpaces].map(([spaceId, inRole]) => ({ spaceId, role: inRole })),
    scopes: key === undefined ? sessionScopes : key.scopes,
    grant: key?.grant ?? null,
    workspaceId: key?.workspaceId ?? null,
    toolProfile: null,
    expiresAt: null
  }
}
