/**
 * Checks the house rules on the sources. For each rule, a test also breaks the rule once, to prove that the check
 * notices it.
 */
import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { exceptions, longForAReason } from "./houseExceptions.ts"
import { type Files, findings, longFiles, ruleNames, unexcused } from "./support/houseRules.ts"
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

const sentence = "/** Says what it is for. */\n"
const table = "-- One table.\nALTER TABLE things ENABLE ROW LEVEL SECURITY;\n"
const frames =
  'import { authorizedRead, authorizedWriteWithoutEvent } from "../../doors/Authority.ts"\nimport { authorizedWrite } from "../events/AppendEvent.ts"\n'
const framed = (statement: string) => `${sentence}${frames}export const layer = ${statement}\n`
const authorizedRead = 'authorizedRead(sql, ({ within }) => sql`SELECT 1 FROM things thing WHERE ${within("thing")}`)'
const authorizedWrite =
  'authorizedWrite(sql, ({ within }) => ({ found: sql`SELECT 1 FROM things thing WHERE ${within("thing")}`, ' +
  "changed: sql`UPDATE things thing SET a = 1 FROM found WHERE thing.id = found.id`, " +
  "after: [sql`kept AS (INSERT INTO things SELECT changed.id FROM changed)`] }))"
const withoutEvent =
  "authorizedWriteWithoutEvent(sql, () => ({ changed: sql`SELECT 1 FROM things WHERE id = ANY (authority.spaces)` }))"

/** A small repository that breaks no rule. */
const inOrder = {
  "migrations/0001_things.sql": table,
  "src/main.ts": `${sentence}import "./ConfiguredPod.ts"\n`,
  "src/ConfiguredPod.ts": `${sentence}import "./Pod.ts"\n`,
  "src/Pod.ts": `${sentence}import { stores } from "./Stores.ts"\n`,
  "src/Stores.ts": `${sentence}import * as ThingSql from "./features/things/ThingSql.ts"\n`,
  "src/platform/Clock.ts": `${sentence}export const now = 1 // not from "../doors/Door.ts"\n`,
  "src/doors/Door.ts": `${sentence}import { now } from "../platform/Clock.ts"\n`,
  "src/features/things/Thing.ts": `${sentence}export const name = "any"\n`,
  "src/features/things/Things.ts": `${sentence}export class Things extends Context.Tag("Things")() {}\n`,
  "src/features/things/ThingStore.ts": sentence,
  "src/features/things/ThingSql.ts": framed(`[${authorizedRead}, ${authorizedWrite}, ${withoutEvent}]`),
  "src/features/things/ThingApi.ts": `${sentence}import { name } from "./Thing.ts"\nimport "../../doors/Door.ts"\n`,
  "src/features/things/ThingHandlers.ts": `${sentence}import { Things } from "./Things.ts"\n`,
  "src/features/others/Others.ts": `${sentence}import { Things } from "../things/Things.ts"\n`,
  "src/surfaces/Rest.ts": `${sentence}import { door } from "../doors/Door.ts"\n`,
  "src/console/Note.tsx": `${sentence}export const Note = () => <p>It was made, and it is kept.</p>\n`,
  "test/thing.test.ts": `${sentence}const text = "setTimeout( held, " // setTimeout( told = 1\nconst made = text\n`
}

const anImport = (from: string) => `${sentence}import { it } from "${from}"\n`

/** Joins the parts of a text that breaks a rule. In one piece, this text would make the rule report this file. */
const apart = (...parts: ReadonlyArray<string>) => `${parts.join("")}\n`

