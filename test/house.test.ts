/**
 * Checks the house rules on the sources. For each rule, a test also breaks the rule once, to prove that the check
 * notices it.
 */
import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { exceptions, longForAReason } from "./houseExceptions.ts"
import { broken, inOrder, sentence } from "./support/houseExamples.ts"
import { longFiles } from "./support/houseLength.ts"
import { type Files, findings, ruleNames, unexcused } from "./support/houseRules.ts"
import { projectRoot } from "./support/migrations.ts"

const read = (file: string) => readFileSync(projectRoot + file, "utf8")

const below = (folder: string): ReadonlyArray<string> =>
  readdirSync(projectRoot + folder, { recursive: true, encoding: "utf8" })
    .map((name) => `${folder}/${name}`)
    .filter((file) => /\.(?:tsx?|mjs|sql)$/.test(file) || (folder === "docs" && file.endsWith(".md")))
    .filter((file) => !/\/(?:out|node_modules)\//.test(file))

let house: Files | undefined

/** Returns the files of this repository. Reads them once. */
const theHouse = (): Files => {
  const top = readdirSync(projectRoot).filter((name) => name.endsWith(".md"))
  const folders = ["src", "test", "scripts", "bench", "migrations", "docs"]
  return (house ??= new Map([...top, ...folders.flatMap(below)].map((file) => [file, read(file)])))
}

describe("the rules that the source code follows", () => {
  it("the check of the house rules (rules for the source code) reports nothing in a small example repository without faults", () => {
    assert.deepStrictEqual(findings(new Map(Object.entries(inOrder))), [])
  })

  it("for each house rule (rule for the source code), the tests contain an example that breaks the rule", () => {
    assert.deepStrictEqual(Object.keys(broken).toSorted(), [...ruleNames].toSorted())
  })

  for (const [rule, cases] of Object.entries(broken)) {
    for (const [at, files] of cases.entries()) {
      it(`if source files break the house rule “${rule}”, the check reports them (example ${at + 1})`, () => {
        const found = findings(new Map(Object.entries({ ...inOrder, ...files })))
        assert.deepStrictEqual([...new Set(found.map((finding) => finding.rule))], [rule], JSON.stringify(found))
      })
    }
  }

  it("an exception from a house rule (rule for the source code) permits only the finding that it describes, and an exception that matches no finding is reported", () => {
    const files = new Map(
      Object.entries({ ...inOrder, ...broken["only `Pod.ts` and `Stores.ts` import database adapters"][0] })
    )
    const [finding] = findings(files)
    const why = "a reason"
    assert.deepStrictEqual(unexcused([finding], [{ ...finding, why }]), { broken: [], idle: [] })
    const other = { ...finding, what: "src/features/things/OtherSql.ts", why }
    assert.deepStrictEqual(unexcused([finding], [other]), { broken: [finding], idle: [other] })
  })

  it("a source file of more than 300 lines is reported with its length, unless it says why it is not split", () => {
    const long = "\n".repeat(300)
    const files = new Map([
      ["src/doors/Door.ts", `${sentence}${long}`],
      ["src/doors/Short.ts", `${sentence}${long.slice(1)}`],
      ["src/doors/Reasoned.ts", `/**\n * What it is for.\n * Long, for the table is one noun.\n */${long}`],
      ["src/doors/Excused.ts", `${sentence}${long}`],
      ["docs/page.md", long]
    ])
    const excused = [{ file: "src/doors/Excused.ts", why: "a reason" }]
    assert.deepStrictEqual(longFiles(files, excused), [{ file: "src/doors/Door.ts", lines: 301 }])
    assert.deepStrictEqual(
      findings(new Map(Object.entries({ ...inOrder, "src/doors/Long.ts": `${sentence}${long}` }))),
      []
    )
  })

  it("every source file of more than 300 lines states why it is not split, and every stated reason belongs to such a file", () => {
    // If this assertion reports a file that describes two things, split it. If the file describes only one thing, state
    // the reason for its length in the second line of its opening comment, or in test/houseExceptions.ts.
    assert.deepStrictEqual(longFiles(theHouse(), longForAReason), [])
    const long = longFiles(theHouse(), [])
    const idle = longForAReason.filter(({ file }) => long.every((one) => one.file !== file))
    assert.deepStrictEqual(idle, [])
  })

  it("this repository follows the house rules (rules for the source code), except for the listed exceptions", () => {
    assert.deepStrictEqual(unexcused(findings(theHouse()), exceptions), { broken: [], idle: [] })
  })
})

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version?: string }>>
}

describe("the installed packages", () => {
  it("exactly one copy of the package `effect` is installed, with major version 3", () => {
    // This list has the packages that npm has installed. If npm has installed two copies of a package, the list of
    // requested packages does not show the second copy.
    const { packages } = JSON.parse(read("node_modules/.package-lock.json")) as Lock
    const copies = Object.keys(packages).filter((path) => path.endsWith("node_modules/effect"))
    assert.deepStrictEqual(copies, ["node_modules/effect"])
    const { version } = JSON.parse(read("node_modules/effect/package.json")) as { readonly version: string }
    assert.match(version, /^3\./)
  })

  const { dependencies } = JSON.parse(read("package.json")) as {
    readonly dependencies: Readonly<Record<string, string>>
  }
  for (const name of Object.keys(dependencies).filter((dependency) => dependency.startsWith("@effect/"))) {
    it(`the installed package ${name} can be imported`, async () => {
      assert.isAbove(Object.keys(await import(/* @vite-ignore */ name)).length, 0)
    })
  }
})
