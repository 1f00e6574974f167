/** Which candidates match an identity query, which do not, and the rules that hold for every query. */
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import {
  type IdentityCandidate,
  type IdentityMatch,
  matchIdentity,
  sameNameKey,
  signalsOf
} from "../../../src/features/identity/ResolveIdentity.ts"

const aCandidate = (given: Partial<IdentityCandidate> = {}): IdentityCandidate => ({
  id: "one",
  profileSlug: "person",
  title: "Ann Example",
  properties: {},
  ...given
})

describe("identity look-ups that match no single entity", () => {
  it("an identity look-up finds no entity if it contains neither a name nor an identifying value, or if there are no candidates", () => {
    const none: IdentityMatch = { match: "none", entityId: null, candidates: [] }
    assert.deepStrictEqual(matchIdentity({ signals: [] }, [aCandidate({ title: "" })]), none)
    assert.deepStrictEqual(
      matchIdentity({ kindSlug: "person", title: " ", signals: [] }, [aCandidate({ title: "" })]),
      none
    )
    assert.deepStrictEqual(matchIdentity({ title: "Ann Example", signals: signalsOf({ email: "a@b.org" }) }, []), none)
  })

  it("an identity look-up for one profile does not match a candidate that has the same name but another profile", () => {
    const query = { kindSlug: "company", title: "Ann Example", signals: [] }
    assert.strictEqual(matchIdentity(query, [aCandidate()]).match, "none")
  })

  it("an identity look-up by the property `twitter` does not match a candidate that has the same value in another property, such as `github`", () => {
    const signals = signalsOf({ twitter: "ann" })
    assert.strictEqual(matchIdentity({ signals }, [aCandidate({ properties: { github: "ann" } })]).match, "none")
  })

  it("if two candidates match an identity look-up equally well, the answer contains both candidates and chooses neither", () => {
    const both = ["one", "two"].map((id) => aCandidate({ id, properties: { email: "ann@example.org" } }))
    const found = matchIdentity({ signals: signalsOf({ email: "ann@example.org" }) }, both)
    assert.strictEqual(found.match, "strong")
    assert.isNull(found.entityId)
    assert.deepStrictEqual(
      found.candidates.map(({ entityId }) => entityId),
      ["one", "two"]
    )
    const named = matchIdentity({ kindSlug: "person", title: "ann example", signals: [] }, both)
    assert.deepStrictEqual([named.match, named.entityId, named.candidates.length], ["weak", null, 2])
  })
})

describe("identity look-ups that match an entity", () => {
  for (const [name, asked, kept] of [
    ["email", "ANN@example.org", "ann@example.org"],
    ["phone", "0049 30 1234567", "+49 (30) 123 45 67"],
    ["url", "www.example.org", "https://example.org/"],
    ["twitter", "@ann", "https://x.com/Ann"],
    ["github", "Ann", "ann"],
    ["externalId", "7", 7]
  ] as const) {
    it(`a candidate with the same value of “${name}” is a strong match for an identity look-up, even with another name and profile`, () => {
      const query = { kindSlug: "person", title: "Somebody Else", signals: signalsOf({ [name]: asked }) }
      const candidate = aCandidate({ profileSlug: "company", properties: { [name]: kept } })
      assert.deepStrictEqual(matchIdentity(query, [candidate]), {
        match: "strong",
        entityId: "one",
        candidates: [{ entityId: "one", title: "Ann Example", profileSlug: "company", match: "strong", on: [name] }]
      })
    })
  }

  it("a candidate with the same name is a weak match for an identity look-up that contains the candidate's profile or no profile", () => {
    for (const kindSlug of ["person", undefined]) {
      assert.deepStrictEqual(matchIdentity({ kindSlug, title: " ÁNN  example", signals: [] }, [aCandidate()]), {
        match: "weak",
        entityId: "one",
        candidates: [{ entityId: "one", title: "Ann Example", profileSlug: "person", match: "weak", on: ["title"] }]
      })
    }
  })

  it("an identity look-up sorts the candidates by the match strength, then by whether they have the requested profile, and then by the number of matching values", () => {
    const email = "ann@example.org"
    const candidates = [
      aCandidate({ id: "weak" }),
      aCandidate({ id: "other kind", profileSlug: "company", properties: { email, phone: "+49 30 1234567" } }),
      aCandidate({ id: "strong", title: "A. Example", properties: { email } }),
      aCandidate({ id: "best", properties: { email } }),
      aCandidate({ id: "nobody", title: "Bob" })
    ]
    const signals = signalsOf({ email, phone: "+49301234567" })
    const found = matchIdentity({ kindSlug: "person", title: "Ann Example", signals }, candidates)
    assert.strictEqual(found.entityId, "best")
    assert.deepStrictEqual(
      found.candidates.map(({ entityId, match, on }) => [entityId, match, on]),
      [
        ["best", "strong", ["email", "title"]],
        ["strong", "strong", ["email"]],
        ["other kind", "strong", ["email", "phone"]],
        ["weak", "weak", ["title"]]
      ]
    )
  })

  it("if the search for an identity gets the same candidate twice, its answer lists this candidate once", () => {
    const found = matchIdentity({ title: "Ann Example", signals: [] }, [aCandidate(), aCandidate()])
    assert.deepStrictEqual([found.entityId, found.candidates.length], ["one", 1])
  })
})

