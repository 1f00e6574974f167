/** Finds the SQL statements whose rows can come in another order on another engine, or at another call. */
import type { Files, Source } from "./houseRules.ts"

/** Matches the beginning of a query that only asks whether, or how often, there is a row. No order matters there. */
const onlyCounts = /^\s*SELECT\s+(?:1|true|FROM)\b/
/** Matches a column by which no two rows of a list are equal, at the end of an order. */
const decides = /(?:\bid|_id|\bseq|\bversion|\bplace|\bstart)(?:\s+(?:ASC|DESC))?\s*$/
const columnType = /(?:^\s+|ADD COLUMN (?:IF NOT EXISTS )?)(\w+)\s+([a-z]+)\b/gm

/** Returns the columns that are texts in every table that has them, according to the migrations. */
const textColumns = (files: Files): ReadonlySet<string> => {
  const types = new Map<string, Set<string>>()
  for (const [file, text] of files) {
    if (!file.startsWith("migrations/")) continue
    for (const [, name = "", type = ""] of text.replaceAll(/--.*/g, "").matchAll(columnType)) {
      if (/^(?:text|uuid|timestamptz|integer|bigint|smallint|boolean|jsonb|double|date|bytea)$/.test(type)) {
        types.set(name, (types.get(name) ?? new Set()).add(type))
      }
    }
  }
  return new Set([...types].flatMap(([name, all]) => (all.size === 1 && all.has("text") ? [name] : [])))
}

const withoutComments = (text: string): string => text.replaceAll(/--[^\n]*/g, (comment) => " ".repeat(comment.length))

/** Returns the text with spaces in place of everything inside of inner brackets. */
const withoutInner = (text: string): string => {
  let depth = 0
  return [...text]
    .map((mark) => {
      if (mark === ")" || mark === "}") depth--
      const shown = depth <= 0 ? mark : " "
      if (mark === "(" || mark === "{") depth++
      return shown
    })
    .join("")
}

/** Returns the part of a query that follows `at`, up to the closing bracket around it. */
const restAt = (text: string, at: number): string => {
  let depth = 0
  for (let end = at; end < text.length; end++) {
    if (text[end] === "(" || text[end] === "{") depth++
    if ((text[end] === ")" || text[end] === "}") && depth-- === 0) return text.slice(at, end)
  }
  return text.slice(at)
}

/** Returns the part of a query that precedes `at`, from the opening bracket around it. */
const queryBefore = (text: string, at: number): string => {
  let depth = 0
  for (let begin = at - 1; begin >= 0; begin--) {
    if (text[begin] === ")" || text[begin] === "}") depth++
    if ((text[begin] === "(" || text[begin] === "{") && depth-- === 0) return text.slice(begin + 1, at)
  }
  return text.slice(0, at)
}

const sqlOf = ({ templates }: Source): ReadonlyArray<string> =>
  templates.filter(({ isSql, text }) => isSql || /\bORDER BY\b/.test(text)).map(({ text }) => text)

const oneLine = (text: string) => text.replaceAll(/\s+/g, " ").trim()

/** Returns the terms of orders that sort texts by the rules of the server, and not by their bytes. */
export const ordersOfTexts = (source: Source, files: Files): ReadonlyArray<string> => {
  const texts = textColumns(files)
  return sqlOf(source)
    .map(withoutComments)
    .flatMap((text) =>
      [...text.matchAll(/\bORDER BY\b/g)].flatMap(({ index }) =>
        withoutInner(restAt(text, index + "ORDER BY".length))
          .split(/\b(?:LIMIT|OFFSET|FOR|ON CONFLICT|UNION|ROWS)\b/)[0]
          .split(",")
          .map(oneLine)
          .filter((term) => {
            const column = /(\w+)"?(?:\s+(?:ASC|DESC))?(?:\s+NULLS\s+\w+)?$/.exec(term)?.[1] ?? ""
            return texts.has(column) && !/\bCOLLATE\b/.test(term)
          })
      )
    )
}

/** Returns the queries that take some of their rows, and do not say exactly which. */
export const limitsWithoutOrder = (source: Source): ReadonlyArray<string> =>
  source.templates
    .filter(({ isSql }) => isSql)
    .flatMap(({ text }) =>
      [...withoutComments(text).matchAll(/\bLIMIT\b/g)].flatMap(({ index }) => {
        const query = withoutInner(queryBefore(withoutComments(text), index))
        const select = query.slice(Math.max(0, query.lastIndexOf("SELECT")))
        const [order] = /\bORDER BY\b(?![\s\S]*\bORDER BY\b)[\s\S]*$/.exec(query) ?? []
        const isTotal =
          order !== undefined && (decides.test(order) || /(?:\bORDER BY \d+|[`}]|COLLATE "C")\s*$/.test(order))
        return isTotal || onlyCounts.test(select) ? [] : [oneLine(`${select.slice(0, 40)} LIMIT`)]
      })
    )
