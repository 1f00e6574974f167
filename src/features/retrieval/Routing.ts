/**
 * Decides by the phrases of a question which substrates answer the question. A phrase of one word, such as `every`, has
 * an effect only at the beginning of a question that names a kind. In other places, the word can be a part of a title.
 */

/**
 * The substrates: the groups of records in which the pod can look for an answer. `semantic`: entities and documents.
 * `structured`: a list of entities of one kind. `procedural`: knowledge entries. `episodic`: memory facts.
 */
export const substrates = ["semantic", "structured", "procedural", "episodic"] as const
export type Substrate = (typeof substrates)[number]

export interface Route {
  /** The substrates that answer the question, `semantic` first. */
  readonly routedTo: ReadonlyArray<Substrate>
  /**
   * The first of `structured`, `procedural` and `episodic` that a phrase of the question suggests. `semantic` if no
   * phrase suggests one of them.
   */
  readonly intent: Substrate
  /** The kinds that the question names, in the order in which it names them. */
  readonly profileTypes: ReadonlyArray<string>
  /** The status that listed tasks must have. Undefined if the question names no status. */
  readonly status: "open" | "pending" | "done" | "completed" | undefined
  /** Whether the question is about a time. */
  readonly isTemporal: boolean
  /**
   * How sure the choice of the substrates is, from 0 to 1. It is 0.9 if the phrases of the question suggest one
   * substrate, 0.7 if they suggest several, and 0.5 if they suggest none.
   */
  readonly confidence: number
}

const anyOf = (...phrases: ReadonlyArray<string>) =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${phrases.join("|")})(?![\\p{L}\\p{N}])`, "iu")

const proceduralCues = anyOf(
  "how (?:do|can|should|would) (?:i|we|you|one)",
  "how to",
  "steps? (?:to|for)",
  "instructions? (?:to|for)",
  "(?:docs|documentation|guide|guidelines) (?:for|on|to)",
  "run ?books?",
  "play ?books?",
  "walk-?throughs?",
  "what is (?:the|our) (?:process|procedure|policy) (?:for|to|on)"
)

const episodicCues = anyOf(
  "what did (?:i|we) (?:say|tell|discuss|decide|agree|talk|mention|ask)",
  "did (?:i|we) (?:ever )?(?:say|tell|discuss|decide|agree|talk|mention)",
  "(?:i|we) (?:talked|spoke|discussed|agreed|decided|mentioned)",
  "(?:i|we) (?:told|said to) you",
  "(?:do|can) you (?:remember|recall)",
  "remember (?:when|that|what|how|my|our)",
  "last time (?:i|we)",
  "our (?:last|previous) (?:conversation|session|chat|discussion)"
)

const enumerativeCues = anyOf(
  "(?:list|show|give)(?: me)?(?: all| the| every| my| our)*",
  "how many",
  "which",
  "what (?:are|were) (?:all |the |my |our )*",
  "all(?: of)? (?:my|our|the)",
  "every"
)
// A phrase can ask for a list only within this number of characters at the start of a question.
const openingMax = 40

const temporalCues = anyOf(
  "today|yesterday|tomorrow|tonight|now|recently|latest|newest|upcoming",
  "(?:this|last|next|past|previous) (?:day|week|month|quarter|year|monday|tuesday|wednesday|thursday|friday|saturday|sunday)",
  "since|before|after|until|when",
  "(?:in|on|by) (?:january|february|march|april|may|june|july|august|september|october|november|december)",
  "(?:19|20)\\d{2}"
)

const statusCue = /(?<![\p{L}\p{N}])(open|pending|done|completed)(?![\p{L}\p{N}])/iu

const escapePattern = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")

/**
 * Finds where the name of a kind begins in the text. The name can be in the singular or the plural. Returns -1 if the
 * text does not contain the name.
 */
const placeOf = (kind: string, text: string): number => {
  const name = escapePattern(kind).replaceAll(/[-_]/g, "[-_ ]")
  const stem = name.endsWith("y") ? `(?:${name}|${name.slice(0, -1)}ies)` : `${name}(?:s|es)?`
  const irregular = kind === "person" ? "|people" : ""
  return text.search(new RegExp(`(?<![\\p{L}\\p{N}])(?:${stem}${irregular})(?![\\p{L}\\p{N}])`, "iu"))
}

/** Chooses the substrates that answer a question. `kinds` are the slugs of the kinds that the caller may read. */
export const routeOf = (text: string, kinds: Iterable<string>): Route => {
  const named = [...kinds]
    .map((kind) => ({ kind, at: placeOf(kind, text) }))
    .filter(({ at }) => at >= 0)
    .toSorted((one, other) => one.at - other.at || (one.kind < other.kind ? -1 : 1))
    .map(({ kind }) => kind)
  const isProcedural = proceduralCues.test(text)
  const isEpisodic = episodicCues.test(text)
  const opens = !isProcedural && !isEpisodic && enumerativeCues.test(text.slice(0, openingMax))
  const isStructured = opens && named.length > 0
  const intent = isStructured ? "structured" : isProcedural ? "procedural" : isEpisodic ? "episodic" : "semantic"
  const candidates: ReadonlyArray<readonly [Substrate, boolean]> = [
    ["semantic", true],
    ["structured", isStructured],
    ["procedural", isProcedural],
    ["episodic", isEpisodic]
  ]
  const state = statusCue.exec(text)?.[1]?.toLowerCase()
  const status = statuses.find((each) => each === state)
  const cues = [isStructured, isProcedural, isEpisodic].filter(Boolean).length
  return {
    routedTo: candidates.flatMap(([substrate, isAsked]) => (isAsked ? [substrate] : [])),
    intent,
    profileTypes: named,
    status: isStructured && named[0] === "task" ? status : undefined,
    isTemporal: temporalCues.test(text),
    confidence: cues === 0 ? 0.5 : cues === 1 ? 0.9 : 0.7
  }
}

const statuses = ["open", "pending", "done", "completed"] as const
