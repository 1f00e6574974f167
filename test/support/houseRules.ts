/**
 * The rules for the source code of this repository, called house rules. Pure functions read the sources as text, and
 * return the places that break a rule.
 */
import { posix } from "node:path"
import { readSource, type SourceText } from "./sourceText.ts"
import { vagueNamesIn } from "./houseNames.ts"
import { lengthOf, linesMax } from "./houseLength.ts"
import { limitsWithoutOrder, ordersOfTexts } from "./houseOrder.ts"
import { beginsStatement, hasOwnPrefix, mayHoldSql, touched } from "./houseSql.ts"

/** The texts of files, by their paths from the root of the repository, with forward slashes. */
export type Files = ReadonlyMap<string, string>

export interface Finding {
  readonly rule: string
  readonly file: string
  /** The import, the table or the name that breaks the rule. */
  readonly what: string
}

/** A finding that is allowed, with the reason. An exception that matches no finding is itself reported. */
export interface Exception extends Finding {
  readonly why: string
}

export interface Source extends SourceText {
  readonly file: string
  readonly text: string
  /** The files of the repository that this file imports. */
  readonly targets: ReadonlyArray<string>
}

export interface House {
  readonly files: Files
  readonly sources: ReadonlyArray<Source>
  readonly byFile: ReadonlyMap<string, Source>
}

type Rule = (house: House) => ReadonlyArray<{ readonly file: string; readonly what: string }>

// The layers of src. A file may import only from its own layer and from earlier layers. `transfer` and `backups` work
// on the whole database as its owner, so they come before the operation rules in `doors`.
const rings = ["platform", "transfer", "backups", "doors", "features", "surfaces", "seed", "root", "cli"]
const ringOf = (file: string): number =>
  /^src\/[^/]+$/.test(file) ? rings.indexOf("root") : rings.indexOf(file.split("/")[1] ?? "")
const featureOf = (file: string): string | undefined => /^src\/features\/([^/]+)\//.exec(file)?.[1]
/**
 * Returns the role of a feature file. The end of the file name tells the role. Undefined for files with records or
 * services, and for files outside features.
 */
const roleOf = (file: string): string | undefined =>
  /^src\/features\/.*(Store|Sql|Api|Rpc|Tools|Handlers)\.ts$/.exec(file)?.[1]
const inSource = ({ file }: Source) => file.startsWith("src/")
const nameOf = (file: string) => posix.basename(file)

/**
 * Returns true if `to` contains only parts of the SQL statements of `file`. This is so if `file` is an adapter of the
 * same feature, and `to` exports no layer of its own.
 */
const isPartOfStatements = ({ byFile }: House, file: string, to: string): boolean =>
  roleOf(file) === "Sql" &&
  posix.dirname(file) === posix.dirname(to) &&
  !/\bexport const layer\b/.test(byFile.get(to)?.code ?? "")

/** Makes a rule that reports each import within src for which `isWrong` is true. */
const edges =
  (isWrong: (from: Source, to: string, house: House) => boolean): Rule =>
  (house) =>
    house.sources
      .filter(inSource)
      .flatMap((from) =>
        from.targets.filter((to) => isWrong(from, to, house)).map((to) => ({ file: from.file, what: to }))
      )

/** Makes a rule that calls `found` for each source file. Each text that `found` returns is a finding. */
const each =
  (found: (source: Source, house: House) => ReadonlyArray<string>): Rule =>
  (house) =>
    house.sources.flatMap((source) => found(source, house).map((what) => ({ file: source.file, what })))

const isService = (house: House, file: string) =>
  featureOf(file) !== undefined && house.byFile.get(file)?.code.includes("Context.Tag(") === true

