/**
 * Finds the entity that a query means, among several candidates. The functions compare addresses and handles, or the
 * kind and the name. The functions are pure.
 */
import { isEmail, phoneNumber } from "../profiles/AddressForms.ts"
import { parsedUrl } from "../../platform/ParsedUrl.ts"

/**
 * The names of the identity signals. Two entities match if they have the same value for at least one signal, such as
 * the same e-mail address.
 */
export const signalNames = ["email", "phone", "url", "twitter", "github", "externalId"] as const
export type SignalName = (typeof signalNames)[number]

/** One identity signal. `value` is normalized, so that equal signals have equal texts. */
export interface Signal {
  readonly name: SignalName
  readonly value: string
}

export interface IdentityQuery {
  /** The expected kind. If absent, no kind is preferred. */
  readonly kindSlug?: string | undefined
  readonly title?: string | undefined
  readonly signals: ReadonlyArray<Signal>
}

export interface IdentityCandidate {
  readonly id: string
  readonly profileSlug: string
  readonly title: string
  readonly properties: Readonly<Record<string, unknown>>
}

export interface MatchedCandidate {
  readonly entityId: string
  readonly title: string
  readonly profileSlug: string
  /** `strong`: the query and the entity have an equal signal. `weak`: only the kind and the name are equal. */
  readonly match: "strong" | "weak"
  /**
   * What is equal in both entities: the names of the equal identity signals, and `title` if both have the same kind and
   * name.
   */
  readonly on: ReadonlyArray<string>
}

export interface IdentityMatch {
  readonly match: "strong" | "weak" | "none"
  /** The entity that matches best. Null if no entity matches, or if several entities match equally well. */
  readonly entityId: string | null
  /** All entities that match, best first. */
  readonly candidates: ReadonlyArray<MatchedCandidate>
}

// the maximum number of characters of a signal; a longer value is not a signal
const textMax = 2048
// the minimum number of digits of a phone number; a shorter number is a service number or an internal extension
const phoneDigitsMin = 7
// the maximum number of characters of a handle; a longer text is not a handle
const handleMax = 64
const handleForm = /^[a-z0-9_-]*[a-z0-9][a-z0-9_-]*$/
const emptyWords: ReadonlySet<string> = new Set(["", "-", "n/a", "na", "none", "null", "undefined", "unknown", "tbd"])

const email = (text: string): string | null => {
  const address = text.toLowerCase().replace(/^mailto:/, "")
  return isEmail(address) ? address : null
}

const phone = (text: string): string | null => {
  const number = phoneNumber(text.replace(/^tel:/i, ""))
  if (number === null || number.digits.length < phoneDigitsMin || /^(\d)\1*$/.test(number.digits)) return null
  const { digits, extension, isInternational } = number
  return `${isInternational ? "+" : ""}${digits}${extension === "" ? "" : `x${extension}`}`
}

