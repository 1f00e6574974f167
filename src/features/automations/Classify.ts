/**
 * Finds the class of a text from which a person wants to make a rule (compatibility reference §11.1). Examples of
 * classes are a fact, a behaviour, a schedule, and a request that is meant only for now.
 */
import { Schema } from "effect"
import { type CueHit, cuesOf, mentionOf, wordsOf } from "./CueMatch.ts"
import type { CueFamily } from "./Cues.ts"
import { described } from "../../doors/Fields.ts"

/**
 * The classes (shapes) that a text can have. If two shapes have the same confidence, the shape that is earlier in this
 * list is the primary shape.
 */
const standingShapes = ["structure", "fact", "behaviour", "extraction", "notification", "schedule"] as const

export const RuleShape = Schema.Literal(...standingShapes, "unknown")
export type RuleShape = typeof RuleShape.Type

/**
 * The classes (shapes) of a text (specification §4.5). `shapes` is never empty. Its first shape has the highest
 * confidence, and `primary` is this shape.
 */
export const Classification = Schema.Struct({
  shapes: described(
    "Shapes that the text of the rule can have.",
    Schema.Array(
      Schema.Struct({
        shape: described("One shape that the text of the rule can have.", RuleShape),
        confidence: described("How certain the pod is that the text has the shape, from 0 to 1.", Schema.Number),
        cues: described("Words of the text that indicate the shape.", Schema.Array(Schema.String))
      })
    )
  ),
  primary: described("The most likely shape of the text.", RuleShape),
  oneShot: described("Whether the action should happen only once.", Schema.Boolean),
  needsClarification: described(
    "A question for the person, if the text is unclear.",
    Schema.optional(
      Schema.Struct({
        reason: described("Why the text is unclear, as a sentence for people.", Schema.String),
        question: Schema.String
      })
    )
  )
}).annotations({ identifier: "RuleClassification" })
export type Classification = typeof Classification.Type

/** The capabilities and profiles that the caller names to help the classification. */
export interface ClassifyContext {
  readonly capabilities?: ReadonlyArray<string> | undefined
  readonly profiles?: ReadonlyArray<string> | undefined
}

const confidenceMax = 0.95
const actionsMax = 0.3 // the maximum that all action verbs of a text together add to the confidence
const contextWeight = 0.15
// the maximum number of recognized phrases in the answer for one class; without it, a long text would make a long
// answer
const cuesMax = 50

const families: Record<(typeof standingShapes)[number], ReadonlyArray<CueFamily>> = {
  structure: ["structure"],
  fact: ["fact"],
  behaviour: ["trigger", "each"],
  extraction: ["extraction"],
  notification: ["notification"],
  schedule: ["schedule"]
}

type Cue = Pick<CueHit, "cue" | "start" | "weight">

/** Returns each phrase once, even if it occurs several times or with different spacing. */
const distinct = (hits: ReadonlyArray<CueHit>): ReadonlyArray<CueHit> => [
  ...new Map(hits.toReversed().map((hit) => [hit.cue.toLowerCase().replaceAll(/\s+/g, " "), hit])).values()
]

const total = (cues: ReadonlyArray<Cue>): number => cues.reduce((sum, { weight }) => sum + weight, 0)
const shownCues = (cues: ReadonlyArray<Cue>): ReadonlyArray<string> =>
  cues
    .toSorted((one, other) => one.start - other.start)
    .slice(0, cuesMax)
    .map(({ cue }) => cue)

const questions = {
  empty: "The text is empty. What should the pod remember or do?",
  nothing_recognised:
    "Should the pod remember the text as a fact, act each time an event happens, or act only once, now?",
  once_or_standing: "Should the pod act only once, now, or should the text become a rule for the future?",
  trigger_without_action: "The text says when, but not what to do. What should happen?",
  schedule_without_action: "The text says how often, but not what to do. What should happen each time?"
} as const
const clarification = (reason: keyof typeof questions) => ({
  needsClarification: { reason, question: questions[reason] }
})

const unknown = (cues: ReadonlyArray<string>) => ({
  shapes: [{ shape: "unknown" as const, confidence: 0, cues }],
  primary: "unknown" as const
})

/**
 * Classifies a text of any length. The same text and context always give the same answer. The confidence of a class is
 * the sum of the weights of its distinct phrases in the text, at most 0.95. If the text has a phrase of the class
 * `behaviour`, action verbs and the capabilities of the context raise the confidence of this class. If the text has a
 * phrase of the class `structure`, the profiles of the context raise the confidence of this class.
 */
export const classify = (text: string, context: ClassifyContext = {}): Classification => {
  if (text.trim() === "") return { ...unknown([]), oneShot: false, ...clarification("empty") }
  const words = wordsOf(text)
  const hits = cuesOf(text, words)
  const of = (...families: ReadonlyArray<CueFamily>) => distinct(hits.filter(({ family }) => families.includes(family)))
  const mentioned = (names: ReadonlyArray<string> = []): ReadonlyArray<Cue> => {
    const mention = mentionOf(text, words, names)
    return mention === null ? [] : [{ ...mention, weight: contextWeight }]
  }
  const capability = mentioned(context.capabilities)
  const profile = mentioned(context.profiles)
  const actions = of("action")

  const shapes = standingShapes
    .flatMap((shape) => {
      const own = of(...families[shape])
      if (own.length === 0) return []
      const named = shape === "behaviour" ? capability : shape === "structure" ? profile : []
      const verbs = shape === "behaviour" ? actions : []
      const sum = total(own) + total(named) + Math.min(actionsMax, total(verbs))
      const confidence = Math.round(Math.min(confidenceMax, sum) * 100) / 100
      return [{ shape, confidence, cues: shownCues([...own, ...named, ...verbs]) }]
    })
    .toSorted((one, other) => other.confidence - one.confidence)

  const framing = of("framing")
  if (shapes.length === 0) {
    const once = [...framing, ...of("study", "polite", "question")]
    if (once.length > 0) return { ...unknown(shownCues(once)), oneShot: true }
    return { ...unknown([]), oneShot: false, ...clarification("nothing_recognised") }
  }
  const standing = { shapes, primary: shapes[0].shape, oneShot: false }
  if (framing.length > 0) return { ...standing, ...clarification("once_or_standing") }
  if ([...actions, ...capability, ...of("notification", "extraction", "study")].length > 0) return standing
  if (of("trigger").length > 0) return { ...standing, ...clarification("trigger_without_action") }
  return of("schedule").length > 0 ? { ...standing, ...clarification("schedule_without_action") } : standing
}
