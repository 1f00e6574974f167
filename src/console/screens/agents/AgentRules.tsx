/**
 * Shows the rules that decide about the writes of an agent: which writes happen at once, and which wait for a person.
 */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { change, procedureQuery, type ProcedureOutput } from "../../api/procedures.ts"
import { Badge } from "../../ui/Badge.tsx"
import { Button } from "../../ui/Button.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { SelectField, TextField } from "../../ui/Field.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { Time } from "../../ui/Time.tsx"

type Rule = ProcedureOutput<"governanceRules.listAll">[number]

const ruleWords = ({ targetKind, targetPattern, targetProfile }: Rule): string =>
  targetKind === "profile"
    ? `every write of ${targetPattern}`
    : `${targetPattern}${targetProfile === null ? "" : ` of ${targetProfile}`}`

const RuleRow = ({ onRevoke, rule }: { readonly rule: Rule; readonly onRevoke: () => void }) => (
  <li className="border-line flex flex-wrap items-center gap-2 rounded-md border p-2">
    <Badge tone={rule.verdict === "auto" ? "good" : "warn"}>
      {rule.verdict === "auto" ? "without asking" : "asks you"}
    </Badge>
    <code>{ruleWords(rule)}</code>
    <span className="text-muted">
      {rule.principalKind === "any" ? "every agent" : "this agent"},{" "}
      {rule.scopeKind === "pod" ? "everywhere" : "in one workspace"},{" "}
      {rule.provenance === "earned" ? "learned from a decision" : "written by you"} <Time at={rule.createdAt} />
    </span>
    <Button kind="quiet" className="ml-auto" aria-label={`Revoke the rule about ${ruleWords(rule)}`} onClick={onRevoke}>
      Revoke
    </Button>
  </li>
)

export const AgentRules = ({ agentId }: { readonly agentId: string }) => {
  const queries = useQueryClient()
  const rules = useQuery(procedureQuery("governanceRules.listAll", {}))
  const [pattern, setPattern] = useState("")
  const [verdict, setVerdict] = useState<"auto" | "propose">("auto")
  const again = () => queries.invalidateQueries({ queryKey: ["governanceRules"] })
  const revoke = useMutation({
    mutationFn: (ruleId: string) => change("governanceRules.revoke", { ruleId }),
    onSettled: again
  })
  const add = useMutation({
    mutationFn: () =>
      change("governanceRules.create", {
        agentUserId: agentId,
        scopeKind: "pod",
        targetKind: "action",
        targetPattern: pattern.trim(),
        verdict
      }),
    onSuccess: () => setPattern(""),
    onSettled: again
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    add.mutate()
  }
  return (
    <div className="grid min-w-0 gap-4">
      <QueryResult what="the rules" query={rules}>
        {(all) => {
          const mine = all.filter((rule) => rule.principalKind === "any" || rule.agentUserId === agentId)
          return mine.length === 0 ? (
            <p className="text-muted">No rule names this agent.</p>
          ) : (
            <ul className="grid gap-2">
              {mine.map((rule) => (
                <RuleRow key={rule.id} rule={rule} onRevoke={() => revoke.mutate(rule.id)} />
              ))}
            </ul>
          )
        }}
      </QueryResult>
      {revoke.error !== null && <ErrorBox error={revoke.error} />}
      <form onSubmit={submit} className="grid gap-3" aria-label="New rule">
        <TextField
          label="Action"
          required
          placeholder="entity.create"
          hint="A subject and an action, such as entity.create or document.*"
          autoComplete="off"
          value={pattern}
          onChange={({ target }) => setPattern(target.value)}
        />
        <SelectField
          label="Then"
          value={verdict}
          onChange={({ target }) => setVerdict(target.value === "propose" ? "propose" : "auto")}
        >
          <option value="auto">The agent does it without asking</option>
          <option value="propose">The agent asks me first</option>
        </SelectField>
        {add.error !== null && <ErrorBox error={add.error} />}
        <div>
          <Button type="submit" isBusy={add.isPending}>
            Add the rule
          </Button>
        </div>
      </form>
    </div>
  )
}
