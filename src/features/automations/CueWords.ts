/**
 * The classes of words that the cues can contain, such as `<time>`. Also the words that show whether a verb is an
 * imperative, such as "create" in "please create a task".
 */

const words = (text: string): ReadonlyArray<string> => text.trim().split(/\s+/)

const determiners = words("a an the any some this that these those another my our your his her its their no each every")
const weekdays = words("monday tuesday wednesday thursday friday saturday sunday")
const singularTimes = words(
  `second minute hour day morning noon afternoon evening night midnight week weekday workday weekend fortnight month
   quarter year january february march april may june july august september october november december`
)
const units = words("second minute hour day week fortnight month quarter year")
const plural = (all: ReadonlyArray<string>) => all.map((word) => `${word}s`)
const numbers = words("one two three four five six seven eight nine ten twelve fifteen twenty thirty sixty")

/** After one of these words, a verb form is not an imperative. It is a noun, or it names what somebody else does. */
export const notBeforeOrders: ReadonlySet<string> = new Set([
  ...determiners,
  ...words("i you we they he she it who someone anyone somebody anybody people users customers of")
])

/** If one of these words comes before "you", the next verb counts as an imperative, as in "can you create". */
export const modalVerbs: ReadonlySet<string> = new Set(words("can could would will should must shall"))

/** The word classes with a complete list. The classes without a list are in `openClasses`. */
export const closedClasses: Readonly<Record<string, ReadonlyArray<string>>> = {
  det: determiners,
  some: words(
    "a an the any some another my our your his her its their someone anyone somebody anybody something anything"
  ),
  weekdays: plural(weekdays),
  time: [...weekdays, ...singularTimes],
  times: [...plural(singularTimes), ...plural(weekdays)],
  unit: [...units, ...plural(units)],
  ordinal: words("first second third fourth last other single 1st 2nd 3rd 4th"),
  whom: words("me us him them everyone everybody anyone team@ all"),
  people: words(
    `team owner owners manager managers customer customers client clients user users admin admins assignee author group
     channel sales support lead boss staff members member person people reporter requester colleagues everyone crew
     office organiser organizer sender creator reviewer reviewers editor editors partner partners buyer contact`
  ),
  be: words("is are was were")
}

/**
 * The classes without a list. For each class, a function recognizes the words by their form. The function gets the word
 * as the person wrote it, and the word in lower case.
 */
export const openClasses: Readonly<Record<string, (raw: string, lower: string) => boolean>> = {
  number: (_, lower) => /^\d{1,6}$/.test(lower) || numbers.includes(lower),
  clock: (_, lower) => /^(?:\d{1,2}(?:[:.]\d\d)?(?:am|pm)?|noon|midnight)$/.test(lower),
  owners: (_, lower) =>
    /^\p{L}[\p{L}\p{M}\p{N}-]*(?:'s|s')$/u.test(lower) && !/^(?:it|that|what|who|here|there|let|he|she)'s$/.test(lower),
  name: (raw) => /^(?:\p{Lu}|[#@]|[^@]+@[^@]+$)/u.test(raw) && raw !== "I",
  thing: (_, lower) => /^\p{L}/u.test(lower) && !notThings.has(lower)
}

// After "every", these words begin a time, a number or another phrase. So they do not name the thing that the rule is
// about.
const notThings = new Set([
  ...weekdays,
  ...singularTimes,
  ...plural(weekdays),
  ...plural(singularTimes),
  ...numbers,
  ...words("other single first second third fourth last time times now so and or of to few")
])
