/**
 * The question "Can it …?" about a key. The person enters an operation (a name, a method and a path, or an MCP tool),
 * and an object if the operation needs one. The pod answers with its decision, the rule for this decision, and the
 * permissions that matched or nearly matched.
 */
import { useQuery } from "@tanstack/react-query"
import { type FormEvent, useId, useState } from "react"
import { procedureQuery } from "../../api/procedures.ts"
import { Badge } from "../../ui/Badge.tsx"
import { Button } from "../../ui/Button.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { Facts } from "../../ui/Facts.tsx"
import { textsOf, TextField } from "../../ui/Field.tsx"
import type { PreviewInput } from "./useGrantPreview.ts"
import { type QuestionTexts, type Question, useQuestion } from "./useQuestion.ts"
import { Inline } from "../../ui/Inline.tsx"

const verdicts = {
  allow: { word: "Yes", tone: "good" },
  propose: { word: "As a proposal", tone: "warn" },
  deny: { word: "No", tone: "bad" }
} as const

const toQuestionTexts = ({
  kind,
  objectId,
  objectType,
  operation = ""
}: Readonly<Record<string, string>>): QuestionTexts => ({
  operation: operation.trim(),
  objectId,
  objectType,
  kind
})

const Codes = ({ none, texts }: { readonly texts: ReadonlyArray<string>; readonly none: string }) =>
  texts.length === 0 ? (
    <>{none}</>
  ) : (
    <ul className="flex flex-wrap gap-1">
      {texts.map((text) => (
        <li key={text}>
          <code>{text}</code>
        </li>
      ))}
    </ul>
  )

const DecisionAnswer = ({ input, question }: { readonly input: PreviewInput; readonly question: Question }) => {
  const { data, error, refetch } = useQuery(procedureQuery("grants.preview", { ...input, can: question }))
  if (error !== null) return <ErrorBox error={error} onRetry={() => void refetch()} />
  if (data?.can === undefined || data.can === null) return <p className="text-muted">Asking …</p>
  const { code, matched, nearMisses, reason, required, rung, verdict } = data.can
  return (
    <div className="grid gap-2">
      <p>
        <Badge tone={verdicts[verdict].tone}>{verdicts[verdict].word}</Badge> <code>{question.operation}</code>
      </p>
      {reason !== null && (
        <p>
          <Inline text={reason} />
        </p>
      )}
      <Facts
        facts={[
          ["Needs", <Codes texts={required} none="no permission" />],
          ["Matched", <Codes texts={matched} none="none" />],
          ...(nearMisses.length === 0 ? [] : [["Nearly matched", <Codes texts={nearMisses} none="none" />] as const]),
          ...(code === null && rung === null
            ? []
            : [
                [
                  "Decided by",
                  <>
                    {rung === null ? "the door" : `the rule ${rung}`}
                    {code !== null && (
                      <>
                        : <code>{code}</code>
                      </>
                    )}
                  </>
                ] as const
              ])
        ]}
      />
    </div>
  )
}

const Answer = ({ texts, input }: { readonly input: PreviewInput; readonly texts: QuestionTexts | undefined }) => {
  const { error, fault, question, retry } = useQuestion(texts)
  if (error !== undefined) return <ErrorBox error={error} onRetry={retry} />
  if (fault !== undefined)
    return (
      <p>
        <Inline text={fault} />
      </p>
    )
  return question === undefined ? null : <DecisionAnswer input={input} question={question} />
}

interface CanItProps {
  readonly input: PreviewInput
  /** Names of operations that the field suggests. */
  readonly operations: ReadonlyArray<string>
  /** A question that the component asks at once, without a click. */
  readonly first?: QuestionTexts | undefined
}

export const CanIt = ({ first, input, operations }: CanItProps) => {
  const id = useId()
  const [texts, setTexts] = useState(first)
  const ask = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    event.stopPropagation()
    const next = toQuestionTexts(textsOf(event.currentTarget))
    if (next.operation !== "") setTexts(next)
  }
  return (
    <section className="grid gap-2">
      <h3 className="font-semibold">Can it …?</h3>
      <form onSubmit={ask} className="grid gap-2">
        <TextField
          label="Operation"
          hint="A method and a path, the name of an operation, or an MCP tool."
          name="operation"
          list={id}
          required
          maxLength={300}
          defaultValue={first?.operation ?? ""}
          placeholder="PATCH /api/hub/entities/…, or svc_get_entity"
          autoComplete="off"
          spellCheck={false}
        />
        <datalist id={id}>
          {[...new Set(operations)].map((operation) => (
            <option key={operation} value={operation} />
          ))}
        </datalist>
        <TextField
          label="Id of the object"
          hint="Only if the operation acts on one object and its path does not name it."
          name="objectId"
          defaultValue={first?.objectId ?? ""}
          autoComplete="off"
          spellCheck={false}
        />
        <details>
          <summary>More about the object</summary>
          <div className="grid gap-2 pt-2">
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
      <div aria-live="polite">
        <Answer input={input} texts={texts} />
      </div>
    </section>
  )
}