/** This rule reports cycles: features that import each other, directly or through other features. */
const ringsAmongFeatures: Rule = ({ sources }) => {
  const next = new Map<string, Set<string>>()
  for (const { file, targets } of sources) {
    const from = featureOf(file)
    for (const to of targets.map(featureOf)) {
      if (from !== undefined && to !== undefined && from !== to) next.set(from, (next.get(from) ?? new Set()).add(to))
    }
  }
  return [...next.keys()].sort().flatMap((feature) => {
    const reached = new Set<string>()
    const walk = (from: string): void =>
      next.get(from)?.forEach((to) => {
        if (!reached.has(to)) {
          reached.add(to)
          walk(to)
        }
      })
    walk(feature)
    return reached.has(feature) ? [{ file: `src/features/${feature}`, what: [...reached].sort().join(", ") }] : []
  })
}

/**
 * Returns the group of files in which a file name must be unique: the sources, the tests, or the long tests. A long
 * test can have the same name as a short test.
 */
const treeOf = (file: string) => /^(?:src|test\/long|test)\//.exec(file)?.[0]

const duplicates: Rule = ({ sources }) => {
  const files = sources.map(({ file }) => file).filter((file) => treeOf(file) !== undefined)
  const isAs = (file: string) => (other: string) => nameOf(other) === nameOf(file) && treeOf(other) === treeOf(file)
  return files.filter((file, at) => files.findIndex(isAs(file)) !== at).map((file) => ({ file, what: nameOf(file) }))
}

const catchAll =
  /^(?:utils?|common|misc|managers?|helpers?|index|types|constants|shared)$|(?:Utils?|Misc|Manager|Helpers?|Impl)$/i
// Matches an absolute path that exists only on one machine or for one person.
const machinePath = /(?<![\w.~:/-])\/(?:tmp|work|root|farm|home|Users)\/[\w.-]+/g

