/** Decides by five rules whether a new written fact replaces an older one, and names the rule. */
import { analyse } from "../search/text/Analyser.ts"
import { plainWords } from "./FactWords.ts"
import { isNumber } from "./NearDuplicates.ts"

export type Rule = 1 | 2 | 3 | 4 | 5

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
/** Said of what is new as often as of what changed: more of the words must be the same. */
const weakChangeWords = setOf("now")
const changePhrase = /^from now on /

const relations: ReadonlyArray<{ readonly form: RegExp; readonly words: string }> = [
  {
    form: /\b(?:live|lives|living|moved|relocated|based|reside|resides)(?: (?:back|over|away))? (?:in|to|at) (.+)/,
    words: "live move relocate base reside"
  },
  {
    form: /\b(?:(?:work|works|working|employed) (?:at|for)|joined) (.+)/,
    words: "work join employ"
  },
  {
    form: /\b(?:am|is|are|got|currently|now) (single|married|engaged|divorced|widowed)\b/,
    words: "single married engaged divorced widowed"
  }
]

/** Further words by which older facts are found, because people often name the same relation with another verb. */
export const relatedWords = (text: string): string => {
  const plain = plainWords(text).join(" ")
  return relations.flatMap(({ form, words }) => (form.test(plain) ? [words] : [])).join(" ")
}

interface Read {
  readonly text: string
  readonly words: ReadonlyArray<string>
  readonly plain: string
  readonly subject: string
  /** Whether the text begins with words which say that something is different from now on. */
  readonly isChange: boolean
  /** The stems of the content words, without those of the subject. */
  readonly stems: ReadonlySet<string>
}

const dayNames = /\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b/gi

/** The words without the phrase which says that something is different from now on. */
const wordsOf = (plain: string): ReadonlyArray<string> =>
  plain.replace(changePhrase, "").replace(/^now /, "").split(" ")

const subjectOf = ([first = ""]: ReadonlyArray<string>) => (speaker.has(first) ? "user" : first)

const read = (text: string): Read => {
  const plain = plainWords(text).join(" ")
  const words = wordsOf(plain)
  const first = words[0] ?? ""
  const subject = subjectOf(words)
  const stems = new Set(analyse(text.replaceAll(dayNames, "weekday")))
  for (const stem of analyse(first)) stems.delete(stem)
  return { text, words, plain: words.join(" "), subject, stems, isChange: changePhrase.test(plain) }
}

const without = (stems: ReadonlySet<string>, ...lists: ReadonlyArray<ReadonlySet<string>>) => {
  const taken = new Set(lists.flatMap((list) => [...list].flatMap((word) => analyse(word))))
  return [...stems].filter((stem) => !taken.has(stem))
}

/** The value of a relation without the words after it. For example `berlin with her family` becomes `berlin`. */
const valueIn = (form: RegExp, plain: string) =>
  form
    .exec(plain)?.[1]
    ?.split(/ (?:and|but|with|since|because|for|as|now|instead|last|this|next|in|at|near|on) /)[0]
    .replace(/ (?:now|instead|again|today|recently|currently)$/, "")

const isOtherValue = (fresh: Read, old: Read): boolean =>
  relations.some(({ form }) => {
    const [now, before] = [valueIn(form, fresh.plain), valueIn(form, old.plain)]
    return now !== undefined && before !== undefined && now !== before && !now.startsWith(`${before} `)
  })

const isEnding = ({ plain, words }: Read) =>
  words.some((word) => endingWords.has(word)) || endingPhrases.some((form) => form.test(plain))

const sharedOf = (fresh: Read, old: Read, ...lists: ReadonlyArray<ReadonlySet<string>>) => {
  const [one, other] = [without(fresh.stems, ...lists), without(old.stems, ...lists)]
  return { shared: one.filter((stem) => other.includes(stem)).length, least: Math.min(one.length, other.length) }
}

