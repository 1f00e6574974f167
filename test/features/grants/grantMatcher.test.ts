/** The rules of permissions and grants. The tests compare the matcher with an independent implementation. */
import { assert, describe, it } from "@effect/vitest"
import { Either, Schema } from "effect"
import fc from "fast-check"
import { Grant, isUnrestricted } from "../../../src/features/grants/Grant.ts"
import { allowsObject, boundsFor, covers, kindsCovered } from "../../../src/features/grants/GrantMatcher.ts"
import { parsePermission, requestSegments, segmentsCover } from "../../../src/features/grants/Permission.ts"
import { aPrincipal } from "../../support/reach.ts"
import {
  credential,
  grant,
  kinds,
  nearPermission,
  permission,
  person,
  principalOf,
  rows,
  somebody,
  spaces
} from "../../doors/generators.ts"
import { type ModelGrant, isPermission, permits, type Row, canSee, unnamedKind } from "../../doors/model.ts"

const parsed = (text: string) => Either.getOrThrow(parsePermission(text))
const onlyPermissions = (...permissions: ReadonlyArray<string>): ModelGrant => ({
  permissions,
  workspaceIds: null,
  projectIds: null,
  entityIds: null
})
const coversText = (text: string, subject: "entity" | "document", kind: string | null, action: "read" | "update") =>
  covers(onlyPermissions(text), { subject, kind, action })

/** Returns the rows that a key with this grant may read, as a store would filter them. */
const visible = (given: ModelGrant | null, all: ReadonlyArray<Row>, inSpaces: ReadonlyArray<string>) => {
  const principal = { ...aPrincipal({ personId: person, spaces: inSpaces }), grant: given }
  const bounds = boundsFor(principal, "entity", "read")
  return all
    .filter(
      (row) =>
        bounds.spaces.includes(row.spaceId) &&
        (bounds.kinds === null || bounds.kinds.includes(row.kind)) &&
        (bounds.objects === null || bounds.objects.includes(row.id)) &&
        (bounds.projects === null || row.projectIds.some((project) => bounds.projects!.includes(project)))
    )
    .map(({ id }) => id)
}

const action = fc.constantFrom("read" as const, "create" as const, "update" as const, "delete" as const)
const everySpace = spaces.slice(1)
const fewer = (some: ReadonlyArray<string>, all: ReadonlyArray<string>) => some.every((id) => all.includes(id))

describe("malformed permissions", () => {
  const malformed = [
    "*.read",
    "*.*",
    "document.x.read",
    "entity.note.read.all",
    "entity.read.",
    ".entity",
    "entity..read",
    "Entity.read",
    "entity.Note.read",
    "entity.not*",
    "entity.*note.read",
    "entity.n?te.read",
    "entit\u0443.read",
    "entity\u2024read",
    "entity.\u212anowledge.read",
    "entity read",
    "-entity",
    "_entity",
    "entity,document",
    "",
    "   ",
    "a".repeat(121),
    "**"
  ]
  for (const text of malformed) {
    it(`the permission ${JSON.stringify(text.slice(0, 30))} is refused for a new key and covers nothing in a stored grant`, () => {
      assert.isTrue(Either.isLeft(Schema.decodeUnknownEither(Grant)({ permissions: [text] })))
      const stored = onlyPermissions(text)
      assert.deepStrictEqual(kindsCovered(stored, "entity", "read"), [])
      assert.isFalse(covers(stored, { subject: "document", kind: null, action: "read" }))
      assert.isFalse(isUnrestricted({ grant: stored, workspaceId: null }))
    })
  }

  it("an empty list of permissions is refused for a new key and covers nothing in a stored grant", () => {
    assert.isTrue(Either.isLeft(Schema.decodeUnknownEither(Grant)({ permissions: [] })))
    assert.isFalse(covers(onlyPermissions(), { subject: "entity", kind: "note", action: "read" }))
    assert.isFalse(isUnrestricted({ grant: onlyPermissions(), workspaceId: null }))
  })

  it.prop(
    "the parser of permissions accepts exactly the permissions that a second parser of the documented grammar accepts",
    [nearPermission],
    ([text]) => {
      assert.strictEqual(Either.isRight(parsePermission(text)), isPermission(text))
    }
  )
})

