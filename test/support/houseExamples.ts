/**
 * Examples for the check of the house rules: a small repository that breaks no rule, and for each rule files that break it.
 */
export const sentence = "/** Says what it is for. */\n"
const table =
  "-- One table.\nCREATE TABLE things (\n  id uuid NOT NULL,\n  a text NOT NULL\n);\nALTER TABLE things ENABLE ROW LEVEL SECURITY;\n"
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
export const inOrder = {
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
export const broken: Readonly<Record<string, ReadonlyArray<Readonly<Record<string, string>>>>> = {
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
  'an SQL statement that sorts by a text column names the order `COLLATE "C"`': [
    { "src/features/things/ThingSql.ts": framed(authorizedRead.replace("`)", " ORDER BY thing.a DESC, thing.id`)")) },
    { "src/features/things/ThingSql.ts": framed(authorizedRead.replace("1", "array_agg(id ORDER BY a) ")) }
  ],
  "an SQL statement with a `LIMIT` sorts its rows, and its order ends with an id or another unique column": [
    { "src/features/things/ThingSql.ts": framed(authorizedRead.replace("1", "id").replace("`)", " LIMIT 1`)")) },
    {
      "src/features/things/ThingSql.ts": framed(
        authorizedRead.replace("1", "id").replace("`)", " ORDER BY thing.at LIMIT ${limit}`)")
      )
    },
    {
      "src/features/things/ThingSql.ts": framed(
        authorizedRead
          .replace("1", "id FROM (SELECT id FROM others LIMIT 9) other JOIN")
          .replace("`)", " ORDER BY id LIMIT 9`)")
      )
    }
  ],
  "a text that becomes a part of an SQL statement is written with `textLiteral`": [
    { "src/features/things/ThingSql.ts": `${sentence}const live = sql.literal(\`thing.state = '\${state}'\`)\n` }
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
  "features call other servers by `guardedFetch` or `outboundCalls`": [
    { "src/features/things/Things.ts": `${sentence}export const answer = await fetch(address)\n` }
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
