/** Shows the steps that set up a workspace. If a step failed, shows the reason and a button to continue. */
import { hub } from "../../api/hub.ts"
import { useWrite } from "../../api/useWrite.ts"
import { Badge, type Tone } from "../../ui/Badge.tsx"
import { Button } from "../../ui/Button.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { Panel } from "../../ui/Page.tsx"
import type { WorkspacePartProps } from "./workspaceOf.ts"
import { isManager } from "./workspaceParts.ts"

const steps: ReadonlyArray<readonly [string, string]> = [
  ["workspace", "The workspace with its owner and its policy"],
  ["membership", "Its members"],
  ["profiles", "Its kinds of records"]
]

interface StepState {
  readonly name: string
  readonly tone: Tone
}

const stateOf = (index: number, failedAt: number, isReady: boolean): StepState => {
  if (isReady || index === 0 || (failedAt > 0 && index < failedAt)) return { name: "done", tone: "good" }
  return index === failedAt ? { name: "failed", tone: "bad" } : { name: "waits", tone: "plain" }
}

export const ProvisioningPanel = ({ workspace }: WorkspacePartProps) => {
  const retry = useWrite({
    run: () =>
      hub("POST /api/hub/workspaces/:workspaceId/retry-provisioning", { params: { workspaceId: workspace.id } }),
    stale: ["workspaces"],
    successMessage: (answer) =>
      "provisioningStatus" in answer && answer.provisioningStatus === "ready"
        ? "The workspace is ready."
        : "The step failed again."
  })
  const failedAt = steps.findIndex(([step]) => step === workspace.failedStep)
  return (
    <Panel title="Setting up">
      <ol className="grid gap-1">
        {steps.map(([step, what], index) => {
          const { name, tone } = stateOf(index, failedAt, workspace.provisioningStatus === "ready")
          return (
            <li key={step} className="flex items-start justify-between gap-2">
              {what}
              <Badge tone={tone}>{name}</Badge>
            </li>
          )
        })}
      </ol>
      {workspace.failedStepError !== undefined && <p className="text-bad">{workspace.failedStepError}</p>}
      {retry.error !== null && <ErrorBox error={retry.error} />}
      {workspace.provisioningStatus !== "ready" && isManager(workspace.role) && (
        <div>
          <Button kind="primary" isBusy={retry.isPending} onClick={() => retry.mutate()}>
            Continue from the failed step
          </Button>
        </div>
      )}
    </Panel>
  )
}
