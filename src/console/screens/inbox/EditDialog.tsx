/**
 * A form in which a person edits the content of a proposal. If the pod refuses the edit, the typed text stays in the
 * form.
 */
import { useState } from "react"
import { useQueryClient } from "@tanstack/react-query"
import { hub } from "../../api/hub.ts"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { TextArea, textsOf } from "../../ui/Field.tsx"
import { tell } from "../../ui/Toasts.tsx"
import { decide } from "./decisions.ts"
import { contentOf, editedContent, fieldsOf } from "./editing.ts"
import type { ProposalWhole } from "./inboxText.ts"

interface EditProps {
  readonly proposal: ProposalWhole
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onDecided: () => void
}

const linesMax = 14

const EditForm = ({ proposal, onClose, onDecided }: Omit<EditProps, "isOpen">) => {
  const queries = useQueryClient()
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({})
  const [error, setError] = useState<unknown>(undefined)
  const [isBusy, setBusy] = useState(false)
  const content = contentOf(proposal)
  const save = async (form: HTMLFormElement, isApproved: boolean) => {
    const edited = editedContent(content, textsOf(form))
    setFaults(edited.faults ?? {})
    if (edited.content === undefined) return
    setBusy(true)
    try {
      const body = { data: edited.content, expectedRevision: proposal.revision }
      const saved = await hub("PATCH /api/hub/proposals/:id", { params: { id: proposal.id }, body })
      onClose()
      await queries.invalidateQueries({ queryKey: ["proposals"] })
      if (!("contentHash" in saved)) return tell({ text: "Your edit became a proposal that needs approval." })
      const { contentHash, id, revision, summary } = saved
      if (isApproved) {
        decide({ verb: "approve", proposals: [{ id, summary, revision, contentHash }] })
        onDecided()
      } else tell({ text: `Saved as revision ${revision}. It still waits for your decision.` })
    } catch (failure) {
      setError(failure)
      setBusy(false)
    }
  }
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        void save(event.currentTarget, true)
      }}
    >
      {fieldsOf(content).map(({ kind, name, text }, at) => (
        <TextArea
          key={name}
          label={name}
          {...(kind === "json" ? { hint: "As JSON." } : {})}
          name={name}
          defaultValue={text}
          rows={Math.min(text.split("\n").length + 1, linesMax)}
          fault={faults[name]}
          autoFocus={at === 0}
          className={kind === "json" ? "font-mono text-xs" : ""}
        />
      ))}
      {error !== undefined && <ErrorBox error={error} />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" kind="primary" isBusy={isBusy}>
          Save and approve
        </Button>
        <Button
          isBusy={isBusy}
          onClick={({ currentTarget: { form } }) => {
            if (form !== null) void save(form, false)
          }}
        >
          Save only
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  )
}

export const EditDialog = ({ isOpen, ...props }: EditProps) => (
  <Dialog title="Edit the proposal" isOpen={isOpen} onClose={props.onClose} shape="drawer">
    <p className="text-muted">
      Your edit starts from the record as it is now. The agent sees that you changed its proposal.
    </p>
    {isOpen && <EditForm {...props} />}
  </Dialog>
)
