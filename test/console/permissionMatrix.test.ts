/**
 * The table of permissions: its cells show what the pod's permission matcher would decide, and a click changes only the
 * permissions of the clicked cell or row.
 */
import { Either } from "effect"
import { assert, describe, it } from "vitest"
import {
  actions,
  cellOf,
  hasReads,
  hasWrites,
  type MatrixRow,
  permissionOf,
  segmentsOf,
  togglePermission
} from "../../src/console/screens/keys/permissionMatrix.ts"
import { grantText, readGrant } from "../../src/console/screens/keys/grantText.ts"
import { parsePermission, requestSegments, segmentsCover } from "../../src/features/grants/Permission.ts"

const permissions = ["*", "entity", "entity.*", "entity.read", "entity.*.read", "entity.note", "entity.note.*"].concat([
  "entity.note.read",
  "entity.task.update",
  "document",
  "document.*",
  "document.read",
  "memory.delete"
])

const rows: ReadonlyArray<MatrixRow> = [
  { subject: "entity", kind: null },
  { subject: "entity", kind: "note" },
  { subject: "entity", kind: "task" },
  { subject: "document", kind: null },
  { subject: "memory", kind: null }
]

describe("the table of permissions", () => {
  it("a cell of the permission table is ticked exactly if the pod's permission matcher would allow its action", () => {
    for (const permission of permissions) {
      const segments = Either.getOrThrow(parsePermission(permission))
      assert.deepStrictEqual([...segmentsOf(permission)], [...segments])
      for (const row of rows) {
        for (const action of actions) {
          const asked = requestSegments({
            subject: row.subject as "entity",
            kind: row.subject === "entity" ? (row.kind ?? "*") : null,
            action
          })
          const { state } = cellOf([permission], row, action)
          const isTicked = state === "chosen" || state === "inherited"
          assert.strictEqual(isTicked, segmentsCover(segments, asked), `${permission} for ${permissionOf(row, action)}`)
        }
      }
    }
  })

  it("a click in the permission table adds the permission of the clicked cell, and a second click removes the permission", () => {
    for (const row of rows) {
      for (const action of [...actions, null]) {
        const on = togglePermission(["role.read"], row, action)
        assert.deepStrictEqual(on, ["role.read", permissionOf(row, action)])
        assert.strictEqual(cellOf(on, row, action).state, "chosen")
        assert.deepStrictEqual(togglePermission(on, row, action), ["role.read"])
      }
    }
  })

  it("in the permission table, a permission for a whole row or for all kinds replaces the narrower permissions that it covers", () => {
    const note = { subject: "entity", kind: "note" }
    assert.deepStrictEqual(togglePermission(["entity.note.read", "document.read"], note, null), [
      "document.read",
      "entity.note"
    ])
    const every = { subject: "entity", kind: null }
    assert.deepStrictEqual(togglePermission(["entity.note", "entity.task.read", "entity.update"], every, "read"), [
      "entity.note",
      "entity.update",
      "entity.read"
    ])
  })

  it("in the permission table, the row for all kinds marks an action that is allowed only for some kinds", () => {
    assert.strictEqual(cellOf(["entity.note.read"], { subject: "entity", kind: null }, "read").state, "some")
    assert.strictEqual(cellOf(["entity.note.read"], { subject: "entity", kind: null }, "update").state, "off")
    assert.strictEqual(cellOf(["entity.note"], { subject: "entity", kind: null }, "update").state, "some")
  })

  it("if a wider permission covers a cell of the permission table, the cell shows the wider permission", () => {
    const cell = cellOf(["entity.read"], { subject: "entity", kind: "note" }, "read")
    assert.deepStrictEqual(cell, { state: "inherited", by: "entity.read" })
  })

  it("the permission table distinguishes permissions to read from permissions to write", () => {
    assert.deepStrictEqual(
      [["entity.read"], ["entity.note"], ["document.create"], ["*"], ["entity.note.read", "memory.read"]].map(
        (each) => [hasReads(each), hasWrites(each)]
      ),
      [
        [true, false],
        [true, true],
        [false, true],
        [true, true],
        [true, false]
      ]
    )
  })
})

describe("the grant of a key as code", () => {
  it("if the key form writes a grant as JSON and reads this JSON again, the grant is the same", () => {
    const grant = { permissions: ["entity.read"], workspaceIds: ["a"], projectIds: null, entityIds: [] }
    assert.deepStrictEqual(readGrant(grantText(grant)), { grant })
  })

  it("the key form shows a separate message for each kind of fault in the JSON of a grant", () => {
    const faults = ["{", "[]", "{}", '{"permissions":[],"label":"x"}', '{"permissions":[],"workspaceIds":"a"}']
    assert.deepStrictEqual(
      faults.map((text) => Object.values(readGrant(text))[0]),
      [
        "This is not JSON yet.",
        "Write an object with the field permissions.",
        "permissions must be a list of texts.",
        "A grant has no field label.",
        "workspaceIds must be a list of ids."
      ]
    )
  })
})