/** Reads a web address. An address without a scheme is read as https. */
const parseWebAddress = (text: string): URL | null => {
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`
  const url = /^https?:/i.test(whole) && !/\s/.test(whole) ? parsedUrl(whole) : undefined
  return url !== undefined && url.username === "" && /[^.]\.[^.]/.test(url.hostname) ? url : null
}

const pathOf = ({ pathname }: URL): string =>
  pathname
    .split("/")
    .filter((part) => part !== "")
    .join("/")
const hostOf = ({ host }: URL): string => (/^www\.[^.]+\./.test(host) ? host.slice(4) : host)

/** Returns true if a parameter only tells where a visitor came from. Such a parameter does not identify the page. */
const isTracking = (name: string) => /^(?:utm_.*|fbclid|gclid|dclid|msclkid|mc_cid|mc_eid|igshid)$/i.test(name)

/**
 * Returns the part of a URL's query that identifies the page. For example, `?id=1` and `?id=2` identify different
 * pages.
 */
const queryOf = ({ searchParams }: URL): string =>
  [...searchParams]
    .filter(([name]) => !isTracking(name))
    .map((pair) => pair.map(encodeURIComponent).join("="))
    .toSorted()
    .join("&")

const url = (text: string): string | null => {
  const address = parseWebAddress(text)
  if (address === null) return null
  const [path, query] = [pathOf(address), queryOf(address)]
  return `${hostOf(address)}${path === "" ? "" : `/${path}`}${query === "" ? "" : `?${query}`}`
}

/**
 * Makes the function that reads a handle. A handle is the name of an account at a service, or the address of the
 * account's page at one of the given hosts.
 */
const handle =
  (...hosts: ReadonlyArray<string>) =>
  (text: string): string | null => {
    const page = text.includes("/") ? parseWebAddress(text) : null
    if (page !== null && !hosts.includes(hostOf(page))) return null
    const name = (page === null ? text : pathOf(page)).replace(/^@/, "").toLowerCase()
    return name.length <= handleMax && handleForm.test(name) ? name : null
  }

const forms: Readonly<Record<SignalName, (text: string) => string | null>> = {
  email,
  phone,
  url,
  twitter: handle("twitter.com", "x.com", "mobile.twitter.com"),
  github: handle("github.com"),
  externalId: (text) => text
}

const normalizeName = (name: string): string => name.toLowerCase().replace(/[_-]/g, "")
const namesByPlain: ReadonlyMap<string, SignalName> = new Map(signalNames.map((name) => [normalizeName(name), name]))

const textsOf = (value: unknown): ReadonlyArray<string> =>
  typeof value === "string" ? [value] : Number.isSafeInteger(value) ? [String(value)] : []

const keyOf = ({ name, value }: Signal): string => `${name} ${value}`

/**
 * Returns the signals in the properties of an entity or in a query, sorted and without repeats. A value is a text, a
 * whole number, or a list of texts and whole numbers. The name of a property can be in any letter case, with or without
 * `_` and `-`. Leaves out a value without the form of the signal. Also leaves out a value that means "none", such as
 * `n/a`, because it would match unrelated entities.
 */
export const signalsOf = (properties: Readonly<Record<string, unknown>>): ReadonlyArray<Signal> => {
  const found = new Map<string, Signal>()
  for (const [key, given] of Object.entries(properties)) {
    const name = namesByPlain.get(normalizeName(key))
    if (name === undefined) continue
    for (const text of (Array.isArray(given) ? given : [given]).flatMap(textsOf).map((one) => one.trim())) {
      const value = text.length > textMax || emptyWords.has(text.toLowerCase()) ? null : forms[name](text)
      if (value !== null) found.set(keyOf({ name, value }), { name, value })
    }
  }
  return [...found].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, signal]) => signal)
}

/** The signals that an entity has after a change of its properties, and the signals that it has lost. */
export interface SignalChange {
  readonly present: ReadonlyArray<Signal>
  readonly removed: ReadonlyArray<Signal>
}

/**
 * Compares the signals before and after a change of the properties. The result lists the removed signals one by one, so
 * that the store removes only these signals. The store keeps the signals of other properties that somebody else writes
 * at the same time.
 */
export const signalChange = (
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>
): SignalChange => {
  const present = signalsOf(after)
  const presentKeys = new Set(present.map(keyOf))
  return { present, removed: signalsOf(before).filter((signal) => !presentKeys.has(keyOf(signal))) }
}

// Accents, but not the vowel signs of other scripts, because a vowel sign changes the word.
const accents = /[\u0300-\u036f]/g
const invisible = /[\u00ad\u200b\u200e\u200f\u2060\ufeff]/g

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text)

const removeAccents = (text: string): string => text.normalize("NFKD").replace(accents, "")

const singleSpaced = (text: string): string => text.replace(/\s+/g, " ").trim()

/**
 * Returns the key by which names are compared: the name in lower case, without accents and invisible characters, and
 * with single spaces.
 */
export const sameNameKey = (title: string): string =>
  isAscii(title)
    ? singleSpaced(title.toLowerCase())
    : // The change to upper case makes ß equal to SS, and makes both small forms of sigma equal.
      // The change to lower case follows, because the key of an ASCII name is also in lower case.
      singleSpaced(
        removeAccents(removeAccents(title.replace(invisible, "")).toUpperCase().toLowerCase()).normalize("NFC")
      )

const placeholderKinds: ReadonlySet<string> = new Set(["person", "company"])
const nouns = "person|people|human|contact|user|customer|client|lead|company|organi[sz]ation|business|entity|name"
const placeholders = [
  `(?:new|unknown|unnamed|untitled|anonymous|test|testing|example|sample|dummy|placeholder|default)(?: (?:${nouns}))?`,
  `(?:an?|the|some|my|no|your) (?:${nouns}|title)`,
  "person|contact|user|customer|company|organi[sz]ation|entity|title|name",
  "(?:first|last|full|company|display) ?name|first ?name last ?name|noname|notitle",
  "some(?:body|one)|nobody|no one|none|null|nil|undefined|nan|n/?a|tb[ad]|to do|todo|asdf|foo|foobar|xxx+|lorem ipsum"
].join("|")
const placeholderForm = new RegExp(`^(?:${placeholders})(?: (?:copy|\\d+))?$`)

/**
 * Returns true if a title is a placeholder for a name, such as `untitled`, `New person 2` or `???`. Returns false for
 * every kind except people and companies.
 */
export const isPlaceholderTitle = (title: string, kindSlug: string): boolean => {
  if (!placeholderKinds.has(kindSlug)) return false
  const words = sameNameKey(title)
    .split(/[^\p{L}\p{M}\p{N}/]+/u)
    .filter((word) => word !== "")
    .join(" ")
  return !/[\p{L}\p{N}]/u.test(words) || placeholderForm.test(words)
}

interface RankedMatch {
  readonly candidate: MatchedCandidate
  /**
   * The three numbers by which matches are sorted: whether the match is strong, whether the entity has the kind of the
   * query, and how many values are equal.
   */
  readonly rank: readonly [strong: number, sameKind: number, equal: number]
}

const byRank = ({ rank: one }: RankedMatch, { rank: other }: RankedMatch): number =>
  other[0] - one[0] || other[1] - one[1] || other[2] - one[2]

const rankCandidate = (query: IdentityQuery, candidate: IdentityCandidate): ReadonlyArray<RankedMatch> => {
  const { id: entityId, profileSlug, title } = candidate
  const own = new Set(signalsOf(candidate.properties).map(keyOf))
  const equal = new Set(query.signals.filter((signal) => own.has(keyOf(signal))).map(({ name }) => name))
  const isOfKind = query.kindSlug === undefined || query.kindSlug === profileSlug
  const name = sameNameKey(query.title ?? "")
  const on = [
    ...signalNames.filter((one) => equal.has(one)),
    ...(isOfKind && name !== "" && name === sameNameKey(title) ? ["title"] : [])
  ]
  if (on.length === 0) return []
  const isStrong = equal.size > 0
  return [
    {
      candidate: { entityId, title, profileSlug, match: isStrong ? "strong" : "weak", on },
      rank: [Number(isStrong), Number(isOfKind), on.length]
    }
  ]
}

/**
 * Finds the entity that the query means. A match is strong if a signal is equal, even if the kinds differ. A match is
 * weak if the kind (if the query has one) and the name key are equal. Strong matches come first, then entities of the
 * kind of the query, then entities with more equal values. If the two best matches are equally good, the result names
 * no entity. The order of the candidates does not matter.
 */
export const matchIdentity = (query: IdentityQuery, candidates: ReadonlyArray<IdentityCandidate>): IdentityMatch => {
  const once = [...new Map(candidates.map((candidate) => [candidate.id, candidate])).values()]
  const matched = once
    .flatMap((candidate) => rankCandidate(query, candidate))
    .toSorted((one, other) => byRank(one, other) || (one.candidate.entityId < other.candidate.entityId ? -1 : 1))
  const [best, next] = matched
  if (best === undefined) return { match: "none", entityId: null, candidates: [] }
  return {
    match: best.candidate.match,
    entityId: next === undefined || byRank(best, next) !== 0 ? best.candidate.entityId : null,
    candidates: matched.map(({ candidate }) => candidate)
  }
}
