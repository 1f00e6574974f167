/**
 * The form that calls an operation and shows the answer. The call uses the session of the person, or a key that the
 * person pastes.
 */
import { type FormEvent, useState } from "react"
import { currentSession } from "../../api/session.ts"
import { Badge } from "../../ui/Badge.tsx"
import { Button } from "../../ui/Button.tsx"
import { Copyable } from "../../ui/Copyable.tsx"
import { TextArea, TextField } from "../../ui/Field.tsx"
import { WhyRefused } from "../../ui/WhyRefused.tsx"
import { attemptOfCall, callOf, type Credential, curlOf, type FilledForm, type Outcome, perform } from "./attempt.ts"
import type { Entry } from "../../api/reference.ts"
import { resolveReference, sample, typeOf } from "../../api/schemaWords.ts"
import type { Key } from "./useKeyDoors.ts"

interface TryItProps {
  readonly entry: Entry
  readonly keys: ReadonlyArray<Key>
  /** The key that the person pasted. If empty, the call uses the session of the person. */
  readonly pasted: string
}

const bodyNames = { rest: "Body", procedure: "Input", tool: "Arguments" } as const

const credentialFor = ({ credentials }: Entry, pasted: string): Credential =>
  pasted !== ""
    ? { kind: "bearer", secret: pasted }
    : credentials.length === 0
      ? { kind: "session", secret: "" }
      : { kind: "session", secret: currentSession()?.token ?? "" }

const noteOf = ({ credentials }: Entry, { kind, secret }: Credential): string => {
  if (credentials.length === 0) return "This operation needs no credential."
  if (!credentials.includes(kind)) {
    return kind === "session"
      ? "This operation accepts only a key. Paste a key above."
      : "This operation accepts only a sign-in. Remove the key from the field above."
  }
  return kind === "session" && secret !== ""
    ? "The call is sent in your name."
    : "The call is sent with the pasted key."
}

const startingBody = ({ api, body }: Entry): string | undefined =>
  body === undefined ? undefined : JSON.stringify(body.example ?? sample(api, body.schema), undefined, 2)

export const TryIt = ({ entry, keys, pasted }: TryItProps) => {
  const [filled, setFilled] = useState<FilledForm>(() => ({ parameters: {}, body: startingBody(entry) }))
  const [outcome, setOutcome] = useState<Outcome | undefined>()
  const [isBusy, setBusy] = useState(false)
  const credential = credentialFor(entry, pasted)
  const call = callOf(entry, filled, credential)
  const isWrite = entry.surface === "rest" ? entry.kind !== "get" : entry.kind === "mutation" || entry.kind === "tool"
  const send = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setOutcome(await perform(call, credential, entry.isStream))
    setBusy(false)
  }
  return (
    <form onSubmit={(event) => void send(event)} className="grid gap-3">
      {entry.parameters.length > 0 && (
        <div className="grid gap-3 sm:grid-cols-2">
          {entry.parameters
            .map((each) => resolveReference(entry.api, each))
            .map(({ in: place, name, required, schema }) => (
              <TextField
                key={`${place} ${name}`}
                label={`${name} (${place})`}
                placeholder={typeOf(entry.api, schema)}
                required={required === true}
                autoComplete="off"
                spellCheck={false}
                value={filled.parameters[name] ?? ""}
                onChange={({ target }) =>
                  setFilled({ ...filled, parameters: { ...filled.parameters, [name]: target.value } })
                }
              />
            ))}
        </div>
      )}
      {filled.body !== undefined && (
        <TextArea
          label={bodyNames[entry.surface]}
          className="font-mono"
          rows={8}
          spellCheck={false}
          value={filled.body}
          onChange={({ target }) => setFilled({ ...filled, body: target.value })}
        />
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" kind={isWrite ? "danger" : "primary"} isBusy={isBusy}>
          {isWrite ? "Send for real" : "Send"}
        </Button>
        <span className="text-muted">{noteOf(entry, credential)}</span>
      </div>
      <div role="status" className="grid min-w-0 gap-2">
        {outcome !== undefined && (
          <>
            <p>
              <Badge tone={outcome.isGood ? "good" : "bad"}>{outcome.isGood ? "done" : "failed"}</Badge>{" "}
              {outcome.verdict}
            </p>
            {outcome.isForbidden && entry.credentials.includes("bearer") && (
              <div>
                <WhyRefused
                  {...attemptOfCall(entry, call)}
                  keyId={keys.find(({ lastFour }) => pasted.endsWith(lastFour))?.id}
                />
              </div>
            )}
            {outcome.text !== "" && <Copyable text={outcome.text.trim()} name="the answer" />}
          </>
        )}
      </div>
      <Copyable text={curlOf(call, credential, entry.credentials.length > 0)} name="the curl command" />
    </form>
  )
}
