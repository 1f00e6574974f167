/** Finds the SQL statements in a source file, and says whether each statement checks what the caller may touch. */
import type { Files, House, Source } from "./houseRules.ts"

// The only files that may contain SQL. The SQL in src/platform is never about records. It is about roles, migrations,
// transactions, vacuum, secrets and liveness.
export const mayHoldSql = new RegExp(
  [
    "Sql\\.ts$",
    "^src/doors/Authority\\.ts$",
    "^src/features/events/AppendEvent\\.ts$",
    "^src/platform/(?:Embedded|EmbeddedVacuum|Migrations|PodTransactions|Postgres|PostgresPool|SecretChecks)\\.ts$"
  ].join("|")
)
export const beginsStatement =
  /^\s*(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH|SET ROLE|LISTEN|(?:CREATE|ALTER|DROP) TABLE)\s/
/**
 * Matches the beginning of a CTE (a named part of an SQL statement, such as `found AS (`). A source can pass a CTE
 * alone to a function in `frames`. The check treats such a CTE like a statement.
 */
const beginsPart = /^\s*\w+ AS (?:MATERIALIZED )?\(/
/** Matches the beginning of the CTE `authority`, which checks the caller. Sources must not write it by hand. */
const prefix = /\bauthority\s+AS\s+(?:NOT\s+)?(?:MATERIALIZED\s*)?\(/i
/**
 * Matches two kinds of conditions on rows: the condition on the space, which a function in `frames` passes as `within`,
 * and a condition on a column of the CTE `authority`.
 */
const predicate = /authority\.(?:spaces|person)\b|\bwithin\b[(,]/
/** Matches the condition on the rows of one person. It counts only in a file that makes `own` with `ownRows`. */
const ownPredicate = /\bown\(/
const makesOwn = /\bconst own = ownRows\(sql\)/
/** Matches a later part of a write. It selects only from rows that an earlier part of the same write has checked. */
const goesOn = /\b(?:FROM|USING)\s+(?:found|changed)\b/
/** The functions that add the check of the caller to SQL statements (“frames”), each with the file that defines it. */
const frames: Readonly<Record<string, string>> = {
  authorizedRead: "src/doors/Authority.ts",
  authorizedWriteWithoutEvent: "src/doors/Authority.ts",
  authorizedWrite: "src/features/events/AppendEvent.ts"
}

/** Returns true if a source writes the CTE `authority` by hand, in a template or in a string. */
export const hasOwnPrefix = ({ strings, templates }: Source): boolean =>
  [...strings, ...templates.map(({ text }) => text)].some((text) => prefix.test(text))

/** Returns the tables with row-level security, according to the migrations. */
const governedTables = (files: Files): ReadonlyArray<string> =>
  [...files].flatMap(([file, text]) =>
    file.startsWith("migrations/")
      ? [...text.matchAll(/ALTER TABLE (\w+) ENABLE ROW LEVEL SECURITY/g)].map(([, table]) => table ?? "")
      : []
  )

/**
 * Returns the tables with row-level security in the statements of a file. Each result says whether the statement checks
 * the caller (`isGoverned`).
 */
export const touched = ({ templates, code, targets }: Source, { files }: House) => {
  // The name in a call means a function in `frames` only if the file imports this function, and does not define a
  // function of the same name.
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
          isGoverned: frame !== undefined,
          isBounded:
            predicate.test(text) ||
            (ownPredicate.test(text) && makesOwn.test(code)) ||
            (frame !== "authorizedRead" && goesOn.test(text)),
          isWrite: new RegExp(`\\b(?:INTO|UPDATE|DELETE FROM)\\s+${table}\\b`).test(text),
          hasWord: frame === "authorizedWrite"
        }))
    )
}
