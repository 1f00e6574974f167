/**
 * Which values cannot identify an entity, and which titles do not count as names. Also how the pod normalizes identity
 * signals and names before it compares them.
 */
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import {
  isPlaceholderTitle,
  sameNameKey,
  type SignalName,
  signalNames,
  signalsOf
} from "../../../src/features/identity/ResolveIdentity.ts"

const valuesOf = (name: string, value: unknown) => signalsOf({ [name]: value }).map((signal) => signal.value)

describe("values that identify no entity", () => {
  const none: ReadonlyArray<readonly [name: SignalName, values: ReadonlyArray<unknown>]> = [
    ["email", ["n/a", "none", "", "  ", "ann", "ann@", null, {}, true, [null]]],
    ["phone", ["110", "12345", "0000000000", "unknown", "call me", 12, 1.5, "-"]],
    [
      "url",
      ["n/a", "localhost", "ftp://example.org", "mailto:ann@example.org", "ann@example.org", "not a url", "https://"]
    ],
    [
      "twitter",
      ["@", "-", "https://example.org/ann", "https://twitter.com", "twitter.com", "ann/example", "a".repeat(65)]
    ],
    ["github", ["none", "https://github.com/ann/repository", "two words"]],
    ["externalId", ["", "null", "undefined", "N/A", "x".repeat(2049)]]
  ]
  for (const [name, values] of none) {
    for (const value of values) {
      it(`the value ${JSON.stringify(value).slice(0, 40)} of the property “${name}” does not identify an entity`, () => {
        assert.deepStrictEqual(valuesOf(name, value), [])
      })
    }
  }

  it("a property is used to identify an entity only if it has a known name, such as `email` or `phone`", () => {
    assert.deepStrictEqual(signalsOf({ mail: "ann@example.org", website: "example.org", constructor: "x" }), [])
  })
})

describe("the normalized form of a value that identifies an entity", () => {
  const same: ReadonlyArray<readonly [name: SignalName, form: string, values: ReadonlyArray<unknown>]> = [
    ["email", "ann@example.org", ["ann@example.org", " Ann@Example.ORG ", "mailto:ann@example.org"]],
    ["phone", "+491511234567", ["+49 151 1234567", "+49 (151) 123-45.67", "0049 151 1234567", "tel:+491511234567"]],
    ["phone", "0301234567", ["030/1234567", "030 123 4567"]],
    ["phone", "+15550109999x12", ["+1 555 010 9999 ext. 12", "+1-555-010-9999 x12"]],
    [
      "url",
      "example.org",
      [
        "https://example.org",
        "http://www.example.org/",
        "EXAMPLE.org",
        "https://example.org:443/?utm_source=a#b",
        "www.example.org//"
      ]
    ],
    ["url", "example.org/Ann", ["https://example.org/Ann/", "example.org/Ann?utm_source=x"]],
    ["url", "www.org", ["https://www.org"]],
    ["url", "example.org/p?a=x%20y&id=1", ["https://example.org/p?id=1&a=x+y", "example.org/p/?a=x%20y&gclid=z&id=1"]],
    ["url", "example.org/p?id=2", ["https://www.example.org/p?id=2#top"]],
    [
      "twitter",
      "ann_e",
      ["@Ann_E", "ann_e", "https://twitter.com/ann_e", "x.com/@Ann_E/", "https://www.twitter.com/ann_e?s=20"]
    ],
    ["github", "ann-e", ["ann-e", "@Ann-E", "https://github.com/ann-e/"]],
    ["externalId", "A-1", ["A-1", " A-1 "]],
    ["externalId", "42", [42, "42"]]
  ]
  for (const [name, form, values] of same) {
    for (const value of values) {
      it(`to compare entities, the pod changes the value ${JSON.stringify(value)} of the property “${name}” to the form “${form}”`, () => {
        assert.deepStrictEqual(signalsOf({ [name]: value }), [{ name, value: form }])
      })
    }
  }

  it("each value in a list identifies an entity separately, whatever the letter case and the separators in the name of the property are", () => {
    assert.deepStrictEqual(
      signalsOf({ Email: ["B@b.org", "a@b.org", "b@b.org"], external_id: "1", "external-id": "2", githuB: "@ann" }),
      [
        { name: "email", value: "a@b.org" },
        { name: "email", value: "b@b.org" },
        { name: "externalId", value: "1" },
        { name: "externalId", value: "2" },
        { name: "github", value: "ann" }
      ]
    )
  })

  it("two external ids that differ only in letter case identify different entities", () => {
    assert.notDeepEqual(valuesOf("externalId", "aB"), valuesOf("externalId", "Ab"))
  })

  it.prop(
    "normalizing an identifying value, such as an e-mail address, twice gives the same result as normalizing it once",
    [
      fc.constantFrom(...signalNames),
      fc.oneof(fc.emailAddress(), fc.webUrl(), fc.string(), fc.stringMatching(/^\+?[\d ()x-]{5,20}$/))
    ],
    ([name, given]) => {
      const signals = signalsOf({ [name]: given })
      fc.pre(signals.length > 0)
      assert.deepStrictEqual(signalsOf({ [name]: signals.map(({ value }) => value) }), signals)
    },
    { fastCheck: { numRuns: 1_000 } }
  )
})

