/** The rules of the house, read from the sources as text: a pure function from files to what is wrong with them. */
import { posix } from "node:path"
import { readSource, type SourceText } from "./sourceText.ts"

/** Path from the root of the repository, with forward slashes, to the text. */
export type Files = ReadonlyMap<string, string>

export interface Finding {
  readonly rule: string
  readonly file: string
  /** What it reached for, where the rule is about that: an import, a table, a name. */
  readonly what: string
}

/** A finding that stands, and why. One that excuses nothing any more is a finding itself. */
export interface Exception extends Finding {
  readonly why: string
}

/** A file that is longer than most and stays whole, and why. */
export interface LongFile {
  readonly file: string
  readonly why: string
}

interface Source extends SourceText {
  readonly file: string
  readonly text: string
  /** The files of the repository that it imports. */
  readonly targets: ReadonlyArray<string>
}

interface House {
  readonly files: Files
  readonly sources: ReadonlyArray<Source>
  readonly byFile: ReadonlyMap<string, Source>
}

type Rule = (house: House) => ReadonlyArray<{ readonly file: string; readonly what: string }>

const rings = ["platform", "doors", "features", "surfaces", "root"]
const ringOf = (file: string): number =>
  /^src\/[^/]+$/.test(file) ? rings.indexOf("root") : rings.indexOf(file.split("/")[1] ?? "")
const featureOf = (file: string): string | undefined => /^src\/features\/([^/]+)\//.exec(file)?.[1]
/** What a file of a feature is within it; undefined for its record, its service, and files of no feature. */
const roleOf = (file: string): string | undefined =>
  /^src\/features\/.*(Store|Sql|Api|Rpc|Tools|Handlers)\.ts$/.exec(file)?.[1]
const inSource = ({ file }: Source) => file.startsWith("src/")
const nameOf = (file: string) => posix.basename(file)

/** The imports within src that a test says no to. */
const edges =
  (isWrong: (from: Source, to: string, house: House) => boolean): Rule =>
  (house) =>
    house.sources
      .filter(inSource)
      .flatMap((from) =>
        from.targets.filter((to) => isWrong(from, to, house)).map((to) => ({ file: from.file, what: to }))
      )

/** The sources that a test says no to, with what it found. */
const each =
  (found: (source: Source, house: House) => ReadonlyArray<string>): Rule =>
  (house) =>
    house.sources.flatMap((source) => found(source, house).map((what) => ({ file: source.file, what })))

const isService = (house: House, file: string) =>
  featureOf(file) !== undefined && house.byFile.get(file)?.code.includes("Context.Tag(") === true

/** Features reachable from a feature through imports, itself only by a ring. */
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

/** Unique in the sources, in the tests, and in the long tests, which may be named as the short ones they go on from. */
const treeOf = (file: string) => /^(?:src|test\/long|test)\//.exec(file)?.[0]

const duplicates: Rule = ({ sources }) => {
  const files = sources.map(({ file }) => file).filter((file) => treeOf(file) !== undefined)
  const isAs = (file: string) => (other: string) => nameOf(other) === nameOf(file) && treeOf(other) === treeOf(file)
  return files.filter((file, at) => files.findIndex(isAs(file)) !== at).map((file) => ({ file, what: nameOf(file) }))
}

// In the platform it speaks of roles, migrations, transactions, secrets and signs of life, and never of the pod's records.
const mayHoldSql = new RegExp(
  [
    "Sql\\.ts$",
    "^src/doors/Authority\\.ts$",
    "^src/features/events/AppendEvent\\.ts$",
    "^src/platform/(?:Embedded|Migrations|PodTransactions|Postgres|PostgresPool|SecretChecks)\\.ts$"
  ].join("|")
)
const beginsStatement =
  /^\s*(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH|SET ROLE|LISTEN|(?:CREATE|ALTER|DROP) TABLE)\s/
