/**
 * Makes a draft of a rule from a proposal. The rule would let the agent make similar changes without approval. The rule
 * applies only after the person has created it from the draft.
 */
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { change } from "../../api/procedures.ts"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { SelectField, textsOf } from "../../ui/Field.tsx"
import { showToast } from "../../ui/Toasts.tsx"
import { contentOf } from "./editing.ts"
import type { Names } from "../../api/useNames.ts"
import type { ProposalWhole } from "./inboxText.ts"

const dayMs = 86_400_000

interface RuleProps {
  readonly proposal: ProposalWhole
  readonly name: Names
  readonly workspace: Names
  readonly isOpen: boolean
  readonly onClose: () => void
}

export const RuleDraftDialog = ({ proposal, name, workspace, isOpen, onClose }: RuleProps) => {
  const queries = useQueryClient()
  const [error, setError] = useState<unknown>(undefined)
  const [isBusy, setBusy] = useState(false)
  const { agentUserId, id, proposalType, workspaceId } = proposal
  const profile = contentOf(proposal)["profileSlug"]
  const create = async (form: HTMLFormElement) => {
    const { days = "30", kinds = "all" } = textsOf(form)
    setBusy(true)
    try {
      await change("governanceRules.create", {
        ...(agentUserId === null ? {} : { agentUserId }),
        scopeKind: workspaceId === null ? "pod" : "workspace",
        ...(workspaceId === null ? {} : { workspaceId }),
        targetKind: "action",
        targetPattern: proposalType,
        ...(kinds === "one" && typeof profile === "string" ? { targetProfile: profile } : {}),
        verdict: "auto",
        sourceProposalId: id,
        ...(days === "never" ? {} : { expiresAt: new Date(Date.now() + Number(days) * dayMs).toISOString() })
      })
      setError(undefined)
      onClose()
      showToast({ text: `The rule is created. ${name(agentUserId)} no longer asks before ${proposalType}.` })
      await queries.invalidateQueries({ queryKey: ["governanceRules"] })
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog title="Always allow this?" isOpen={isOpen} onClose={onClose}>
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          void create(event.currentTarget)
        }}
      >
        <p>
          With this rule, <strong>{name(agentUserId)}</strong> may do <code>{proposalType}</code> in{" "}
          <strong>
            {workspaceId === null
              ? "your personal space and wherever no rule asks for approval"
              : workspace(workspaceId)}
          </strong>{" "}
          without asking you. This proposal itself still waits for your decision.
        </p>
        {typeof profile === "string" && (
          <SelectField label="For which records" name="kinds" defaultValue="one">
            <option value="one">Only {profile}</option>
            <option value="all">Every kind</option>
          </SelectField>
        )}
        <SelectField label="How long" name="days" hint="When a rule ends, you decide again whether you still want it.">
          <option value="30">30 days</option>
          <option value="90">90 days</option>
          <option value="never">Until somebody revokes it</option>
        </SelectField>
        {error !== undefined && <ErrorBox error={error} />}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" kind="danger" isBusy={isBusy}>
            Create the rule
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  )
}
