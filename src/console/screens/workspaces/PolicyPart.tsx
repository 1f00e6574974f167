/**
 * Shows what agents may do in a workspace without approval: the policy, its rules, and a dry run of the governance
 * gate.
 */
import { useQuery } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { hubQuery, type AnswerOf } from "../../api/hub.ts"
import { change } from "../../api/procedures.ts"
import { useWrite } from "../../api/useWrite.ts"
import { Button } from "../../ui/Button.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { TextArea } from "../../ui/Field.tsx"
import { Panel } from "../../ui/Page.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { UnsavedGuard } from "../../ui/UnsavedGuard.tsx"
import { DryRun } from "./DryRun.tsx"
import { RulesPanel } from "./RulesPanel.tsx"
import type { WorkspacePartProps } from "./workspaceOf.ts"

type Governance = AnswerOf<"GET /api/hub/workspaces/:workspaceId/governance">

const linesOf = (text: string): ReadonlyArray<string> =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")

/** The actions as one text, which is the same for the same actions in another order. */
const sortedText = (actions: ReadonlyArray<string>): string => [...new Set(actions)].toSorted().join("\n")

const Policy = ({ workspace, now }: WorkspacePartProps & { readonly now: Governance }) => {
  // True while the page asks for a second click, because the new policy lets agents do more.
  const [question, setQuestion] = useState(false)
  const [typed, setTyped] = useState<string>()
  const saved = now.autoApproveFor ?? []
  const actions = typed === undefined ? saved : linesOf(typed)
  const isEdited = sortedText(actions) !== sortedText(saved)
  const write = useWrite({
    run: (autoApproveFor: ReadonlyArray<string>) =>
      change("governance.setPolicy", {
        workspaceId: workspace.id,
        autoApproveFor: autoApproveFor.length === 0 ? null : autoApproveFor
      }),
    stale: ["workspaces", "governance"],
    successMessage: () => "The policy is saved.",
    onDone: () => setQuestion(false)
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const isWider = actions.some((action) => !saved.includes(action))
    if (isWider && !question) setQuestion(true)
    else write.mutate(actions)
  }
  return (
    <form onSubmit={submit} className="grid gap-3">
      <UnsavedGuard what={`the policy of ${workspace.name}`} isChanged={isEdited} openedBy="show" />
      <fieldset disabled={!now.rbac.manages} className="grid gap-3">
        <TextArea
          label="Actions that need no approval"
          name="actions"
          rows={5}
          value={typed ?? saved.join("\n")}
          hint="One action on each line, such as entity.create or document.*. Deletions and changes of rights always wait for a person. If this list is empty, the rules and the setting of each agent decide."
          onChange={({ target }) => {
            setTyped(target.value)
            setQuestion(false)
          }}
        />
        {write.error !== null && <ErrorBox error={write.error} />}
        {question && (
          <p role="alert" className="bg-warn-soft text-warn rounded-md p-3">
            After this change, the agents in {workspace.name} can do more without approval. Save it anyway?
          </p>
        )}
        <div>
          <Button type="submit" kind={question ? "danger" : "primary"} isBusy={write.isPending}>
            {question ? "Save it anyway" : "Save the policy"}
          </Button>
        </div>
      </fieldset>
      {!now.rbac.manages && (
        <p className="text-muted">You are {now.rbac.role}. Only owners and admins can change this.</p>
      )}
    </form>
  )
}

export const PolicyPart = ({ workspace }: WorkspacePartProps) => {
  const governance = useQuery(
    hubQuery("GET /api/hub/workspaces/:workspaceId/governance", { params: { workspaceId: workspace.id } })
  )
  return (
    <div className="grid gap-4">
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Panel title="Policy">
          <QueryResult what="the policy" query={governance}>
            {(now) => <Policy workspace={workspace} now={now} />}
          </QueryResult>
        </Panel>
        <DryRun workspace={workspace} />
      </div>
      <RulesPanel workspace={workspace} />
      <QueryResult what="the policy" query={governance}>
        {({ rungs }) => (
          <details>
            <summary>The order in which the gate decides</summary>
            <ol className="list-decimal pl-8">
              {rungs.map((rung) => (
                <li key={rung}>
                  <code>{rung}</code>
                </li>
              ))}
            </ol>
          </details>
        )}
      </QueryResult>
    </div>
  )
}