describe("names that the pod treats as the same name", () => {
  const same = [
    ["Ann Example", "  ann\t EXAMPLE "],
    ["José Núñez", "Jose\u0301 Nun\u0303ez", "JOSE NUNEZ"],
    ["Straße", "STRASSE"],
    ["ΟΔΟΣ", "οδος", "οδοσ"],
    ["İstanbul", "istanbul"],
    ["Acme\u00a0Inc", "Acme Inc", "Ac\u00adme Inc", "\u200bAcme Inc\ufeff"],
    ["ﬁrst", "first"],
    ["がっこう", "か\u3099っこう"]
  ]
  for (const names of same) {
    it(`the pod treats these names as the same name: ${names.join(" · ")}`, () => {
      assert.strictEqual(new Set(names.map(sameNameKey)).size, 1)
    })
  }

  it("the pod does not treat names that differ in letters or symbols as the same name", () => {
    for (const [one, other] of [
      ["か", "が"],
      ["कि", "की"],
      ["C", "C++"],
      ["Anna", "Hanna"],
      ["A B", "AB"]
    ] as const) {
      assert.notStrictEqual(sameNameKey(one), sameNameKey(other))
    }
  })

  it.prop(
    "converting a name twice to the form in which names are compared gives the same result as converting it once",
    [fc.fullUnicodeString()],
    ([title]) => {
      assert.strictEqual(sameNameKey(sameNameKey(title)), sameNameKey(title))
    }
  )

  // Faster code handles a text of only ASCII characters. The test adds an invisible character, so that the code for all
  // texts runs.
  it.prop(
    "the fast code for ASCII names returns the same form for comparison as the code for all names",
    [fc.string()],
    ([name]) => {
      assert.strictEqual(sameNameKey(name), sameNameKey(`${name}\u200b`))
    }
  )
  it.prop(
    "a name of ASCII characters in upper case gets the same form for comparison as the original name",
    [fc.string()],
    ([name]) => {
      assert.strictEqual(sameNameKey(name), sameNameKey(name.toUpperCase()))
    }
  )
})

describe("placeholder titles", () => {
  const placeholders = [
    "Untitled",
    "new person",
    "New Person 2",
    "UNKNOWN",
    "(unknown)",
    "test",
    "Test 1",
    "Test company",
    "n/a"
  ]
  const more = [
    "???",
    " - ",
    "TBD",
    "a person",
    "Unnamed contact",
    "No name",
    "first name",
    "xxx",

    "new-company"
  ]
  for (const title of [...placeholders, ...more, "untitled (copy)", "Someone", "No-one", "Unknown Organisation", ""]) {
    it(`the title ${JSON.stringify(title)} is a placeholder and not the name of a person or company`, () => {
      assert.isTrue(isPlaceholderTitle(title, "person"))
      assert.isTrue(isPlaceholderTitle(title, "company"))
    })
  }

  it("a placeholder title is allowed for an entity whose profile is neither person nor company", () => {
    for (const title of placeholders)
      for (const kind of ["note", "task", "Person", "constructor"]) assert.isFalse(isPlaceholderTitle(title, kind))
  })

  for (const title of [
    "Ann Example",
    "Newman",
    "Test Rite",
    "Unknown Pleasures",
    "The Person Company",
    "Nil Ratan",
    "李",
    "3M",
    "Namé Ltd"
  ]) {
    it(`the title “${title}” is accepted as the name of a person or company`, () => {
      assert.isFalse(isPlaceholderTitle(title, "person"))
    })
  }
})