const isEnded = (fresh: Read, old: Read): boolean => {
  if (!isEnding(fresh) || isEnding(old)) return false
  const { least, shared } = sharedOf(fresh, old, endingWords)
  return shared >= 1 && shared * 3 >= least
}

const attributeForm = /^(?:the|our|my|(?:\w+ )?favou?rite|\p{L}+['’]s)\b.*$/iu

const attributeOf = (text: string) => {
  const [, attribute, value] = /^(.+?)\s+(?:is|are)\s+(.+?)[.!]?$/i.exec(text.trim()) ?? []
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

const isOtherAttribute = (fresh: Read, old: Read): boolean => {
  const [now, before] = [attributeOf(fresh.text), attributeOf(old.text)]
  if (now === undefined || before === undefined || now.name !== before.name) return false
  const shape = shapeOf(now.value)
  if (shape !== shapeOf(before.value) || now.value.toLowerCase() === before.value.toLowerCase()) return false
  // "My sister is a doctor" stands beside "my sister is tall": plain words replace each other only under a longer name.
  return shape !== "text" || now.length >= 3 || /favou?rite/.test(now.name)
}

const counts = setOf("has have owns own got is are am costs cost weighs weigh needs need")
const isYear = (word: string) => /^(?:19|20)\d\d$/.test(word)

const isOtherCount = (fresh: Read, old: Read): boolean => {
  if (fresh.words.length !== old.words.length) return false
  const differing = fresh.words.flatMap((word, at) => (word === old.words[at] ? [] : [at]))
  const [at] = differing
  if (differing.length !== 1 || at === undefined || at === 0) return false
  const both = [fresh.words[at], old.words[at]]
  // "Sprint 3 is done" names a sprint, "has three kids" counts them.
  return both.every((word) => isNumber(word) && !isYear(word)) && counts.has(fresh.words[at - 1])
}

const isChanged = (fresh: Read, old: Read): boolean => {
  const isStrong = fresh.isChange || fresh.words.some((word) => changeWords.has(word))
  if (!isStrong && !fresh.words.some((word) => weakChangeWords.has(word))) return false
  const { least, shared } = sharedOf(fresh, old, changeWords, weakChangeWords)
  return shared >= 1 && (isStrong ? shared * 2 >= least : shared * 2 > least)
}

/**
 * Whether the fact has words to which one of the rules could apply. Most facts have none, and are compared with no
 * other fact.
 */
const mayReplace = (fresh: Read): boolean =>
  fresh.subject !== "" &&
  !fresh.words.some((word) => unsure.has(word)) &&
  (fresh.isChange ||
    fresh.words.some((word) => changeWords.has(word) || weakChangeWords.has(word)) ||
    fresh.words.some((word, at) => isNumber(word) && counts.has(fresh.words[at - 1])) ||
    isEnding(fresh) ||
    relations.some(({ form }) => form.test(fresh.plain)) ||
    attributeOf(fresh.text) !== undefined)

/**
 * Makes the function that compares a new fact with an older one. It answers the rule by which the new fact replaces the
 * older one, or undefined if both hold. Null if no rule can apply to the new fact.
 */
export const supersession = (newText: string): ((oldText: string) => Rule | undefined) | null => {
  const fresh = read(newText)
  if (!mayReplace(fresh)) return null
  const isNegated = fresh.words.some((word) => negations.has(word))
  return (oldText) => {
    if (subjectOf(wordsOf(plainWords(oldText).join(" "))) !== fresh.subject) return undefined
    const old = read(oldText)
    if (fresh.plain === old.plain || old.words.includes("?")) return undefined
    if (!isNegated && isOtherValue(fresh, old)) return 1
    if (isEnded(fresh, old)) return 2
    if (!isNegated && isOtherAttribute(fresh, old)) return 3
    if (isOtherCount(fresh, old)) return 4
    return isChanged(fresh, old) ? 5 : undefined
  }
}

/** The rule by which the new fact replaces the old one. Undefined if both facts hold. */
export const supersedes = (newText: string, oldText: string): Rule | undefined => supersession(newText)?.(oldText)