describe("the coverage of a permission", () => {
  it("a permission with only the first letters of a word does not match the word", () => {
    assert.isFalse(coversText("entity.know", "entity", "knowledge", "read"))
    assert.isFalse(coversText("entity.knowledge", "entity", "know", "read"))
    assert.isFalse(coversText("doc", "document", null, "read"))
  })

  it("a permission consists of words with points between them, and the sign `*` matches exactly one of these words", () => {
    assert.isTrue(coversText("entity.*.read", "entity", "note", "read"))
    assert.isFalse(coversText("entity.*.read", "entity", "note", "update"))
    assert.isTrue(coversText("document.*", "document", null, "read"))
    assert.isFalse(segmentsCover(["entity", "*", "read"], ["entity", "read"]))
    assert.isFalse(segmentsCover(["entity", "*"], ["entity"]))
  })

  it("a permission covers every longer permission that begins with the same words", () => {
    assert.isTrue(coversText("entity.knowledge", "entity", "knowledge", "update"))
    assert.isTrue(coversText("entity", "entity", "knowledge", "update"))
    assert.isFalse(coversText("entity.knowledge", "entity", "note", "read"))
  })

  it("in a permission, a word after `entity` is the name of a kind unless it is the name of an action", () => {
    assert.isTrue(coversText("entity.read", "entity", "note", "read"))
    assert.isFalse(coversText("entity.archive", "entity", "note", "update"))
    assert.isTrue(coversText("entity.archive", "entity", "archive", "update"))
  })

  it("if the kind of an entity is not known, a permission covers the entity only if the permission names no kind", () => {
    for (const text of ["*", "entity", "entity.*", "entity.*.read", "entity.read"]) {
      assert.isTrue(coversText(text, "entity", null, "read"), text)
    }
    for (const text of ["entity.note", "entity.note.read", "entity.knowledge.*"]) {
      assert.isFalse(coversText(text, "entity", null, "read"), text)
    }
  })

  it.prop("every permission covers itself", [permission], ([text]) => {
    assert.isTrue(segmentsCover(parsed(text), parsed(text)))
  })

  it.prop(
    "if permission A covers permission B, and B covers permission C, then A covers C",
    [permission, permission, permission],
    ([one, other, third]) => {
      fc.pre(segmentsCover(parsed(one), parsed(other)) && segmentsCover(parsed(other), parsed(third)))
      assert.isTrue(segmentsCover(parsed(one), parsed(third)))
    }
  )

  it.prop(
    "if permission A covers permission B, then A covers every request that B covers",
    [permission, permission, fc.constantFrom(null, ...kinds), action],
    ([wide, narrow, kind, verb]) => {
      fc.pre(segmentsCover(parsed(wide), parsed(narrow)))
      for (const subject of ["entity", "document", "event"] as const) {
        const asked = requestSegments({ subject, kind, action: verb })
        if (segmentsCover(parsed(narrow), asked)) assert.isTrue(segmentsCover(parsed(wide), asked))
      }
    },
    { fastCheck: { numRuns: 300 } }
  )

  it.prop(
    "the permission matcher gives the same answer as a matcher made of regular expressions, even for malformed permissions",
    [
      fc.array(nearPermission, { maxLength: 3 }),
      fc.constantFrom("entity" as const, "document" as const, "event" as const, "workspace" as const),
      fc.constantFrom(null, ...kinds),
      action
    ],
    ([permissions, subject, kind, verb]) => {
      assert.strictEqual(
        covers(onlyPermissions(...permissions), { subject, kind, action: verb }),
        permits(permissions, subject, kind ?? unnamedKind, verb)
      )
    },
    { fastCheck: { numRuns: 3_000 } }
  )

  it.prop(
    "the list of all entity kinds that a grant covers gives the same result as a check of each kind separately",
    [fc.array(nearPermission, { maxLength: 3 }), action],
    ([permissions, verb]) => {
      const coveredKinds = kindsCovered(onlyPermissions(...permissions), "entity", verb)
      assert.strictEqual(coveredKinds === null, permits(permissions, "entity", unnamedKind, verb))
      for (const kind of kinds) {
        assert.strictEqual(
          coveredKinds === null || coveredKinds.includes(kind),
          permits(permissions, "entity", kind, verb)
        )
      }
    },
    { fastCheck: { numRuns: 1_000 } }
  )
})

describe("the four lists of a grant", () => {
  const object = { spaceId: everySpace[0], isPersonal: false, objectId: "o", projectIds: ["p"] }

  it("an empty list in a grant allows nothing, and an absent list sets no limit", () => {
    const open = onlyPermissions("*")
    assert.isTrue(allowsObject(open, object))
    for (const name of ["workspaceIds", "projectIds", "entityIds"] as const) {
      assert.isFalse(allowsObject({ ...open, [name]: [] }, object), name)
      assert.isFalse(isUnrestricted({ grant: { ...open, [name]: [] }, workspaceId: null }), name)
    }
  })

  it("a grant limited to workspaces excludes the personal space, even if the list contains that space", () => {
    const own = { ...object, spaceId: person, isPersonal: true }
    assert.isFalse(allowsObject({ ...onlyPermissions("*"), workspaceIds: [person] }, own))
  })

  it("a grant limited to objects excludes records that do not exist yet, and a grant limited to projects excludes records in no project", () => {
    assert.isFalse(allowsObject({ ...onlyPermissions("*"), entityIds: ["o"] }, { ...object, objectId: null }))
    assert.isFalse(allowsObject({ ...onlyPermissions("*"), projectIds: ["p"] }, { ...object, projectIds: [] }))
  })

  it.prop(
    "a further limit in the grant of a key never gives the key access to more rows",
    [grant, grant, rows],
    ([given, other, all]) => {
      const before = visible(given, all, everySpace)
      for (const name of ["workspaceIds", "projectIds", "entityIds"] as const) {
        const limited = { ...given, [name]: given[name] === null ? other[name] : given[name].slice(1) }
        assert.isTrue(fewer(visible(limited, all, everySpace), before), `a narrower ${name} shows more rows`)
      }
      const poorer = { ...given, permissions: given.permissions.slice(1) }
      assert.isTrue(fewer(visible(poorer, all, everySpace), before), "a grant with one permission less shows more rows")
      assert.isTrue(
        fewer(visible(given, all, everySpace.slice(1)), before),
        "a person with one membership less sees more rows"
      )
      assert.isTrue(fewer(before, visible(null, all, everySpace)), "a key sees more rows than its person")
    },
    { fastCheck: { numRuns: 500 } }
  )

  it.prop("a key with an empty list of permissions can see no row", [credential, somebody, rows], ([key, who, all]) => {
    fc.pre(key.kind === "key")
    const empty = { ...key, grant: onlyPermissions() }
    assert.deepStrictEqual(boundsFor(principalOf(empty, who), "entity", "read").spaces, [])
    assert.isFalse(all.some((row) => canSee(empty, who, row)))
  })
})
