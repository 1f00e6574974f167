/**
 * Shows the fields that somebody changed while the proposal waited. For each field it shows the earlier value, the
 * current value and the proposed value. The person who decides chooses one of these values.
 */
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { hub } from "../../api/hub.ts"
import { Button } from "../../ui/Button.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { TextArea } from "../../ui/Field.tsx"
import { showToast } from "../../ui/Toasts.tsx"
import { conflictKey, contentOf, type FieldConflict, type Resolution, resolvedContent } from "./editing.ts"
import type { ProposalWhole } from "./inboxText.ts"
import { valueText } from "./JsonChanges.tsx"
import { pathText } from "./jsonDiff.ts"

const Side = ({ name, value }: { readonly name: string; readonly value: unknown }) => (
  <div className="border-line min-w-0 rounded-md border p-2">
    <p className="text-muted text-xs">{name}</p>
    <p className="whitespace-pre-wrap">{valueText(value)}</p>
  </div>
)

const Choice = ({
  name,
  label,
  isChosen,
  onChoose
}: {
  readonly name: string
  readonly label: string
  readonly isChosen: boolean
  readonly onChoose: () => void
}) => (
  <label className="flex items-center gap-2">
    <input type="radio" name={name} checked={isChosen} onChange={onChoose} className="size-4 accent-[var(--accent)]" />
    {label}
  </label>
)

const OneConflict = ({
  conflict,
  resolution,
  onResolve
}: {
  readonly conflict: FieldConflict
  readonly resolution: Resolution | undefined
  readonly onResolve: (resolution: Resolution) => void
}) => {
  const name = conflictKey(conflict)
  return (
    <fieldset className="grid min-w-0 gap-2">
      <legend className="font-medium">
        <code>{pathText(conflict.path)}</code>
      </legend>
      <div className="grid gap-2 sm:grid-cols-3">
        <Side name="When it was proposed" value={conflict.base} />
        <Side name="Now" value={conflict.current} />
        <Side name="Proposed" value={conflict.proposed} />
      </div>
      <div className="flex flex-wrap gap-4">
        <Choice
          name={name}
          label="Keep what is there now"
          isChosen={resolution?.take === "current"}
          onChoose={() => onResolve({ take: "current" })}
        />
        <Choice
          name={name}
          label="Take what is proposed"
          isChosen={resolution?.take === "proposed"}
          onChoose={() => onResolve({ take: "proposed" })}
        />
        <Choice
          name={name}
          label="Write my own"
          isChosen={resolution?.take === "own"}
          onChoose={() => onResolve({ take: "own", text: valueText(conflict.proposed ?? conflict.current ?? "") })}
        />
      </div>
      {resolution?.take === "own" && (
        <TextArea
          label={`Own value for ${pathText(conflict.path)}`}
          value={resolution.text}
          onChange={({ target }) => onResolve({ take: "own", text: target.value })}
        />
      )}
    </fieldset>
  )
}

export const Conflicts = ({ proposal }: { readonly proposal: ProposalWhole }) => {
  const queries = useQueryClient()
  const [resolutions, setResolutions] = useState<Readonly<Record<string, Resolution>>>({})
  const [error, setError] = useState<unknown>(undefined)
  const [isBusy, setBusy] = useState(false)
  const { conflicts } = proposal
  const unresolvedCount = conflicts.filter((each) => resolutions[conflictKey(each)] === undefined).length
  const save = async () => {
    setBusy(true)
    try {
      const data = resolvedContent(contentOf(proposal), conflicts, resolutions)
      await hub("PATCH /api/hub/proposals/:id", {
        params: { id: proposal.id },
        body: { data, expectedRevision: proposal.revision }
      })
      await queries.invalidateQueries({ queryKey: ["proposals"] })
      showToast({ text: "The conflicts are resolved. The proposal still waits for your decision." })
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <section aria-label="Conflicts" className="border-warn bg-warn-soft grid gap-3 rounded-md border p-3">
      <h3 className="text-warn font-semibold">
        {conflicts.length === 1 ? "1 field was" : `${conflicts.length} fields were`} changed since this was proposed
      </h3>
      {conflicts.map((conflict) => (
        <OneConflict
          key={conflictKey(conflict)}
          conflict={conflict}
          resolution={resolutions[conflictKey(conflict)]}
          onResolve={(resolution) => setResolutions({ ...resolutions, [conflictKey(conflict)]: resolution })}
        />
      ))}
      {error !== undefined && <ErrorBox error={error} />}
      <div className="flex flex-wrap items-center gap-3">
        <Button kind="primary" disabled={unresolvedCount > 0} isBusy={isBusy} onClick={() => void save()}>
          Save the resolution
        </Button>
        {unresolvedCount > 0 && (
          <span className="text-muted">
            Choose for {unresolvedCount === 1 ? "1 more field" : `${unresolvedCount} more fields`}.
          </span>
        )}
      </div>
    </section>
  )
}
