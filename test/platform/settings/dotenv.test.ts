/** Tests how the pod reads a `.env` file and the texts of boolean settings, and how it compares similar names. */
import { assert, describe, it } from "@effect/vitest"
import { Option, Schema } from "effect"
import fc from "fast-check"
import { parseDotenv } from "../../../src/platform/settings/Dotenv.ts"
import { trueOrFalse } from "../../../src/platform/settings/SettingText.ts"
import { editDistance } from "../../../src/shared/editDistance.ts"

const valueOf = (line: string) => parseDotenv(line).entries[0]?.value

describe("reading the file .env", () => {
  it("a line of .env that is neither an assignment nor a comment is reported with its line number", () => {
    const { entries, mistakes } = parseDotenv("A=1\nnot an assignment\n\n2B=1\n")
    assert.deepStrictEqual(entries, [{ name: "A", value: "1", line: 1 }])
    assert.deepStrictEqual(
      mistakes.map(({ line }) => line),
      [2, 4]
    )
  })

  it.each(['A="open', "A='open", 'A="closed" and more', "A='it's'"])(
    "the line %s of .env is refused, because its value begins with a quote but does not end with the closing quote",
    (line) => {
      assert.strictEqual(parseDotenv(line).mistakes[0]?.name, "A")
    }
  )

  it.each([
    ["A=plain", "plain"],
    ["  export A = spaced  ", "spaced"],
    ["A=with # comment", "with"],
    ["A=pass#word", "pass#word"],
    ["A=# only a comment", ""],
    ["A=", ""],
    ["A=a=b", "a=b"],
    ['A=say "hi"', 'say "hi"'],
    ["A='single # \\n kept' # comment", "single # \\n kept"],
    ['A="double # \\n\\t\\"\\\\ read" # comment', 'double # \n\t"\\ read'],
    ['A="\\d $HOME"', "\\d $HOME"]
  ])("the line %s of .env is read as the value %s", (line, value) => {
    assert.strictEqual(valueOf(line), value)
  })

  it("the kind of line ends and a byte order mark do not change how the pod reads .env", () => {
    assert.deepStrictEqual(parseDotenv("\uFEFFA=1\r\nB='2'\r\n").entries, [
      { name: "A", value: "1", line: 1 },
      { name: "B", value: "2", line: 2 }
    ])
  })

  it.prop("a text in double quotes in .env is read unchanged", [fc.string({ unit: "binary" })], ([value]) => {
    const written = value
      .replaceAll("\\", "\\\\")
      .replaceAll('"', '\\"')
      .replaceAll("\n", "\\n")
      .replaceAll("\r", "\\r")
    assert.strictEqual(valueOf(`A="${written}"`), value)
  })
})

describe("reading settings from texts", () => {
  it("only the texts `true`, `false`, `1` and `0` are read as the boolean value of a setting", () => {
    const read = Schema.decodeOption(trueOrFalse)
    for (const text of ["yes", "on", "", "2", "truthy"]) assert.deepStrictEqual(read(text), Option.none())
    assert.deepStrictEqual(
      ["true", "1", "False", "0"].map((text) => read(text)),
      [true, true, false, false].map((value) => Option.some(value))
    )
  })

  it.prop(
    "the edit distance of two texts is the same in both orders, and is zero only for equal texts",
    [fc.string(), fc.string()],
    ([left, right]) => {
      assert.strictEqual(editDistance(left, right), editDistance(right, left))
      assert.strictEqual(editDistance(left, right) === 0, left === right)
    }
  )

  it("the edit distance of two texts counts two exchanged neighbouring letters as one edit", () => {
    assert.strictEqual(editDistance("POD_PROT", "POD_PORT"), 1)
    assert.strictEqual(editDistance("kitten", "sitting"), 3)
  })
})
