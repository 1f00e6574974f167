/**
 * Shows the governance rules of a workspace. A rule is about one kind of write by an agent. It says whether the pod
 * applies the write at once or waits for the decision of a person.
 */
import { useQuery } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { change, procedureQuery, type ProcedureOutput } from "../../api/procedures.ts"
import { useWrite } from "../../api/useWrite.ts"
import { ConfirmButton } from "../../ui/ConfirmButton.tsx"
import { Badge } from "../../ui/Badge.tsx"
import { Button } from "../../ui/Button.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { SelectField, TextField, textsOf } from "../../ui/Field.tsx"
import { Empty, Panel } from "../../ui/Page.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { type Column, Table } from "../../ui/Table.tsx"
import { Time } from "../../ui/Time.tsx"
import type { WorkspacePartProps } from "./workspaceOf.ts"
import { isManager } from "./workspaceParts.ts"

type Rule = ProcedureOutput<"governanceRules.list">[number]

const Revocation = ({ rule }: { readonly rule: Rule }) => {
  const write = useWrite({
    run: () => change("governanceRules.revoke", { ruleId: rule.id }),
    stale: ["governanceRules", "workspaces"],
    successMessage: () => "The rule is revoked."
  })
  return (
    <ConfirmButton
      name="Revoke"
      label={`Revoke the rule for ${rule.targetPattern}`}
      question={`Revoke the rule for ${rule.targetPattern}?`}
      confirm="Revoke the rule"
      onConfirm={() => write.mutateAsync(undefined)}
    >
      <p>The gate then decides about such writes without this rule.</p>
    </ConfirmButton>
  )
}

const NewRule = ({ workspace, agents }: WorkspacePartProps & { readonly agents: ReadonlyArray<IdAndName> }) => {
  // The React key of the form. A new number makes a new, empty form.
  const [round, setRound] = useState(0)
  const write = useWrite({
    run: (texts: Readonly<Record<string, string>>) =>
      change("governanceRules.create", {
        scopeKind: "workspace",
        workspaceId: workspace.id,
        targetKind: "action",
        targetPattern: (texts["pattern"] ?? "").trim(),
        verdict: texts["verdict"] === "auto" ? "auto" : "propose",
        ...((texts["agent"] ?? "") === "" ? {} : { agentUserId: texts["agent"] })
      }),
    stale: ["governanceRules", "workspaces"],
    successMessage: () => "The rule applies from now on.",
    onDone: () => setRound(round + 1)
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    write.mutate(textsOf(event.currentTarget))
  }
  return (
    <form key={round} onSubmit={submit} className="grid gap-3">
      <div className="grid gap-3 sm:grid-cols-3">
        <TextField label="Action" name="pattern" required hint="Such as entity.create or document.*" />
        <SelectField label="Agent" name="agent">
          <option value="">Every agent</option>
          {agents.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <SelectField label="Then" name="verdict" defaultValue="propose">
          <option value="propose">Wait for a person</option>
          <option value="auto">Carry it out</option>
        </SelectField>
      </div>
      {write.error !== null && <ErrorBox error={write.error} />}
      <div>
        <Button type="submit" kind="primary" isBusy={write.isPending}>
          Add the rule
        </Button>
      </div>
    </form>
  )
}

interface IdAndName {
  readonly id: string
  readonly name: string
}

export const RulesPanel = ({ workspace }: WorkspacePartProps) => {
  const rules = useQuery(procedureQuery("governanceRules.list", { workspaceId: workspace.id }))
  const agents = useQuery(procedureQuery("agents.list", {}))
  const names = new Map(agents.data?.map(({ id, name }) => [id, name]))
  const columns: ReadonlyArray<Column<Rule>> = [
    {
      name: "Action",
      sortBy: ({ targetPattern }) => targetPattern,
      cell: ({ targetPattern }: Rule) => <code>{targetPattern}</code>
    },
    {
      name: "Agent",
      sortBy: ({ agentUserId }) => (agentUserId === null ? "" : names.get(agentUserId)),
      cell: ({ agentUserId }: Rule) => (agentUserId === null ? "every agent" : (names.get(agentUserId) ?? "an agent"))
    },
    {
      name: "Then",
      sortBy: ({ verdict }) => verdict,
      cell: ({ verdict }: Rule) => (
        <Badge tone={verdict === "auto" ? "good" : "warn"}>
          {verdict === "auto" ? "carried out" : "waits for a person"}
        </Badge>
      )
    },
    {
      name: "From",
      cell: ({ provenance }: Rule) => (provenance === "earned" ? "learned from a proposal" : "written by a person")
    },
    { name: "Ends", sortBy: ({ expiresAt }) => expiresAt, cell: ({ expiresAt }: Rule) => <Time at={expiresAt} /> },
    {
      name: "Actions",
      cell: (rule: Rule) => (isManager(workspace.role) ? <Revocation rule={rule} /> : null)
    }
  ]
  return (
    <Panel title="Rules for agents">
      <QueryResult what="the rules" query={rules}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title="This workspace has no rules.">
              <p>Without a rule, the policy above decides.</p>
            </Empty>
          ) : (
            <Table label="Rules for agents" columns={columns} rows={rows} keyOf={({ id }) => id} isWhole />
          )
        }
      </QueryResult>
      {isManager(workspace.role) && <NewRule workspace={workspace} agents={agents.data ?? []} />}
    </Panel>
  )
}
