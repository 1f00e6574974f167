/** What the pod sent in a call of a delivery: the headers with the signatures, and the body. */
import { useState } from "react"
import { Copyable } from "../../ui/Copyable.tsx"
import { SelectField } from "../../ui/Field.tsx"
import { type Attempt, headerLines } from "./webhookFacts.ts"

const Body = ({ call: { requestBody, requestBodyTruncated } }: { readonly call: Attempt }) =>
  requestBody === null ? (
    <p>You may not read the event of this call, so you cannot read the body.</p>
  ) : (
    <>
      <Copyable name="the body" text={requestBody} />
      {requestBodyTruncated && <p>The body was longer. The pod keeps 16 kB of it, so the signature does not match.</p>}
    </>
  )

interface SentRequestsProps {
  /** The calls of the delivery, the latest first. */
  readonly calls: ReadonlyArray<Attempt>
}

export const SentRequests = ({ calls }: SentRequestsProps) => {
  const [chosen, setChosen] = useState<string>()
  const call = calls.find(({ attempt }) => String(attempt) === chosen) ?? calls[0]
  if (call === undefined) return null
  return (
    <div className="grid gap-3">
      {calls.length > 1 && (
        <SelectField label="Call" value={call.attempt} onChange={({ target }) => setChosen(target.value)}>
          {calls.map(({ attempt, responseStatus }) => (
            <option key={attempt} value={attempt}>
              {attempt}: {responseStatus === null ? "no answer" : `HTTP ${responseStatus}`}
            </option>
          ))}
        </SelectField>
      )}
      {call.requestHeaders === null ? (
        <p>An earlier version of the pod made this call, and kept only the answer.</p>
      ) : (
        <>
          <Copyable name="the headers" text={headerLines(call.requestHeaders)} />
          <Body call={call} />
          <p className="text-muted">
            The pod keeps the last 20 calls of a delivery for 30 days: of the request the headers and 16 kB of the body,
            and of the answer the status, the headers without cookies, and 16 kB of the text.
          </p>
        </>
      )}
    </div>
  )
}
