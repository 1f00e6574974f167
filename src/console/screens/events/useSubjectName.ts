/** Finds the name of the record that an event is about. */
import { useNames } from "../../api/useNames.ts"
import { useRecordTitle } from "../../api/useRecordTitle.ts"
import { type EventOfSubject, subjectNames } from "./subjectNames.ts"

/**
 * Records of these types can have got another title since the event, and the events of a change do not contain the
 * title. So the title that the pod has now comes first.
 */
const retitledTypes = new Set(["entity", "document", "project", "view", "channel", "thread", "workspace", "automation"])

/**
 * The id of the record whose name stands for the subject. A notification has no name of its own, so it is named after
 * the record that it is about.
 */
const aboutOf = ({ data, subjectId, subjectType }: EventOfSubject): string | undefined => {
  const { aboutId } = data
  return subjectType === "notification" && typeof aboutId === "string" ? aboutId : subjectId
}

/**
 * The name comes from the pod, from the event itself, from `known` (the names in other events) or from the list of
 * people and agents. Undefined if the event is about no record, or if the name is unknown.
 */
export const useSubjectName = (event: EventOfSubject, known?: ReadonlyMap<string, string>): string | undefined => {
  const { isNamed, name } = useNames()
  const id = aboutOf(event)
  const listed =
    id === undefined
      ? undefined
      : (known?.get(id) ?? subjectNames([event]).get(id) ?? (isNamed(id) ? name(id) : undefined))
  const isAsked = listed === undefined || retitledTypes.has(event.subjectType ?? "")
  const title = useRecordTitle(isAsked ? id : undefined)
  return title ?? listed
}
