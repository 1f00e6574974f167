/**
 * A form for the fields of a record. The definition of a field decides which control the field gets. The typed text
 * stays in the form until the pod has accepted it.
 */
import { useMutation } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { Refusal } from "../../api/refusal.ts"
import { Button } from "../../ui/Button.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { FormField } from "./FormField.tsx"
import { changeOf, type FormChange, type FormShape, formText } from "./formShapes.ts"
import { VersionConflict } from "./VersionConflict.tsx"

type Fields = Readonly<Record<string, unknown>>

interface RecordFormProps {
  /** The name of the form for screen readers. */
  readonly label: string
  readonly shapes: ReadonlyArray<FormShape>
  /** The values that the record has before the edit. Empty for a new record. */
  readonly before: Fields
  /** The version of the record on which the form is based. 0 for a new record. */
  readonly version: number
  readonly submitName: string
  /** Writes the change to the record. The change is based on the version `version`. Rejects with a `Refusal`. */
  readonly onSubmit: (change: FormChange, version: number) => Promise<void>
  /** Reads the record again after somebody else has changed it. Absent for a new record. */
  readonly readAgain?: () => Promise<{ readonly version: number; readonly fields: Fields }>
}

const textsOfRecord = (shapes: ReadonlyArray<FormShape>, fields: Fields) =>
  Object.fromEntries(shapes.map((shape) => [shape.name, formText(shape, fields[shape.name])]))

export const RecordForm = ({ label, onSubmit, readAgain, shapes, submitName, ...shown }: RecordFormProps) => {
  // The values and the version of the record when the person began to edit. The console computes the person's change
  // from these values, so they stay even if the console reads the record again.
  const [base, setBase] = useState({ before: shown.before, version: shown.version })
  const [texts, setTexts] = useState(() => textsOfRecord(shapes, shown.before))
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({})
  const beginFrom = (before: Fields, version: number) => {
    setBase({ before, version })
    setTexts(textsOfRecord(shapes, before))
  }
  const write = useMutation({
    mutationFn: ({ change, from }: { readonly change: FormChange; readonly from: number }) => onSubmit(change, from)
  })
  const isTouched = shapes.some((shape) => texts[shape.name] !== formText(shape, base.before[shape.name]))
  if (shown.version !== base.version && (write.isSuccess || !isTouched)) {
    beginFrom(shown.before, shown.version)
    write.reset()
  }
  const submit = (from: number) => {
    const change = changeOf(shapes, texts, base.before)
    setFaults(change.faults)
    if (Object.keys(change.faults).length === 0) write.mutate({ change, from })
  }
  const { error } = write
  const isConflict = error instanceof Refusal && error.status === 409 && error.code === "VERSION_CONFLICT"
  return (
    <form
      aria-label={label}
      noValidate
      className="grid max-w-2xl gap-3"
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        submit(base.version)
      }}
    >
      {shapes.map((shape) => (
        <FormField
          key={shape.name}
          shape={shape}
          text={texts[shape.name] ?? ""}
          former={base.before[shape.name]}
          fault={faults[shape.name]}
          onChange={(text) => setTexts((now) => ({ ...now, [shape.name]: text }))}
        />
      ))}
      {isConflict && readAgain !== undefined ? (
        <VersionConflict
          shapes={shapes}
          texts={texts}
          before={base.before}
          readAgain={readAgain}
          onKeepMine={submit}
          onTakeTheirs={(fields, version) => {
            beginFrom(fields, version)
            write.reset()
          }}
        />
      ) : (
        error !== null && <ErrorBox error={error} />
      )}
      <div>
        <Button type="submit" kind="primary" isBusy={write.isPending}>
          {submitName}
        </Button>
      </div>
    </form>
  )
}