const candidate: fc.Arbitrary<IdentityCandidate> = fc.record({
  id: fc.constantFrom("1", "2", "3", "4", "5", "6"),
  profileSlug: fc.constantFrom("person", "company"),
  title: fc.constantFrom("Ann", "ann", "Bob", ""),
  properties: fc.record(
    {
      email: fc.constantFrom("a@b.org", "A@b.org", "c@b.org", "n/a"),
      phone: fc.constantFrom("+49 30 1234567", "+49301234567", "110"),
      github: fc.constantFrom("ann", "@Ann", "bob")
    },
    { requiredKeys: [] }
  )
})
const candidates = fc.uniqueArray(candidate, { selector: ({ id }) => id })
const query = fc
  .tuple(candidate, fc.constantFrom("person", "company", undefined), fc.boolean())
  .map(([{ properties, title }, kindSlug, isNamed]) => ({
    kindSlug,
    title: isNamed ? title : undefined,
    signals: signalsOf(properties)
  }))

describe("rules that hold for every identity look-up", () => {
  it.prop(
    "the order of the candidates does not change which entity an identity look-up finds",
    [query, candidates.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })))],
    ([asked, [all, shuffled]]) => {
      assert.deepStrictEqual(matchIdentity(asked, shuffled), matchIdentity(asked, all))
    }
  )

  it.prop(
    "if an identity look-up chooses a candidate, the answer begins with this candidate and has the match strength of this candidate",
    [query, candidates],
    ([asked, all]) => {
      const { candidates: named, entityId, match } = matchIdentity(asked, all)
      assert.strictEqual(named[0]?.match ?? "none", match)
      if (entityId !== null) assert.strictEqual(named[0]?.entityId, entityId)
      if (named.length === 1) assert.isNotNull(entityId)
      const lastStrong = named.findLastIndex((one) => one.match === "strong")
      assert.isTrue(named.slice(0, lastStrong + 1).every((one) => one.match === "strong"))
    }
  )

  it.prop(
    "candidates that do not match do not change the answer of an identity look-up",
    [query, candidates],
    ([asked, all]) => {
      const found = matchIdentity(asked, all)
      const named = all.filter(({ id }) => found.candidates.some(({ entityId }) => entityId === id))
      assert.deepStrictEqual(matchIdentity(asked, named), found)
    }
  )

  it.prop(
    "an identity look-up with the name, the profile and the e-mail address or other identifying values of an entity finds this entity",
    [candidate],
    ([one]) => {
      fc.pre(sameNameKey(one.title) !== "" || signalsOf(one.properties).length > 0)
      const asked = { kindSlug: one.profileSlug, title: one.title, signals: signalsOf(one.properties) }
      assert.strictEqual(matchIdentity(asked, [one]).entityId, one.id)
    }
  )
})
