/**
 * The question "Can it …?" about a key: an operation, and an object if the operation needs one. The pod answers with
 * its decision and the rule behind it.
 */
import { useQuery } from "@tanstack/react-query"
import { type FormEvent, useId, useState } from "react"
import { procedureQuery } from "../../api/procedures.ts"
import { Badge } from "../../ui/Badge.tsx"
import { Button } from "../../ui/Button.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { textsOf, TextField } from "../../ui/Field.tsx"
import type { Preview } from "./previewFigures.ts"
import type { PreviewInput } from "./useGrantPreview.ts"

type Question = NonNullable<PreviewInput["can"]>

const verdicts = {
  allow: { word: "Yes", tone: "good" },
  propose: { word: "As a proposal", tone: "warn" },
  deny: { word: "No", tone: "bad" }
} as const

const filled = (texts: Readonly<Record<string, string>>): Question => {
  const { kind = "", objectId = "", operation = "", objectType = "" } = texts
  return {
    operation: operation.trim(),
    ...(objectId.trim() === "" ? {} : { objectId: objectId.trim() }),
    ...(objectType.trim() === "" ? {} : { objectType: objectType.trim() }),
    ...(kind.trim() === "" ? {} : { kind: kind.trim() })
  }
}

const Answer = ({ input, question }: { readonly input: PreviewInput; readonly question: Question }) => {
  const { data, error } = useQuery(procedureQuery("grants.preview", { ...input, can: question }))
  if (error !== null) return <ErrorBox error={error} />
  if (data?.can === undefined || data.can === null) return <p className="text-muted">Asking …</p>
  const { code, reason, rung, verdict } = data.can
  return (
    <div className="grid gap-1">
      <p>
        <Badge tone={verdicts[verdict].tone}>{verdicts[verdict].word}</Badge> <code>{question.operation}</code>
      </p>
      {reason !== null && <p>{reason}</p>}
      {(code !== null || rung !== null) && (
        <p className="text-muted">
          Decided by {rung === null ? "the door" : `the rule ${rung}`}
          {code !== null && (
            <>
              : <code>{code}</code>
            </>
          )}
        </p>
      )}
    </div>
  )
}

export const CanIt = ({
  input,
  operations
}: {
  readonly input: PreviewInput
  readonly operations: Preview["doors"]
}) => {
  const id = useId()
  const [question, setQuestion] = useState<Question>()
  const ask = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    event.stopPropagation()
    const next = filled(textsOf(event.currentTarget))
    if (next.operation !== "") setQuestion(next)
  }
  return (
    <section className="grid gap-2">
      <h3 className="font-semibold">Can it …?</h3>
      <form onSubmit={ask} className="grid gap-2">
        <TextField
          label="Operation"
          name="operation"
          list={id}
          required
          maxLength={120}
          placeholder="entities.update, or svc_get_entities"
          autoComplete="off"
        />
        <datalist id={id}>
          {[...new Set(operations.map(({ operation }) => operation))].map((operation) => (
            <option key={operation} value={operation} />
          ))}
        </datalist>
        <details>
          <summary>About one object</summary>
          <div className="grid gap-2 pt-2">
            <TextField label="Id of the object" name="objectId" autoComplete="off" />
            <TextField
              label="Type of the object"
              name="objectType"
              hint="Only if the operation does not say it, such as document."
              autoComplete="off"
            />
            <TextField label="Kind of a new entity" name="kind" placeholder="note" autoComplete="off" />
          </div>
        </details>
        <div>
          <Button type="submit">Ask</Button>
        </div>
      </form>
      <div aria-live="polite">{question !== undefined && <Answer input={input} question={question} />}</div>
    </section>
  )
}
