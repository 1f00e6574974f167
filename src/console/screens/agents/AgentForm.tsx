/**
 * The form for an agent: its name, its capabilities, and whether a person approves its writes. If no capability is
 * ticked, the agent can only read.
 */
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { change, type ProcedureOutput } from "../../api/procedures.ts"
import { Button } from "../../ui/Button.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { CheckField, TextField } from "../../ui/Field.tsx"
import { showToast } from "../../ui/Toasts.tsx"
import { UnsavedGuard } from "../../ui/UnsavedGuard.tsx"
import { useKinds } from "../keys/GrantEditor.tsx"
import { GrantMatrix } from "../keys/GrantMatrix.tsx"
import { everyPermission } from "../keys/permissionMatrix.ts"

export type Agent = ProcedureOutput<"agents.list">[number]

interface AgentFormProps {
  /** The agent to edit. If absent, the form makes a new agent. */
  readonly agent?: Agent | undefined
  readonly onDone: (agent: Agent) => void
}

export const AgentForm = ({ agent, onDone }: AgentFormProps) => {
  const queries = useQueryClient()
  const kinds = useKinds()
  const [name, setName] = useState(agent?.name ?? "")
  const [capabilities, setCapabilities] = useState<ReadonlyArray<string>>(agent?.capabilities ?? [])
  const [isAsking, setAsking] = useState(agent?.writesRequireProposal ?? true)
  const values = JSON.stringify([name.trim(), capabilities.toSorted(), isAsking])
  const [savedValues, setSavedValues] = useState(values)
  const save = useMutation({
    mutationFn: (): Promise<Agent> =>
      agent === undefined
        ? change("agents.create", { name: name.trim(), capabilities })
        : change("agents.update", {
            agentId: agent.id,
            name: name.trim(),
            capabilities,
            writesRequireProposal: isAsking
          }),
    onMutate: () => values,
    onSuccess: async (savedAgent, _input, sentValues) => {
      setSavedValues(sentValues)
      await Promise.all(["agents", "agentConfigs"].map((group) => queries.invalidateQueries({ queryKey: [group] })))
      showToast({ text: `The agent ${savedAgent.name} is saved.` })
      onDone(savedAgent)
    }
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <form onSubmit={submit} className="grid min-w-0 gap-4" aria-label="Agent">
      <UnsavedGuard
        what={agent === undefined ? "the new agent" : `the agent ${agent.name}`}
        isChanged={values !== savedValues}
        openedBy="agent"
      />
      <TextField
        label="Name"
        required
        maxLength={100}
        autoComplete="off"
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <section className="grid min-w-0 gap-2">
        <h3 className="font-semibold">Capabilities</h3>
        <p role="status">
          {capabilities.length === 0
            ? "No box is ticked, so the agent can only read."
            : `The agent may make the ticked changes${isAsking ? ", and you approve each change first" : ""}.`}
        </p>
        <CheckField
          label="Everything (*)"
          checked={capabilities.includes(everyPermission)}
          onChange={({ target }) =>
            setCapabilities(
              target.checked ? [everyPermission] : capabilities.filter((each) => each !== everyPermission)
            )
          }
        />
        <GrantMatrix isForWriting permissions={capabilities} kinds={kinds} onChange={setCapabilities} />
      </section>
      {agent !== undefined && (
        <CheckField
          label="I approve its writes first"
          hint="The agent's writes become proposals in your inbox, unless a rule or a workspace says otherwise."
          checked={isAsking}
          onChange={({ target }) => setAsking(target.checked)}
        />
      )}
      {save.error !== null && <ErrorBox error={save.error} />}
      <div>
        <Button type="submit" kind="primary" isBusy={save.isPending}>
          {agent === undefined ? "Create the agent" : "Save the agent"}
        </Button>
      </div>
    </form>
  )
}
