/**
 * The fields in which the person chooses the holder of the key: the person, an existing agent, a new agent, or an app
 * of the pod.
 */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useRef, useState } from "react"
import { change, procedureQuery } from "../../api/procedures.ts"
import { Button } from "../../ui/Button.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { CheckField, SelectField, TextField } from "../../ui/Field.tsx"
import { canWrite, type KeyDraft } from "./keyDraft.ts"

interface DraftFieldsProps {
  readonly draft: KeyDraft
  readonly onChange: (draft: KeyDraft) => void
}

interface NewAgentProps {
  /** The permissions with which the new agent is allowed to propose changes. Empty if the agent's key cannot write. */
  readonly permissions: ReadonlyArray<string>
  /** True if the form is open at first, because the person has no agent yet. */
  readonly isOpen: boolean
  readonly onMade: (agentId: string) => void
}

const NewAgent = ({ isOpen, onMade, permissions }: NewAgentProps) => {
  const queries = useQueryClient()
  const [name, setName] = useState("")
  const [isProposing, setProposing] = useState(true)
  const capabilities = isProposing ? permissions : []
  const make = useMutation({
    mutationFn: () => change("agents.create", { name: name.trim(), capabilities }),
    onSuccess: async (agent) => {
      setName("")
      await queries.invalidateQueries({ queryKey: ["agents"] })
      onMade(agent.id)
    }
  })
  return (
    <details open={isOpen}>
      <summary>Create a new agent</summary>
      <div className="grid gap-2 pt-2">
        <TextField
          label="Name of the agent"
          maxLength={100}
          value={name}
          onChange={({ target }) => setName(target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return
            // Without this, Enter would submit the outer form, which makes the key.
            event.preventDefault()
            if (name.trim() !== "" && !make.isPending) make.mutate()
          }}
          hint={
            permissions.length === 0
              ? "The agent reads what you see, and its key cannot write."
              : "The agent reads what you see. You can allow it to write later, on the page Agents."
          }
        />
        {permissions.length > 0 && (
          <CheckField
            label="The agent may propose changes"
            hint="The writes of the agent wait for your approval. If you do not tick this, the agent can only read."
            checked={isProposing}
            onChange={({ target }) => setProposing(target.checked)}
          />
        )}
        {make.error !== null && <ErrorBox error={make.error} />}
        <div>
          <Button isBusy={make.isPending} disabled={name.trim() === ""} onClick={() => make.mutate()}>
            Create the agent
          </Button>
        </div>
      </div>
    </details>
  )
}

const holders = [
  { id: "me", name: "Me", about: "A program of mine, which acts as me." },
  { id: "agent", name: "An agent", about: "An agent of mine. Its writes become proposals unless a rule allows them." },
  { id: "app", name: "An app or service", about: "A service key. Only the owner of the pod can make one." }
] as const

export const HolderFields = ({ draft, onChange }: DraftFieldsProps) => {
  const agents = useQuery(procedureQuery("agents.list", {}))
  // The person can edit the draft while the pod makes the agent. So the console uses the latest draft, not the draft at
  // the click.
  const latest = useRef(draft)
  latest.current = draft
  return (
    <div className="grid gap-3">
      <fieldset className="grid gap-2">
        <legend className="sr-only">Who will hold it?</legend>
        {holders.map(({ about, id, name }) => (
          <label key={id} className="flex items-start gap-2">
            <input
              type="radio"
              name="holder"
              className="mt-1"
              checked={draft.holder === id}
              onChange={() => onChange({ ...draft, holder: id })}
            />
            <span>
              {name} <span className="text-muted">{about}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {draft.holder === "agent" && (
        <>
          <SelectField
            label="Agent"
            value={draft.agentId}
            onChange={({ target }) => onChange({ ...draft, agentId: target.value })}
          >
            <option value="">Choose an agent</option>
            {(agents.data ?? []).map(({ id, isSuspended, name }) => (
              <option key={id} value={id}>
                {name}
                {isSuspended ? " (suspended)" : ""}
              </option>
            ))}
          </SelectField>
          {agents.error !== null && <ErrorBox error={agents.error} onRetry={() => void agents.refetch()} />}
          <NewAgent
            isOpen={agents.data?.length === 0}
            permissions={canWrite(draft) ? draft.grant.permissions : []}
            onMade={(agentId) => onChange({ ...latest.current, agentId })}
          />
        </>
      )}
      {draft.holder === "app" && (
        <TextField
          label="Name of the app or service"
          maxLength={120}
          value={draft.hubId}
          onChange={({ target }) => onChange({ ...draft, hubId: target.value })}
        />
      )}
    </div>
  )
}
