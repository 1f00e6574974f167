/**
 * Reads three things from a fact. The first is the text of the fact without the prefix that the pod wrote. The second
 * is the list of words by which a search finds the fact. The third is the list of words that decide whether two facts
 * say the same.
 */
import { DateTime } from "effect"
import { createHash } from "node:crypto"
import { isUuid } from "../../platform/Ids.ts"
import { analyse } from "../search/text/Analyser.ts"
import type { MemoryFact } from "./MemoryFact.ts"

type FactStatement = Pick<MemoryFact, "fact" | "level" | "role" | "saidAt" | "sessionId" | "target" | "turn">

export const turnText = (sessionId: string, turn: number, role: string, content: string) =>
  `${sessionId}[turn:${turn}] ${role}: ${content}`
export const summaryText = (sessionId: string, summary: string) => `${sessionId} [summary] ${summary}`
export const writeText = (action: "remember" | "update", target: string, content: string) =>
  `[write:${action}:${target}] ${content}`

const wrappersOf = ({ level, role, sessionId, target, turn }: FactStatement): ReadonlyArray<string> => {
  switch (level) {
    case "turn":
      return [turnText(sessionId ?? "", turn ?? 0, role ?? "", "")]
    case "summary":
      return [summaryText(sessionId ?? "", "")]
    case "session":
      return [`${sessionId ?? ""} summary: `]
    case "write":
      return [writeText("remember", target ?? "", ""), writeText("update", target ?? "", "")]
    case "fact":
      return []
  }
}

/** Returns the text of the fact without the prefix that the pod wrote before it. */
export const contentOf = (statement: FactStatement): string => {
  const wrapper = wrappersOf(statement).find((each) => statement.fact.startsWith(each))
  return wrapper === undefined ? statement.fact : statement.fact.slice(wrapper.length)
}

const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December"
]

/**
 * Returns the words of the day on which the person said the fact, because people ask for days such as `8 May 2023`.
 * Returns no words if `saidAt` is null.
 */
const dateWords = (saidAt: DateTime.Utc | null): ReadonlyArray<string> => {
  if (saidAt === null) return []
  const { day, month, year } = DateTime.toPartsUtc(saidAt)
  return analyse(`${day} ${months[month - 1]} ${year}`)
}

/**
 * Returns the terms by which a search finds a fact. `own` are the terms of the fact's text, which also help to find the
 * turns before and after this fact. `date` are the terms of the day on which the person said the fact.
 */
export const termsOf = (
  statement: FactStatement
): { readonly own: ReadonlyArray<string>; readonly date: ReadonlyArray<string> } => {
  // The name of a session is often a date, and people search for dates. A name that is a UUID has no words.
  const session = statement.sessionId === null || isUuid(statement.sessionId) ? [] : analyse(statement.sessionId)
  const names = [statement.role, statement.target].flatMap((name) => (name === null ? [] : analyse(name)))
  return { own: [...analyse(contentOf(statement)), ...names, ...session], date: dateWords(statement.saidAt) }
}

/** Words that do not change what a fact says. Prepositions, pronouns and verbs are not in this list. */
const fillers = new Set("a an the well oh um uh hmm hm so just really actually basically yeah okay ok hey".split(" "))

const contractions: ReadonlyArray<readonly [RegExp, string]> = [
  [/\b(ca)n't\b/g, "can not"],
  [/\bcannot\b/g, "can not"],
  [/\bwon't\b/g, "will not"],
  [/\bshan't\b/g, "shall not"],
  [/n't\b/g, " not"],
  [/'re\b/g, " are"],
  [/'ve\b/g, " have"],
  [/'ll\b/g, " will"],
  [/\bi'm\b/g, "i am"],
  [/\b(it|he|she|that|what|there|who|where|here)'s\b/g, "$1 is"],
  [/'s\b/g, ""]
]

const asciiOnly = /^[\u0000-\u007f]*$/

// A number can have a sign. A name can end in `++` or `#`, because `C++` and `C` are different names. A question mark
// counts as a word, because a question is not a statement.
const wordForm = /(?<![\p{L}\p{N}])[-+]?\d+(?:[.,:]\d+)*|[\p{L}\p{N}]+(?:\+\+|#)?|[%$€£?]|\p{Extended_Pictographic}/gu

/** Returns the words of a text in lower case, without punctuation and fillers, and with contractions written out. */
export const plainWords = (text: string): ReadonlyArray<string> => {
  const unmarked = asciiOnly.test(text)
    ? text
    : text.normalize("NFKD").replaceAll(/\p{M}/gu, "").replaceAll(/[’ʼ]/g, "'")
  const plain = unmarked.toLowerCase()
  const isContracted = plain.includes("'") || plain.includes("cannot")
  const whole = isContracted
    ? contractions.reduce((expanded, [form, words]) => expanded.replaceAll(form, words), plain)
    : plain
  return (whole.match(wordForm) ?? []).filter((word) => !fillers.has(word))
}

/**
 * Returns a SHA-256 hash that is equal for two facts that say the same. For the levels `fact` and `write`, it is the
 * hash of the words and the topic (`target`). For any other level, it is the hash of the text and of the place in the
 * session, because two turns with equal texts are different facts.
 */
export const sameHash = (statement: FactStatement): string => {
  const content = contentOf(statement)
  const words = plainWords(content)
  const isWritten = statement.level === "fact" || statement.level === "write"
  const place = isWritten ? [statement.target] : [statement.level, statement.sessionId, statement.turn, statement.role]
  const what = isWritten && words.length > 0 ? words : [content]
  return createHash("sha256")
    .update(JSON.stringify([place, what]))
    .digest("hex")
}
