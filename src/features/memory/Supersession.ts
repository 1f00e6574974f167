/**
 * Decides whether a new fact replaces an older fact, by five rules. The result is the number of the rule that applies.
 * Rule 1: the new fact has a different value of a relation, such as the home of a person. Rule 2: the new fact says
 * that the older fact is over. Rule 3: the new fact has a different value of an attribute. Rule 4: the new fact has a
 * different number of the same things. Rule 5: the new fact has a word that announces a change.
 */
import { analyse } from "../search/text/Analyser.ts"
import { plainWords } from "./FactWords.ts"
import { isNumber } from "./NearDuplicates.ts"

type SupersessionRule = 1 | 2 | 3 | 4 | 5

const setOf = (words: string) => new Set(words.split(" "))

const speaker = setOf("i my we our me us user")
const unsure = setOf(
  "if might may would could want wants wanted plan plans planning considering thinking maybe perhaps ?"
)
const negations = setOf("not never no")
const endingWords = setOf("stopped quit quits gave cancelled canceled sold left broke dropped ended")
const endingPhrases = [/\bno longer\b/, /\bnot\b.*\b(?:anymore|any more)\b/, /\bgave up\b/, /\bbroke up\b/]
const changeWords = setOf(
  "moved changed switched instead replaced rescheduled upgraded promoted extended cut renamed postponed"
)
/**
 * Words that can announce a change, but can also announce only something new. With such a word, a new fact replaces an
 * older fact only if the two facts have more than half of their words in common. With a word of `changeWords`, exactly
 * half is enough.
 */
const weakChangeWords = setOf("now")
const changePhrase = /^from now on /

const relations: ReadonlyArray<{ readonly form: RegExp; readonly name: string }> = [
  {
    form: /\b(?:live|lives|living|moved|relocated|based|reside|resides)(?: (?:back|over|away))? (?:in|to|at) (.+)/,
    name: "home"
  },
  {
    form: /\b(?:(?:work|works|working|employed) (?:at|for)|joined) (.+)/,
    name: "work"
  },
  {
    form: /\b(?:am|is|are|got|currently|now) (single|married|engaged|divorced|widowed)\b/,
    name: "partner"
  }
]

interface Read {
  readonly text: string
  readonly words: ReadonlyArray<string>
  readonly plain: string
  readonly subject: string
  /** Whether the fact begins with “from now on”. */
  readonly isChange: boolean
  /**
   * The stems of the words of the fact, without stop words and without the words that name whom or what the fact is
   * about.
   */
  readonly stems: ReadonlySet<string>
}

const dayNames = /\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b/gi

/** Returns the words of a fact without “from now on” or “now” at its beginning. */
const wordsOf = (plain: string): ReadonlyArray<string> =>
  plain.replace(changePhrase, "").replace(/^now /, "").split(" ")

const subjectOf = ([first = ""]: ReadonlyArray<string>) => (speaker.has(first) ? "user" : first)

const readSentence = (text: string): Read => {
  const plain = plainWords(text).join(" ")
  const words = wordsOf(plain)
  const first = words[0] ?? ""
  const subject = subjectOf(words)
  const stems = new Set(analyse(text.replaceAll(dayNames, "weekday")))
  for (const stem of analyse(first)) stems.delete(stem)
  return { text, words, plain: words.join(" "), subject, stems, isChange: changePhrase.test(plain) }
}

const withoutStems = (stems: ReadonlySet<string>, ...lists: ReadonlyArray<ReadonlySet<string>>) => {
  const excludedStems = new Set(lists.flatMap((list) => [...list].flatMap((word) => analyse(word))))
  return [...stems].filter((stem) => !excludedStems.has(stem))
}

/**
 * Returns the value of a relation without the words after the value. For example, `berlin` in `berlin with her family`.
 */
const valueIn = (form: RegExp, plain: string) =>
  form
    .exec(plain)?.[1]
    ?.split(/ (?:and|but|with|since|because|for|as|now|instead|last|this|next|in|at|near|on) /)[0]
    .replace(/ (?:now|instead|again|today|recently|currently)$/, "")

const isOtherValue = (newer: Read, old: Read): boolean =>
  relations.some(({ form }) => {
    const [now, before] = [valueIn(form, newer.plain), valueIn(form, old.plain)]
    return now !== undefined && before !== undefined && now !== before && !now.startsWith(`${before} `)
  })

const isEnding = ({ plain, words }: Read) =>
  words.some((word) => endingWords.has(word)) || endingPhrases.some((form) => form.test(plain))

const sharedOf = (newer: Read, old: Read, ...lists: ReadonlyArray<ReadonlySet<string>>) => {
  const [one, other] = [withoutStems(newer.stems, ...lists), withoutStems(old.stems, ...lists)]
  const otherSet = new Set(other)
  return { shared: one.filter((stem) => otherSet.has(stem)).length, least: Math.min(one.length, other.length) }
}

const isEnded = (newer: Read, old: Read): boolean => {
  if (!isEnding(newer) || isEnding(old)) return false
  const { least, shared } = sharedOf(newer, old, endingWords)
  return shared >= 1 && shared * 3 >= least
}