const rules: Readonly<Record<string, Rule>> = {
  "a file imports only from its own folder or from a folder later in this list: surfaces, features, doors, backups, transfer, platform":
    edges(({ file }, to) => ringOf(to) > ringOf(file)),
  "only `ConfiguredPod.ts` imports `Pod.ts`, and only `podProgram.ts` imports `main.ts`": edges(
    // Only these two files may import the server, because the command line loads the server only for commands that
    // start it.
    ({ file }, to) =>
      (to === "src/main.ts" && file !== "src/cli/podProgram.ts") ||
      (to === "src/Pod.ts" && file !== "src/ConfiguredPod.ts")
  ),
  "only `Pod.ts` and `Stores.ts` import database adapters": edges(
    ({ file }, to, house) =>
      (roleOf(to) === "Sql" && !/^src\/(?:Pod|Stores)\.ts$/.test(file) && !isPartOfStatements(house, file, to)) ||
      (to === "src/Stores.ts" && file !== "src/Pod.ts")
  ),
  "a feature imports only the service or the record of another feature": edges(({ file }, to) => {
    const [from, other] = [featureOf(file), featureOf(to)]
    return from !== undefined && other !== undefined && from !== other && roleOf(to) !== undefined
  }),
  "a file with handlers imports the service of its feature and not the store": edges(
    ({ file }, to) => roleOf(file) === "Handlers" && roleOf(to) === "Store" && featureOf(file) === featureOf(to)
  ),
  "a file with declarations imports no implementation": edges(
    ({ file }, to, house) =>
      featureOf(file) !== undefined &&
      /^(?:Api|Rpc|Tools)$/.test(roleOf(file) ?? "") &&
      (/^(?:Handlers|Store|Sql)$/.test(roleOf(to) ?? "") || to.startsWith("src/platform/") || isService(house, to))
  ),
  "a surface imports no handlers and no stores": edges(
    ({ file }, to) => file.startsWith("src/surfaces/") && /^(?:Handlers|Store|Sql)$/.test(roleOf(to) ?? "")
  ),
  "features do not import each other in a cycle": ringsAmongFeatures,
  "only files that may contain SQL, such as `ThingSql.ts`, contain SQL": each((source) =>
    inSource(source) && !mayHoldSql.test(source.file)
      ? [
          ...source.templates.filter(({ isSql, text }) => isSql || beginsStatement.test(text)).map(({ text }) => text),
          ...source.strings.filter((text) => beginsStatement.test(text))
        ].map((text) => text.trim().split(/\s+/)[0] ?? "")
      : []
  ),
  "an SQL statement on a table with row-level security has the authority prefix": each((source, house) =>
    inSource(source) && roleOf(source.file) === "Sql"
      ? touched(source, house).flatMap(({ table, isGoverned }) => (isGoverned ? [] : [table]))
      : []
  ),
  "only the frames in `doors/Authority.ts` write the authority prefix": each((source) =>
    inSource(source) && source.file !== "src/doors/Authority.ts" && hasOwnPrefix(source) ? ["authority AS"] : []
  ),
  "an SQL statement on a table with row-level security limits its rows to the reach of the caller": each(
    (source, house) =>
      inSource(source) && roleOf(source.file) === "Sql"
        ? touched(source, house).flatMap(({ table, isGoverned, isBounded }) =>
            isGoverned && !isBounded ? [table] : []
          )
        : []
  ),
  "an SQL statement that writes a table with row-level security needs a decision of the gate": each((source, house) =>
    inSource(source) && roleOf(source.file) === "Sql"
      ? touched(source, house).flatMap(({ table, isGoverned, isWrite, hasWord }) =>
          isGoverned && isWrite && !hasWord ? [table] : []
        )
      : []
  ),
  "only the code of the gate makes a decision of the gate": each(({ file, code }) =>
    file.startsWith("src/") && !/\/gate\/(?:GovernanceGate|Passed)\.ts$/.test(file)
      ? (code.match(/\bPassed\.byGate\b/g) ?? [])
      : []
  ),
  "a file begins with a comment that contains a sentence": each(({ text }) =>
    /^(?:#!.*\n)?\/\*\*\s(?:(?!\*\/)[\s\S])*[.!?]\s*(?:(?!\*\/)[\s\S])*\*\//.test(text) ? [] : ["the first line"]
  ),
  "a file has no more than 600 lines": each(({ text }) => (lengthOf(text) > linesMax ? ["its length"] : [])),
  "`HubApi.ts`, `Procedures.ts` and `Tools.ts` name each feature once": each(({ file, code }) => {
    if (!/^src\/(?:HubApi|Procedures|Tools)\.ts$/.test(file)) return []
    const listed = code.replaceAll(/^import .*$/gm, "").matchAll(/\b(?!Http)[A-Z]\w*(?:Api|Procedures|Tools)\b/g)
    const named = [...listed].map(([name]) => name)
    return named.filter((name, at) => named.indexOf(name) !== at)
  }),
  "a file name is unique": duplicates,
  "a file has a specific name, and not a name such as `utils` or `common`": each(({ file }) => {
    const name = nameOf(file).split(".")[0] ?? ""
    return catchAll.test(name) ? [name] : []
  }),
  "a declared name says what the thing is, and is not a word such as `held` or `told`": ({ byFile, files }) =>
    [...files]
      .filter(([file]) => /^(?:src|test)\/.*\.tsx?$/.test(file))
      .flatMap(([file, text]) =>
        vagueNamesIn(file, (byFile.get(file) ?? readSource(text)).code).map((what) => ({ file, what }))
      ),
  "a test waits for events and not for time": each(({ file, code, imports }) =>
    file.startsWith("test/")
      ? [
          ...(code.match(/(?:\bEffect\.|(?<![\w.]))(?:setTimeout|sleep|delay)(?=\()/g) ?? []),
          ...imports.filter((from) => /timers/.test(from))
        ]
      : []
  ),
  "source code parses addresses only with `parsedUrl`": each(({ code, file }) =>
    file.startsWith("src/") && file !== "src/platform/ParsedUrl.ts" && /\bcanParse\b/.test(code) ? ["URL.canParse"] : []
  ),
  "only the schema `Id` decodes ids, because `Id` changes an id to lower case": each(({ code, file }) =>
    file.startsWith("src/") && file !== "src/doors/Id.ts" ? (code.match(/\bSchema\.UUID\b/g) ?? []) : []
  ),
  // With an OR, the cached query plan cannot start at the position of the cursor in the index. Each page would then
  // read all rows before the cursor (platform/Ids.ts).
  "the SQL of a listing has no `IS NULL OR` in its condition on the cursor": each(({ file, text }) =>
    file.endsWith("Sql.ts") ? (text.match(/IS NULL OR [^\n]*\bid\}? [<>]/g) ?? []) : []
  ),
  // PostgreSQL sorts texts by the rules of a language, and PGlite and the stores in memory by their bytes.
  'an SQL statement that sorts by a text column names the order `COLLATE "C"`': each((source, { files }) =>
    inSource(source) ? ordersOfTexts(source, files) : []
  ),
  "an SQL statement with a `LIMIT` sorts its rows, and its order ends with an id or another unique column": each(
    (source) => (inSource(source) ? limitsWithoutOrder(source) : [])
  ),
  // A value in quotes that are written by hand could end the text of the statement.
  "a text that becomes a part of an SQL statement is written with `textLiteral`": each(({ file, templates }) =>
    /^src\/.*Sql\w*\.ts$/.test(file) ? templates.flatMap(({ text }) => text.match(/'\$\{[^}]*\}/g) ?? []) : []
  ),
  // `Effect.fn` with a name makes a span at each call, even if nobody collects spans. By measurement, the span costs
  // about as much as the whole fiber of its handler. Providing a service costs half as much as the span.
  "no function makes a trace span at each call": each(({ code, file }) =>
    file.startsWith("src/") ? (code.match(/\bEffect\.fn\b(?!\.)/g) ?? []) : []
  ),
  "doors, surfaces and writes of records do not use `Effect.provide` around a call": each(({ code, file }) =>
    /^src\/(?:doors|surfaces|features\/(?:entities|gate|records))\//.test(file)
      ? (code.match(/\bEffect\.provide\w*/g) ?? [])
      : []
  ),
  "the code of features does not use the type `any`": each(({ file, code }) =>
    file.startsWith("src/features/") ? (code.match(/(?<![\w.$])any(?![\w$(])/g) ?? []) : []
  ),
  // A person or a stranger can have chosen the address. `guardedFetch` connects only to an address that it has checked.
  "features call other servers by `guardedFetch` or `outboundCalls`": each(({ code, file }) =>
    file.startsWith("src/features/") ? (code.match(/(?<![\w.$])fetch\(/g) ?? []) : []
  ),
  "no file contains a path that exists on one machine only": ({ files }) =>
    [...files].flatMap(([file, text]) => [...text.matchAll(machinePath)].map(([what]) => ({ file, what })))
}

export const ruleNames: ReadonlyArray<string> = Object.keys(rules)

const houseOf = (files: Files): House => {
  const sources = [...files]
    .filter(([file]) => /\.(?:ts|mjs)$/.test(file))
    .map(([file, text]): Source => {
      const read = readSource(text)
      const relative = read.imports.filter((from) => from.startsWith("."))
      return { ...read, file, text, targets: relative.map((from) => posix.join(posix.dirname(file), from)) }
    })
  return { files, sources, byFile: new Map(sources.map((source) => [source.file, source])) }
}

export const findings = (files: Files): ReadonlyArray<Finding> => {
  const house = houseOf(files)
  const all = Object.entries(rules).flatMap(([rule, found]) => found(house).map((one) => ({ rule, ...one })))
  return [...new Map(all.map((one) => [JSON.stringify([one.rule, one.file, one.what]), one])).values()]
}

const isSame = (one: Finding, other: Finding) =>
  one.rule === other.rule && one.file === other.file && one.what === other.what

/** `broken`: the findings without an exception. `idle`: the exceptions without a finding. */
export const unexcused = (found: ReadonlyArray<Finding>, exceptions: ReadonlyArray<Exception>) => ({
  broken: found.filter((finding) => !exceptions.some((exception) => isSame(finding, exception))),
  idle: exceptions.filter((exception) => !found.some((finding) => isSame(finding, exception)))
})
