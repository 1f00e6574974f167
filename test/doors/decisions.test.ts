/**
 * Compares three decisions of the pod with an independent model of the access rules, for many random callers: whether
 * an operation admits the caller, which rows the caller may touch, and which writes the gate allows.
 */
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import * as Doors from "../../src/doors/Door.ts"
import { doorRefusal } from "../../src/features/access/Admission.ts"
import { boundsFor } from "../../src/features/grants/GrantMatcher.ts"
import { credential, kinds, principalOf, rows, somebody, spaces } from "./generators.ts"
import { decided, policy } from "./ladderGenerators.ts"
import { refusalCodes, defaultPolicy, expectedWrite } from "./ladderModel.ts"
import { doorAnswer, type Row, type Target, mayTouch } from "./model.ts"

const subject = fc.constantFrom("entity" as const, "document" as const, "event" as const, "workspace" as const)
const action = fc.constantFrom("read" as const, "create" as const, "update" as const, "delete" as const)
const change = fc.constantFrom("create" as const, "update" as const, "delete" as const)
const scope = fc.constantFrom(
  "hub-protocol.read" as const,
  "hub-protocol.write" as const,
  "mcp.read" as const,
  "mcp.write" as const,
  "chat.stream" as const
)
const door: fc.Arbitrary<Doors.Door> = fc.oneof(
  fc.constant(Doors.signedIn),
  scope.map(Doors.self),
  fc.tuple(scope, subject).map((of) => Doors.rows(...of)),
  scope.map(Doors.fullGrant),
  scope.map(Doors.fullGrantInSpaces),
  fc.tuple(scope, fc.tuple(subject, subject)).map((of) => Doors.everyKind(...of)),
  fc.tuple(scope, fc.tuple(subject, subject)).map((of) => Doors.everyKind(...of, { isRowBounded: true })),
  fc.tuple(scope, subject, fc.tuple(action, action)).map((of) => Doors.writes(...of)),
  fc
    .tuple(scope, subject, fc.tuple(action), fc.tuple(subject, subject))
    .map(([asked, of, actions, read]) =>
      Doors.writesAndReads(Doors.writes(asked, of, actions), Doors.everyKind(asked, read))
    ),
  fc
    .tuple(scope, fc.tuple(action), fc.constantFrom(...kinds))
    .map(([asked, actions, kind]) => Doors.writes(asked, "entity", actions, kind))
)

const often = { fastCheck: { numRuns: 3_000 } }

describe("the pod and the test model of its access rules make the same decisions", () => {
  it.prop(
    "the pod and the test model of its access rules make the same decision for every form of access that an operation can require",
    [door, credential, somebody],
    ([asked, key, who]) => {
      const expected = doorAnswer("rest", asked, key)
      const refusal = doorRefusal(principalOf(key, who), asked)
      assert.strictEqual(refusal?.code, expected.passes ? undefined : expected.reason)
    },
    often
  )

  it.prop(
    "for records of every type, the pod and the test model of its access rules allow the same reads and changes",
    [credential, somebody, rows, action],
    ([key, who, all, verb]) => {
      // Every case tests every subject, so the rules about one subject are tested in every case.
      for (const of of Doors.subjects) {
        const bounds = boundsFor(principalOf(key, who), of, verb)
        const isWithin = (row: Row) =>
          bounds.spaces.includes(row.spaceId) &&
          (bounds.kinds === null || bounds.kinds.includes(row.kind)) &&
          (bounds.objects === null || bounds.objects.includes(row.id)) &&
          (bounds.projects === null || row.projectIds.some((project) => bounds.projects!.includes(project)))
        assert.deepStrictEqual(
          all.filter(isWithin).map(({ id }) => id),
          all.filter((row) => mayTouch(key, who, verb, row, of)).map(({ id }) => id),
          of
        )
      }
    },
    often
  )

  const target: fc.Arbitrary<Target> = fc.record({
    id: fc.constant(null),
    spaceId: fc.constantFrom(...spaces),
    kind: fc.constantFrom(...kinds),
    // Filing a record in a project is a second write, which the gate decides about separately. visibility.test.ts tests
    // it.
    projectIds: fc.constant([])
  })

  it.prop(
    "the governance gate and the test model of the access rules make the same decisions about writes of existing and new records",
    [
      credential,
      somebody,
      fc.oneof(
        target,
        rows.map(([row]) => row)
      ),
      change,
      policy
    ],
    ([key, who, about, verb, given]) => {
      fc.pre((verb === "create") === (about.id === null))
      const known = given ?? defaultPolicy(who, about.spaceId)
      const expected = expectedWrite(key, who, verb, about, known)
      fc.pre(expected !== "absent")
      const write = { subject: "entity", action: verb, target: about, showsRecord: verb === "update" }
      const { rung, verdict } = decided(key, who, write, known)
      const heard = { allow: "allowed", propose: "proposed", deny: { refused: refusalCodes[rung] } }[verdict]
      assert.deepStrictEqual(heard, expected)
    },
    often
  )
})
