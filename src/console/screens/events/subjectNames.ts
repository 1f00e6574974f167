/**
 * Finds the names of the records that events are about in the events themselves. Most events contain the title of their
 * record at the time of the event.
 */
import { visibleText } from "../../../shared/visibleText.ts"
import type { PodEvent } from "../../api/stream.ts"

export type EventOfSubject = Pick<PodEvent, "data" | "subjectId" | "subjectType" | "type">

/**
 * The name of the subject in the data of an event. Only the events of knowledge entries name their subject by a key.
 * The events of access roles have the name among the new values, in `after`.
 */
const nameIn = ({ data, type }: EventOfSubject): string | undefined => {
  const fields = ["title", "name", "keyName", ...(type.startsWith("entity.knowledge.") ? ["key"] : [])]
  const { after } = data
  const newName = typeof after === "object" && after !== null && "name" in after ? after.name : undefined
  return [...fields.map((field) => data[field]), newName].find(
    (value): value is string => typeof value === "string" && value !== ""
  )
}

/**
 * The names of the subjects of these events by id. The events are in the order newest first, so a renamed record gets
 * its latest name. An event without a name gets the name from another event about the same record.
 */
export const subjectNames = (events: ReadonlyArray<EventOfSubject>): ReadonlyMap<string, string> => {
  const names = new Map<string, string>()
  for (const event of events) {
    const { subjectId } = event
    if (subjectId === undefined || names.has(subjectId)) continue
    const name = nameIn(event)
    if (name !== undefined) names.set(subjectId, visibleText(name))
  }
  return names
}

/**
 * The type and the name of an event's subject, such as `entity Plan`. If the name is unknown, the end of the id takes
 * its place. A refused call has no subject, so its operation takes the place. Undefined for any other event without a
 * subject.
 */
export const subjectText = (
  { data, subjectId, subjectType, type }: EventOfSubject,
  name: string | undefined
): string | undefined => {
  if (subjectId !== undefined) return `${subjectType ?? "record"} ${name ?? subjectId.slice(-8)}`
  const { operation } = data
  return type === "access.refused" && typeof operation === "string" ? operation : undefined
}
