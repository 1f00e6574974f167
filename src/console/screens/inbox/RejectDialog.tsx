/** Asks the person for the reason of a rejection. The agent that made the proposal can read the reason. */
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { SelectField, TextArea, textsOf } from "../../ui/Field.tsx"
import { decide } from "./decisions.ts"
import type { Decided } from "./DecisionQueue.ts"

const codes = [
  ["not_wanted", "Not wanted"],
  ["incorrect", "Incorrect"],
  ["incomplete", "Incomplete"],
  ["duplicate", "A duplicate"],
  ["unsafe", "Unsafe"],
  ["other", "Another reason"]
] as const

const reasonMax = 2000

interface RejectProps {
  readonly proposals: ReadonlyArray<Decided>
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onDecided: () => void
}

export const RejectDialog = ({ proposals, isOpen, onClose, onDecided }: RejectProps) => (
  <Dialog
    title={proposals.length === 1 ? `Reject “${proposals[0]?.summary ?? ""}”` : `Reject ${proposals.length} proposals`}
    isOpen={isOpen}
    onClose={onClose}
  >
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        const { code = "", reason = "" } = textsOf(event.currentTarget)
        onClose()
        decide({
          verb: "reject",
          proposals,
          reasonCode: code,
          ...(reason.trim() === "" ? {} : { reason: reason.trim() })
        })
        onDecided()
      }}
    >
      <TextArea
        label="Reason"
        hint="The agent reads it, so say what to do differently."
        name="reason"
        maxLength={reasonMax}
        autoFocus
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit()
        }}
      />
      <SelectField label="Kind of reason" name="code">
        {codes.map(([code, text]) => (
          <option key={code} value={code}>
            {text}
          </option>
        ))}
      </SelectField>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" kind="danger">
          Reject
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  </Dialog>
)
