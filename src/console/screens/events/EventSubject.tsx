/** Shows the record that an event is about: its type and its name. The tooltip shows the id of the record. */
import { type EventOfSubject, subjectText } from "./subjectNames.ts"
import { useSubjectName } from "./useSubjectName.ts"

interface EventSubjectProps {
  readonly event: EventOfSubject
  /** The names that other events of the same list have for their records. */
  readonly known?: ReadonlyMap<string, string>
  /** True if the list already shows the type of the record. Then a known name stands alone. */
  readonly isTypeShown?: boolean
}

export const EventSubject = ({ event, isTypeShown = false, known }: EventSubjectProps) => {
  const name = useSubjectName(event, known)
  const text = isTypeShown && name !== undefined ? name : subjectText(event, name)
  return text === undefined ? null : (
    <span title={event.subjectId} className="wrap-anywhere">
      {text}
    </span>
  )
}
