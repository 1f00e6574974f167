/**
 * Compiles the WHEN clause. The clause is an event type, a phrase that means an event type (such as "a task is
 * created"), or a schedule.
 */
import { Either } from "effect"
import { ClauseRefused, lengthsMax, type Trigger } from "./Automation.ts"
import { type CompileResult, excerpt, refuseClause, textOf, tokensOf } from "./Clause.ts"
import { isSchedule, readSchedule, writeSchedule } from "./Schedule.ts"

const eventForm = /^[a-zA-Z_-][a-zA-Z0-9_-]*(?:\.(?:\*|[a-zA-Z0-9_-]+))+$/
const slugForm = /^[a-z0-9][a-z0-9_-]{0,63}$/

const eventVerbs: Readonly<Record<string, string>> = {
  ...Object.fromEntries(["create", "creates", "created", "add", "adds", "added"].map((word) => [word, "create"])),
  ...Object.fromEntries(
    ["update", "updates", "updated", "change", "changes", "changed", "edit", "edits", "edited"].map((word) => [
      word,
      "update"
    ])
  ),
  ...Object.fromEntries(
    ["delete", "deletes", "deleted", "remove", "removes", "removed"].map((word) => [word, "delete"])
  )
}
const eventVerbOf = (word: string): string | undefined =>
  Object.hasOwn(eventVerbs, word) ? eventVerbs[word] : undefined

const anyRecordWords = new Set(["something", "anything", "thing", "entity", "record"])
// Types of records that are not entities. The types of their events begin with the name of the record type, such as
// `document.create`.
const ownRecords = new Set(["workspace", "document", "project", "view", "channel", "artifact", "agent", "proposal"])

const passive =
  /^(?:(?:a|an|any|every|each|some|the|another) )?(?:new )?(.+?) (is|was|gets|has been|are|were|get|have been) (\w+)$/
const active = /^(?:someone|somebody|anyone|anybody|i|we) (\w+) (?:(?:a|an|any|some|the|another) )?(?:new )?(.+)$/
const manyVerbs = new Set(["are", "were", "get", "have been"])

const singular = (word: string): string => word.replace(/ies$/, "y").replace(/([^s])s$/, "$1")

/** Returns the event type of an action on a kind of record, or null if the text does not name a kind. */
const eventOf = (kind: string, verb: string | undefined): string | null => {
  if (verb === undefined) return null
  if (anyRecordWords.has(kind)) return `entity.*.${verb}`
  const slug = kind.replaceAll(" ", "-")
  if (!slugForm.test(slug)) return null
  return ownRecords.has(slug) ? `${slug}.${verb}` : `entity.${slug}.${verb}`
}

const inWords = (text: string): string | null => {
  const done = passive.exec(text)
  if (done !== null) {
    const [, kind, verb, participle] = done
    return participle.endsWith("ed")
      ? eventOf(manyVerbs.has(verb) ? singular(kind) : kind, eventVerbOf(participle))
      : null
  }
  const doing = active.exec(text)
  return doing === null ? null : eventOf(doing[2], eventVerbOf(doing[1]))
}

export const compileTrigger = (clause: string): CompileResult<Trigger> =>
  Either.gen(function* () {
    const tokens = yield* tokensOf("when", clause)
    const raw = textOf(tokens)
    if (raw === "")
      return yield* refuseClause(
        "when",
        "is empty: write an event or a time, such as “a task is created” or “every day at 9:00”."
      )
    if (raw.length > lengthsMax.when)
      return yield* refuseClause("when", `is longer than ${lengthsMax.when} characters.`)
    if (tokens.length === 1 && eventForm.test(raw) && raw.length <= lengthsMax.eventType) {
      return { kind: "event" as const, eventType: raw }
    }
    const text = raw.toLowerCase()
    if (isSchedule(text)) {
      const cron = yield* Either.mapLeft(readSchedule(text), (why) => new ClauseRefused({ clause: "when", why }))
      return { kind: "schedule" as const, cron }
    }
    const eventType = inWords(text)
    if (eventType !== null) return { kind: "event" as const, eventType }
    return yield* refuseClause(
      "when",
      `says "${excerpt(raw)}", which is neither an event (entity.task.create, a task is created) nor a time (every day at 9:00).`
    )
  })

/** Writes a trigger in the form that it has in a canonical sentence. */
export const writeTrigger = (trigger: Trigger): string =>
  trigger.kind === "event" ? trigger.eventType : writeSchedule(trigger.cron)
