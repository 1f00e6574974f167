/** Finds the name of the record that an event is about. */
import { useNames } from "../../api/useNames.ts"
import { useRecordTitle } from "../../api/useRecordTitle.ts"
import { type EventOfSubject, subjectNames } from "./subjectNames.ts"

/**
 * The name comes from the event itself, from `known` (the names in other events), from the list of people and agents, or
 * from the pod. Undefined if the event is about no record, or if the name is unknown.
 */
export const useSubjectName = (event: EventOfSubject, known?: ReadonlyMap<string, string>): string | undefined => {
  const { isNamed, name } = useNames()
  const id = event.subjectId
  const listed =
    id === undefined
      ? undefined
      : (known?.get(id) ?? subjectNames([event]).get(id) ?? (isNamed(id) ? name(id) : undefined))
  const title = useRecordTitle(listed === undefined ? id : undefined)
  return listed ?? title
}
