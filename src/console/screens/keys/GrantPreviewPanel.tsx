/**
 * Shows what a key with this grant could do: a sentence, the numbers of records with samples, and the operations with
 * reasons. The pod computes this preview.
 */
import { Badge } from "../../ui/Badge.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { CanIt } from "./CanIt.tsx"
import { CompareGrants } from "./CompareGrants.tsx"
import { countsOf, doorsOf, type Preview, totalOf } from "./previewFigures.ts"
import { type PreviewInput, useGrantPreview, useWholePreview } from "./useGrantPreview.ts"
import { Inline } from "../../ui/Inline.tsx"

const numbers = new Intl.NumberFormat("en")

/** Shows one record of the person, whether the key can read it, and the rule that decides this. */
const SampleRow = ({
  isRead,
  rule,
  title
}: {
  readonly title: string
  readonly rule: string
  readonly isRead: boolean
}) => (
  <li className="grid min-w-0">
    <span className="wrap-break-word">
      <span aria-hidden>{isRead ? "✓" : "✗"} </span>
      <span className="sr-only">{isRead ? "Reads: " : "Does not read: "}</span>
      {title}
    </span>
    <span className="text-muted">{isRead ? <>by {<code>{rule}</code>}</> : rule}</span>
  </li>
)

const Counts = ({ preview, whole }: { readonly preview: Preview; readonly whole: Preview | undefined }) => {
  const counts = countsOf(preview, whole)
  return (
    <section className="grid gap-2">
      <h3 className="font-semibold">What it reads</h3>
      <p>
        <strong>{numbers.format(totalOf(preview))}</strong> {totalOf(preview) === 1 ? "record" : "records"}
        {whole !== undefined && <> of {numbers.format(totalOf(whole))} that you can see</>}.
      </p>
      <ul className="grid gap-1">
        {counts.map(({ count, countedName, missed, name, of, samples }) => (
          <li key={name}>
            {samples.length + missed.length === 0 ? (
              <span className={count === 0 ? "text-muted" : ""}>
                {count === 0 ? "✗" : "✓"} {numbers.format(count)} of {numbers.format(of)} {countedName}
              </span>
            ) : (
              <details>
                <summary className={count === 0 ? "text-muted" : ""}>
                  {count === 0 ? "✗" : "✓"} {numbers.format(count)} of {numbers.format(of)} {countedName}
                </summary>
                <ul className="border-line my-1 ml-2 grid gap-1 border-l pl-3">
                  {samples.map((sample) => (
                    <SampleRow key={sample.id} {...sample} isRead />
                  ))}
                  {missed.map((sample) => (
                    <SampleRow key={sample.id} {...sample} isRead={false} />
                  ))}
                  {samples.length > 0 && count > samples.length && (
                    <li className="text-muted">and {numbers.format(count - samples.length)} more</li>
                  )}
                </ul>
              </details>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

const Names = ({ names }: { readonly names: ReadonlyArray<string> }) => (
  <ul className="border-line my-1 ml-2 grid max-h-60 gap-0.5 overflow-y-auto border-l pl-3" tabIndex={0}>
    {names.map((name) => (
      <li key={name}>
        <code>{name}</code>
      </li>
    ))}
  </ul>
)

const Doors = ({ preview }: { readonly preview: Preview }) => (
  <section className="grid gap-2">
    <h3 className="font-semibold">Operations</h3>
    {doorsOf(preview).map(({ closed, name, open, surface }) => (
      <div key={surface} className="grid gap-1">
        <p>
          <strong>{name}</strong>{" "}
          <Badge tone={open.length === 0 ? "plain" : "good"}>
            {open.length} of {open.length + closed.reduce((sum, { operations }) => sum + operations.length, 0)} open
          </Badge>
        </p>
        {open.length > 0 && (
          <details>
            <summary>✓ {open.length} open</summary>
            <Names names={open} />
          </details>
        )}
        {closed.map(({ code, operations, reason }) => (
          <details key={reason}>
            <summary>
              ✗ {operations.length} closed: <Inline text={reason} />
              {code !== "" && <code className="text-muted"> {code}</code>}
            </summary>
            <Names names={operations} />
          </details>
        ))}
      </div>
    ))}
  </section>
)

const Risks = ({ preview: { risks } }: { readonly preview: Preview }) =>
  risks.length === 0 ? null : (
    <section className="bg-warn-soft text-warn grid gap-1 rounded-md p-2">
      <h3 className="font-semibold">Check carefully</h3>
      <ul className="list-disc pl-5">
        {risks.map(({ code, reason }) => (
          <li key={code}>
            <Inline text={reason} />
          </li>
        ))}
      </ul>
    </section>
  )

/** Shows the parts of the grant that no longer exist, or that the person can no longer read. */
const LostAccessList = ({ preview: { lost } }: { readonly preview: Preview }) =>
  lost.length === 0 ? null : (
    <section className="bg-warn-soft text-warn grid gap-1 rounded-md p-2">
      <h3 className="font-semibold">Lost since the key was made</h3>
      <ul className="list-disc pl-5">
        {lost.map(({ id, reason, type }) => (
          <li key={`${type} ${id}`} className="wrap-anywhere">
            <Inline text={reason} /> <code>{id}</code>
          </li>
        ))}
      </ul>
    </section>
  )

interface GrantPreviewPanelProps {
  /**
   * The grant about which the console asks the pod. Undefined if the draft is incomplete, and then `missing` says what
   * is missing.
   */
  readonly input: PreviewInput | undefined
  readonly missing?: string | undefined
  readonly keyId?: string
}

export const GrantPreviewPanel = ({ input, keyId, missing }: GrantPreviewPanelProps) => {
  const preview = useGrantPreview(input)
  const whole = useWholePreview()
  if (input === undefined) {
    return (
      <p className="text-muted" role="status">
        {missing}
      </p>
    )
  }
  return (
    <QueryResult what="the preview" query={preview}>
      {(data) => (
        <div className={`grid min-w-0 gap-4 ${preview.isPlaceholderData ? "opacity-60" : ""}`}>
          <p role="status" className="text-base font-medium">
            <Inline text={data.sentence} />
          </p>
          <Risks preview={data} />
          <LostAccessList preview={data} />
          <Counts preview={data} whole={whole.data} />
          <Doors preview={data} />
          <CanIt input={input} operations={data.doors.map(({ operation }) => operation)} />
          <CompareGrants preview={data} exceptKeyId={keyId} />
        </div>
      )}
    </QueryResult>
  )
}