/** For each rule, files that break that rule and no other. */
const broken: Readonly<Record<string, ReadonlyArray<Readonly<Record<string, string>>>>> = {
  "a file imports only from its own folder or from a folder later in this list: surfaces, features, doors, backups, transfer, platform":
    [
      { "src/platform/Clock.ts": anImport("../transfer/Export.ts") },
      { "src/transfer/Export.ts": anImport("../backups/Backup.ts") },
      { "src/backups/Backup.ts": anImport("../doors/Door.ts") },
      { "src/platform/Clock.ts": anImport("../doors/Door.ts") },
      { "src/doors/Door.ts": anImport("../features/things/Thing.ts") },
      { "src/features/things/Things.ts": anImport("../../surfaces/Rest.ts") },
      { "src/doors/Door.ts": `${sentence}const later = () => import("../surfaces/Rest.ts")\n` },
      { "src/doors/Door.ts": `${sentence}import type {\n  A\n} from "../surfaces/Rest.ts"\n` }
    ],
  "only `ConfiguredPod.ts` imports `Pod.ts`, and only `podProgram.ts` imports `main.ts`": [
    { "src/Serve.ts": anImport("./Pod.ts") },
    { "src/Serve.ts": anImport("./main.ts") },
    { "src/main.ts": anImport("./Pod.ts") }
  ],
  "only `Pod.ts` and `Stores.ts` import database adapters": [
    { "src/features/things/Things.ts": anImport("./ThingSql.ts") },
    { "src/features/things/OtherSql.ts": anImport("./ThingSql.ts") },
    { "src/Serve.ts": anImport("./Stores.ts") }
  ],
  "a feature imports only the service or the record of another feature": [
    { "src/features/others/Others.ts": anImport("../things/ThingStore.ts") },
    { "src/features/others/Others.ts": anImport("../things/ThingApi.ts") },
    { "src/features/others/Others.ts": anImport("../things/ThingHandlers.ts") }
  ],
  "a file with handlers imports the service of its feature and not the store": [
    { "src/features/things/ThingHandlers.ts": anImport("./ThingStore.ts") }
  ],
  "a file with declarations imports no implementation": [
    { "src/features/things/ThingApi.ts": anImport("./ThingHandlers.ts") },
    { "src/features/things/ThingRpc.ts": anImport("./Things.ts") },
    { "src/features/things/ThingTools.ts": anImport("../../platform/Clock.ts") }
  ],
  "a surface imports no handlers and no stores": [
    { "src/surfaces/Rest.ts": anImport("../features/things/ThingStore.ts") }
  ],
  "features do not import each other in a cycle": [
    { "src/features/things/Things.ts": anImport("../others/Others.ts") }
  ],
  "only files that may contain SQL, such as `ThingSql.ts`, contain SQL": [
    { "src/features/things/Things.ts": `${sentence}const one = sql\`count(*)\`\n` },
    { "src/features/things/Things.ts": `${sentence}const one = query("SELECT 1 FROM things")\n` },
    { "src/surfaces/Rest.ts": `${sentence}const one = query(\`  DELETE FROM things\`)\n` }
  ],
  "an SQL statement on a table with row-level security has the authority prefix": [
    { "src/features/things/ThingSql.ts": `${sentence}const one = sql\`SELECT 1 FROM things\`\n` },
    { "src/features/things/ThingSql.ts": `${sentence}const one = sql<{ a: "b" }>\`\n  UPDATE things SET a = 1\`\n` },
    { "src/features/things/ThingSql.ts": `${sentence}const one = pick(\`\${sql\`DELETE FROM things\`}\`)\n` },
    {
      "src/features/things/ThingSql.ts": framed(`[${authorizedRead}, sql\`SELECT 1 FROM things WHERE \${within()}\`]`)
    },
    { "src/features/things/ThingSql.ts": `${sentence}const one = ${authorizedRead}\n` },
    { "src/features/things/ThingSql.ts": framed(`${authorizedRead}\nfunction authorizedRead(sql, make) {}`) }
  ],
  "only the frames in `doors/Authority.ts` write the authority prefix": [
    { "src/features/things/ThingSql.ts": framed(authorizedRead.replace("SELECT", "WITH authority AS ()")) },
    { "src/features/things/ThingSql.ts": `${sentence}const one = "with authority as (select 1)"\n` }
  ],
  "an SQL statement on a table with row-level security limits its rows to the reach of the caller": [
    { "src/features/things/ThingSql.ts": framed(authorizedRead.replace('${within("thing")}', "true")) },
    { "src/features/things/ThingSql.ts": framed(authorizedRead.replace('${within("thing")}', '${own("thing")}')) },
    { "src/features/things/ThingSql.ts": framed(authorizedWrite.replace('${within("thing")}', "true")) },
    { "src/features/things/ThingSql.ts": framed(authorizedWrite.replace("FROM found", "")) },
    { "src/features/things/ThingSql.ts": framed(authorizedWrite.replace("FROM changed", "")) },
    { "src/features/things/ThingSql.ts": framed(withoutEvent.replace("authority.spaces", "spaces")) }
  ],
  "an SQL statement that writes a table with row-level security needs a decision of the gate": [
    { "src/features/things/ThingSql.ts": framed(authorizedRead.replace("FROM things thing", "FROM (UPDATE things)")) },
    { "src/features/things/ThingSql.ts": framed(withoutEvent.replace("SELECT 1 FROM", "DELETE FROM")) }
  ],
  "only the code of the gate makes a decision of the gate": [
    { "src/features/things/Things.ts": `${sentence}const word = Passed.byGate(decision, [])\n` }
  ],
  "a file begins with a comment that contains a sentence": [
    { "src/doors/Door.ts": "export const door = 1\n" },
    { "test/thing.test.ts": "/** no end */\n" },
    { "src/doors/Door.ts": "// A sentence that no tool shows.\n" }
  ],
  "a file has no more than 600 lines": [{ "src/doors/Door.ts": sentence + "\n".repeat(600) }],
  "`HubApi.ts`, `Procedures.ts` and `Tools.ts` name each feature once": [
    {
      "src/Procedures.ts": `${sentence}import { AProcedures } from "./features/a/ARpc.ts"\nexport const Procedures = AProcedures.merge(\n  BProcedures,\n  AProcedures\n)\n`
    },
    { "src/HubApi.ts": `${sentence}export const HubApi = HttpApi.make("pod").add(ThingApi).add(ThingApi)\n` },
    { "src/Tools.ts": `${sentence}export const Tools = [...ThingTools, ...OtherTools, ...ThingTools]\n` }
  ],
  "a file name is unique": [{ "src/features/others/Thing.ts": sentence }],
  "a file has a specific name, and not a name such as `utils` or `common`": [
    { "src/doors/utils.ts": sentence },
    { "src/doors/DoorManager.ts": sentence },
    { "test/support/common.ts": sentence },
    { "src/doors/index.ts": sentence }
  ],
  "a declared name says what the thing is, and is not a word such as `held` or `told`": [
    { "src/features/things/Thing.ts": `${sentence}export const held = 1\n` },
    { "src/features/things/Thing.ts": `${sentence}export interface Told {}\n` },
    { "src/features/things/Thing.ts": `${sentence}export const one = (told: string) => 1\n` },
    { "src/features/things/Thing.ts": `${sentence}export const one = ({ said }) => 1\n` },
    { "src/features/things/Thing.ts": `${sentence}export class One {\n  #held = 1\n}\n` },
    { "src/features/things/Thing.ts": `${sentence}export interface One {\n  readonly turned?: string\n}\n` },
    { "src/console/Thing.tsx": `${sentence}export const one = [{ a: 1 }].map(({ a: said }) => <p>is held</p>)\n` },
    { "test/thing.test.ts": `${sentence}for (const [one, held] of all) run(one)\n` },
    { "src/features/things/Thing.ts": `${sentence}export const made = 1\n` },
    { "src/features/things/Thing.ts": `${sentence}export interface Found {}\n` },
    { "src/features/things/Thing.ts": `${sentence}export const one = (a: string, asked?: string) => 1\n` },
    { "src/features/things/Thing.ts": `${sentence}export const one = ({ a, ...kept }) => 1\n` },
    { "src/features/things/Thing.ts": `${sentence}export interface One {\n  a: string\n  wanted: string\n}\n` },
    { "src/console/Thing.tsx": `${sentence}export const one = (taken: string) => <p>{taken}</p>\n` },
    { "src/console/Thing.tsx": `${sentence}const [stated, setStated] = useState("")\n` }
  ],
  "a test waits for events and not for time": [
    { "test/thing.test.ts": sentence + apart("set", "Timeout(done, 100)") },
    { "test/thing.test.ts": sentence + apart("yield* Effect.", "sleep(1)") },
    { "test/thing.test.ts": anImport("node:timers/promises") }
  ],
  "source code parses addresses only with `parsedUrl`": [
    { "src/features/things/Thing.ts": `${sentence}const isAddress = URL.canParse(text)\n` }
  ],
  "only the schema `Id` decodes ids, because `Id` changes an id to lower case": [
    { "src/features/things/Thing.ts": `${sentence}const Thing = Schema.Struct({ id: Schema.UUID })\n` }
  ],
  "the SQL of a listing has no `IS NULL OR` in its condition on the cursor": [
    {
      "src/features/things/ThingSql.ts": `${sentence}const page = sql\`WHERE (\${after}::uuid IS NULL OR thing.id < \${after}::uuid)\`\n`
    },
    { "src/features/things/ThingSql.ts": `${sentence}const page = sql\`(\${after} IS NULL OR \${id} > \${after})\`\n` }
  ],
  "no function makes a trace span at each call": [
    { "src/features/things/Things.ts": `${sentence}const one = Effect.fn("Things.one")(function* () {})\n` },
    { "src/doors/Door.ts": `${sentence}const one = Effect.fn(function* () {})\n` }
  ],
  "doors, surfaces and writes of records do not use `Effect.provide` around a call": [
    { "src/doors/Door.ts": `${sentence}const one = two.pipe(Effect.provideService(Reach, reach))\n` },
    { "src/surfaces/Rest.ts": `${sentence}const one = Effect.provide(two, services)\n` },
    { "src/features/gate/Reference.ts": `${sentence}const one = Effect.provideService(two, Reach, reach)\n` }
  ],
  "the code of features does not use the type `any`": [
    { "src/features/things/Thing.ts": `${sentence}const one = two as any\n` },
    { "src/features/things/Thing.ts": `${sentence}const one: Array<any> = []\n` }
  ],
  "no file contains a path that exists on one machine only": [
    { "src/doors/Door.ts": sentence + apart('const folder = "/', 'tmp/things"') },
    { "README.md": apart("See /", "work/notes.") },
    { "docs/start.md": apart("cd /", "home/somebody") }
  ]
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