const attributeForm = /^(?:the|our|my|(?:\w+ )?favou?rite|\p{L}+['’]s)\b.*$/iu

const attributeOf = (text: string) => {
  // Replaces several blanks in a row by one blank. Otherwise the regular expression below would try each blank and take
  // too long.
  const sentence = text.trim().replaceAll(/[^\S\r\n]+/g, " ")
  const [, attribute, value] = /^(.+?)\s(?:is|are)\s(.+?)[.!]?$/i.exec(sentence) ?? []
  if (attribute === undefined || value === undefined || !attributeForm.test(attribute)) return undefined
  const words = attribute.split(/\s+/)
  return words.length < 2 ? undefined : { name: plainWords(attribute).join(" "), length: words.length, value }
}

const weekday = /^(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b/i

const shapeOf = (value: string): string => {
  if (/\S@\S/.test(value)) return "mail"
  if (weekday.test(value)) return "weekday"
  if (/\p{N}/u.test(value) || value.split(/\s+/).some((word) => isNumber(word.toLowerCase()))) return "number"
  return /^\p{Lu}/u.test(value) ? "name" : "text"
}

const isOtherAttribute = (newer: Read, old: Read): boolean => {
  const [now, before] = [attributeOf(newer.text), attributeOf(old.text)]
  if (now === undefined || before === undefined || now.name !== before.name) return false
  const shape = shapeOf(now.value)
  if (shape !== shapeOf(before.value) || now.value.toLowerCase() === before.value.toLowerCase()) return false
  // “My sister is a doctor” does not replace “my sister is tall”. So if both values are plain text, a new fact replaces
  // an older fact only in two cases: the name of the attribute has three or more words, or the name contains
  // “favourite”.
  return shape !== "text" || now.length >= 3 || /favou?rite/.test(now.name)
}

const counts = setOf("has have owns own got is are am costs cost weighs weigh needs need")
const isYear = (word: string) => /^(?:19|20)\d\d$/.test(word)

const isOtherCount = (newer: Read, old: Read): boolean => {
  if (newer.words.length !== old.words.length) return false
  const differing = newer.words.flatMap((word, at) => (word === old.words[at] ? [] : [at]))
  const [at] = differing
  if (differing.length !== 1 || at === undefined || at === 0) return false
  const both = [newer.words[at], old.words[at]]
  // A number counts things only if certain words are before the number. In “has three kids”, the number counts things.
  // In “sprint 3 is done”, it does not.
  return both.every((word) => isNumber(word) && !isYear(word)) && counts.has(newer.words[at - 1])
}

const isChanged = (newer: Read, old: Read): boolean => {
  const isStrong = newer.isChange || newer.words.some((word) => changeWords.has(word))
  if (!isStrong && !newer.words.some((word) => weakChangeWords.has(word))) return false
  const { least, shared } = sharedOf(newer, old, changeWords, weakChangeWords)
  return shared >= 1 && (isStrong ? shared * 2 >= least : shared * 2 > least)
}

/**
 * The maximum number of characters of a fact that the rules compare. The rules are for short statements, and long texts
 * take too long to compare. A longer fact replaces no fact, and no fact replaces it.
 */
const comparedMax = 2000

/**
 * Returns keys to find the older facts that a new fact can replace by rule 1, 3 or 4. Two facts have a key in common in
 * three cases: they have the same relation of the same person or thing, they have the same attribute, or they differ
 * only in a number. A search by words can miss such an older fact, because its words can be frequent or different.
 */
export const replacementKeys = (text: string): ReadonlyArray<string> => {
  if (text.length > comparedMax) return []
  const words = wordsOf(plainWords(text).join(" "))
  const [subject, plain] = [subjectOf(words), words.join(" ")]
  const related = relations.flatMap(({ form, name }) => (form.test(plain) ? [`relation ${name} ${subject}`] : []))
  const attribute = attributeOf(text)
  const isCount = (word: string, at: number) => at > 0 && isNumber(word) && counts.has(words[at - 1])
  const counted = words.some(isCount) ? [words.map((word, at) => (isCount(word, at) ? "#" : word)).join(" ")] : []
  return [
    ...related,
    ...(attribute === undefined ? [] : [`attribute ${attribute.name}`]),
    ...counted.map((sentence) => `count ${sentence}`)
  ]
}

/**
 * Returns true if any rule can apply to a new fact. For most new facts, no rule can apply, so the pod compares them
 * with no older fact.
 */
const mayReplace = (newer: Read): boolean =>
  newer.subject !== "" &&
  !newer.words.some((word) => unsure.has(word)) &&
  (newer.isChange ||
    newer.words.some((word) => changeWords.has(word) || weakChangeWords.has(word)) ||
    newer.words.some((word, at) => isNumber(word) && counts.has(newer.words[at - 1])) ||
    isEnding(newer) ||
    relations.some(({ form }) => form.test(newer.plain)) ||
    attributeOf(newer.text) !== undefined)

/**
 * Prepares the comparison of a new fact with older facts. Returns null if the new fact can replace no fact. Otherwise
 * returns a function that compares the new fact with one older fact. The returned function gives the rule by which the
 * new fact replaces the older fact. It gives undefined if both facts stay valid.
 */
export const supersession = (newText: string): ((oldText: string) => SupersessionRule | undefined) | null => {
  if (newText.length > comparedMax) return null
  const newer = readSentence(newText)
  if (!mayReplace(newer)) return null
  const isNegated = newer.words.some((word) => negations.has(word))
  return (oldText) => {
    if (oldText.length > comparedMax) return undefined
    if (subjectOf(wordsOf(plainWords(oldText).join(" "))) !== newer.subject) return undefined
    const old = readSentence(oldText)
    if (newer.plain === old.plain || old.words.includes("?")) return undefined
    if (!isNegated && isOtherValue(newer, old)) return 1
    if (isEnded(newer, old)) return 2
    if (!isNegated && isOtherAttribute(newer, old)) return 3
    if (isOtherCount(newer, old)) return 4
    return isChanged(newer, old) ? 5 : undefined
  }
}
