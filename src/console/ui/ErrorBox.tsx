/**
 * Says why something failed. Shows the request id for people who read the logs, and a button to try again. For a
 * refused action, a button shows the reasons.
 */
import { Refusal } from "../api/refusal.ts"
import { podRoot } from "../api/root.ts"
import { Button } from "./Button.tsx"
import { WhyRefused } from "./WhyRefused.tsx"
import { Inline } from "./Inline.tsx"

/** Shows the code of a refusal, with a link to the page that explains it. */
const Code = ({ code, docs }: { readonly code: string; readonly docs: string | undefined }) =>
  docs === undefined ? (
    <code>{code}</code>
  ) : (
    <a href={new URL(docs.replace(/^\//, ""), podRoot).href} target="_blank" rel="noreferrer">
      <code>{code}</code>
    </a>
  )

export const ErrorBox = ({
  error,
  onRetry
}: {
  readonly error: unknown
  readonly onRetry?: (() => void) | undefined
}) => {
  const refusal = error instanceof Refusal ? error : undefined
  const isExplained = refusal?.status === 403 && refusal.attempt !== undefined
  const message = error instanceof Error ? error.message : String(error)
  return (
    <div role="alert" className="border-bad bg-bad-soft grid gap-2 rounded-md border p-3">
      <p className="font-medium">
        <Inline text={message} />
      </p>
      {refusal !== undefined && refusal.faults.length > 0 && (
        <ul className="list-disc pl-5">
          {refusal.faults.map(({ message: text, path }) => (
            <li key={`${path}${text}`}>
              {path !== "" && <code>{path}: </code>}
              <Inline text={text} />
            </li>
          ))}
        </ul>
      )}
      {refusal !== undefined && (refusal.code !== "" || refusal.requestId !== undefined) && (
        <p className="text-muted">
          {refusal.code !== "" && <Code code={refusal.code} docs={refusal.docs} />}
          {refusal.requestId !== undefined && (
            <>
              {" "}
              Request <code>{refusal.requestId}</code>
            </>
          )}
        </p>
      )}
      {(onRetry !== undefined || isExplained) && (
        <div className="flex flex-wrap gap-2">
          {onRetry !== undefined && <Button onClick={onRetry}>Retry</Button>}
          {isExplained && <WhyRefused {...refusal.attempt} refusal={refusal} />}
        </div>
      )}
    </div>
  )
}