/** A statement that has no frame, and a CTE that stands beside what a frame writes. */
const beginsPart = /^\s*(?:\$\{withAuthority\}|\w+ AS (?:MATERIALIZED )?\()/
/** A predicate handed out by the frame, or one that is made with it; or the columns of the authority themselves. */
const predicate = /authority\.(?:spaces|person)\b|\bwithin\b[(,]/
/** Within a write: what goes on from its rows, which said themselves that they may be touched. */
const goesOn = /\b(?:FROM|USING)\s+(?:found|changed)\b/
/** The frames of governed statements, and where they are made. */
const frames: Readonly<Record<string, string>> = {
  governedStatement: "src/doors/Authority.ts",
  governedRead: "src/doors/Authority.ts",
  governedWrite: "src/features/events/AppendEvent.ts"
}

/** The tables under row-level security, from the migrations. */
const governedTables = (files: Files): ReadonlyArray<string> =>
  [...files].flatMap(([file, text]) =>
    file.startsWith("migrations/")
      ? [...text.matchAll(/ALTER TABLE (\w+) ENABLE ROW LEVEL SECURITY/g)].map(([, table]) => table ?? "")
      : []
  )

/** The governed tables that whole statements of a file touch, each with whether the statement is governed. */
const touched = ({ templates, code, targets }: Source, { files }: House) => {
  // A frame is the one that is imported, and not a function of that name made here.
  const isFrame = (name: string) =>
    targets.includes(frames[name] ?? "") && !new RegExp(`\\b(?:const|let|function)\\s+${name}\\b`).test(code)
  return templates
    .map((template) => ({ ...template, frame: template.calls.findLast((name) => name in frames && isFrame(name)) }))
    .filter(
      ({ frame, isSql, text }) =>
        isSql && (beginsStatement.test(text) || (frame !== undefined && beginsPart.test(text)))
    )
    .flatMap(({ frame, text }) =>
      governedTables(files)
        .filter((table) => new RegExp(`\\b(?:FROM|JOIN|INTO|UPDATE)\\s+${table}\\b`).test(text))
        .map((table) => ({
          table,
          isGoverned: frame === "governedStatement" ? /^\s*\$\{withAuthority\}/.test(text) : frame !== undefined,
          isBounded: predicate.test(text) || (frame === "governedWrite" && goesOn.test(text)),
          isWrite: new RegExp(`\\b(?:INTO|UPDATE|DELETE FROM)\\s+${table}\\b`).test(text),
          hasWord: frame === "governedWrite"
        }))
    )
}

const linesJudged = 300
const linesMax = 600
const lengthOf = (text: string) => text.replace(/\n$/, "").split("\n").length
/** The second line of the opening comment speaks of one noun. */
const saysWhyItIsLong = (text: string) => /^(?:#!.*\n)?\/\*\*\n \* .*\n \* .*\bone noun\b/.test(text)

const catchAll =
  /^(?:utils?|common|misc|managers?|helpers?|index|types|constants|shared)$|(?:Utils?|Misc|Manager|Helpers?|Impl)$/i
// The folders of one machine or one person, as the first part of an absolute path.
const machinePath = /(?<![\w.~:/-])\/(?:tmp|work|root|farm|home|Users)\/[\w.-]+/g

const rules: Readonly<Record<string, Rule>> = {
  "imports go inward: surfaces, features, doors, platform": edges(({ file }, to) => ringOf(to) > ringOf(file)),
  "nothing looks back at the Pod or at main": edges(
    ({ file }, to) => to === "src/main.ts" || (to === "src/Pod.ts" && file !== "src/main.ts")
  ),
  "only the Pod chooses the database": edges(
    ({ file }, to) =>
      (roleOf(to) === "Sql" && !/^src\/(?:Pod|Stores)\.ts$/.test(file)) ||
      (to === "src/Stores.ts" && file !== "src/Pod.ts")
  ),
  "another feature is asked through its service or its record": edges(({ file }, to) => {
    const [from, other] = [featureOf(file), featureOf(to)]
    return from !== undefined && other !== undefined && from !== other && roleOf(to) !== undefined
  }),
  "a handler asks its service and not the store": edges(
    ({ file }, to) => roleOf(file) === "Handlers" && roleOf(to) === "Store" && featureOf(file) === featureOf(to)
  ),
  "a declaration has no implementation": edges(
    ({ file }, to, house) =>
      featureOf(file) !== undefined &&
      /^(?:Api|Rpc|Tools)$/.test(roleOf(file) ?? "") &&
      (/^(?:Handlers|Store|Sql)$/.test(roleOf(to) ?? "") || to.startsWith("src/platform/") || isService(house, to))
  ),
  "a surface renders what is declared": edges(
    ({ file }, to) => file.startsWith("src/surfaces/") && /^(?:Handlers|Store|Sql)$/.test(roleOf(to) ?? "")
  ),
  "features do not stand in a ring": ringsAmongFeatures,
  "SQL stands where it is looked for": each((source) =>
    inSource(source) && !mayHoldSql.test(source.file)
      ? [
          ...source.templates.filter(({ isSql, text }) => isSql || beginsStatement.test(text)).map(({ text }) => text),
          ...source.strings.filter((text) => beginsStatement.test(text))
        ].map((text) => text.trim().split(/\s+/)[0] ?? "")
      : []
  ),
  "a statement on a governed table carries its authority": each((source, house) =>
    inSource(source) && roleOf(source.file) === "Sql"
      ? touched(source, house).flatMap(({ table, isGoverned }) => (isGoverned ? [] : [table]))
      : []
  ),
  "a statement on a governed table says which rows it may touch": each((source, house) =>
    inSource(source) && roleOf(source.file) === "Sql"
      ? touched(source, house).flatMap(({ table, isGoverned, isBounded }) => (isGoverned && !isBounded ? [table] : []))
      : []
  ),
  "a statement that writes a governed table carries the gate's word": each((source, house) =>
    inSource(source) && roleOf(source.file) === "Sql"
      ? touched(source, house).flatMap(({ table, isGoverned, isWrite, hasWord }) =>
          isGoverned && isWrite && !hasWord ? [table] : []
        )
      : []
  ),
  "the gate alone makes its word": each(({ file, code }) =>
    file.startsWith("src/") && !/\/gate\/(?:GovernanceGate|Passed)\.ts$/.test(file)
      ? (code.match(/\bPassed\.byGate\b/g) ?? [])
      : []
  ),
  "a file opens with a sentence": each(({ text }) =>
    /^(?:#!.*\n)?\/\*\*\s(?:(?!\*\/)[\s\S])*[.!?]\s*(?:(?!\*\/)[\s\S])*\*\//.test(text) ? [] : ["the first line"]
  ),
  "a file has no more than 600 lines": each(({ text }) => (lengthOf(text) > linesMax ? ["its length"] : [])),
  "a table of contents names each feature once": each(({ file, code }) => {
    if (!/^src\/(?:HubApi|Procedures|Tools)\.ts$/.test(file)) return []
    const listed = code.replaceAll(/^import .*$/gm, "").matchAll(/\b(?!Http)[A-Z]\w*(?:Api|Procedures|Tools)\b/g)
    const named = [...listed].map(([name]) => name)
    return named.filter((name, at) => named.indexOf(name) !== at)
  }),
  "a file name is unique": duplicates,
  "a file is named for what it holds": each(({ file }) => {
    const name = nameOf(file).split(".")[0] ?? ""
    return catchAll.test(name) ? [name] : []
  }),
  "a test waits for an event and never for a while": each(({ file, code, imports }) =>
    file.startsWith("test/")
      ? [
          ...(code.match(/(?:\bEffect\.|(?<![\w.]))(?:setTimeout|sleep|delay)(?=\()/g) ?? []),
          ...imports.filter((from) => /timers/.test(from))
        ]
      : []
  ),
  "features know no any": each(({ file, code }) =>
    file.startsWith("src/features/") ? (code.match(/(?<![\w.$])any(?![\w$(])/g) ?? []) : []
  ),
  "no path of one machine": ({ files }) =>
    [...files].flatMap(([file, text]) => [...text.matchAll(machinePath)].map(([what]) => ({ file, what })))
}

/**
 * The files that look as if they held a second noun, each with its length. Judged by a person, so this is no finding:
 * a file says in the second sentence of its opening comment why it is one noun, or an exception says it.
 */
export const longFiles = (
  files: Files,
  excused: ReadonlyArray<LongFile>
): ReadonlyArray<{ readonly file: string; readonly lines: number }> =>
  [...files]
    .filter(([file, text]) => /\.(?:ts|mjs)$/.test(file) && lengthOf(text) > linesJudged)
    .filter(([file, text]) => !saysWhyItIsLong(text) && !excused.some((one) => one.file === file))
    .map(([file, text]) => ({ file, lines: lengthOf(text) }))

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

/** Everything that breaks a rule, once each. */
export const findings = (files: Files): ReadonlyArray<Finding> => {
  const house = houseOf(files)
  const all = Object.entries(rules).flatMap(([rule, found]) => found(house).map((one) => ({ rule, ...one })))
  return [...new Map(all.map((one) => [JSON.stringify([one.rule, one.file, one.what]), one])).values()]
}

const isSame = (one: Finding, other: Finding) =>
  one.rule === other.rule && one.file === other.file && one.what === other.what

/** What is wrong beyond the exceptions, and the exceptions that excuse nothing. */
export const unexcused = (found: ReadonlyArray<Finding>, exceptions: ReadonlyArray<Exception>) => ({
  broken: found.filter((finding) => !exceptions.some((exception) => isSame(finding, exception))),
  idle: exceptions.filter((exception) => !found.some((finding) => isSame(finding, exception)))
})
