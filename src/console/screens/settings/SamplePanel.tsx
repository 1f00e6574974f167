/**
 * Hides the sample data from the owner, or removes it. Only the owner may remove it. Shows nothing if the pod has no
 * sample data.
 */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useHideSample, useIsSampleHidden } from "../../api/hiddenSample.ts"
import { Button } from "../../ui/Button.tsx"
import { ConfirmButton } from "../../ui/ConfirmButton.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { Panel } from "../../ui/Page.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { showToast } from "../../ui/Toasts.tsx"

/** The code of the sample data is loaded only when it is needed, because it holds the whole content of the sample. */
const sampleData = () => import("../setup/sampleData.ts")

export const SamplePanel = () => {
  const queries = useQueryClient()
  const sample = useQuery({ queryKey: ["samples"], queryFn: async () => (await sampleData()).hasSampleData() })
  const isHidden = useIsSampleHidden()
  const hide = useHideSample()
  const choose = useMutation({ mutationFn: hide })
  const remove = async () => {
    await (await sampleData()).removeSampleData()
    if (isHidden === true) await hide(false)
    await queries.invalidateQueries()
    showToast({ text: "The sample data are removed." })
  }
  if (sample.data === false) return null
  return (
    <Panel title="Sample data">
      <QueryResult what="the sample data" query={sample}>
        {() => (
          <>
            <p>
              This pod has sample data: the workspace “Acme demo” in <Link to="/workspaces">Workspaces</Link>, facts in{" "}
              <Link to="/memory">Memory</Link>, an agent, its key, and a <Link to="/webhooks">webhook</Link>.
            </p>
            {isHidden === true && (
              <p>It is hidden from Home, from the inbox and from the choice of workspaces. Nothing is deleted.</p>
            )}
            {choose.error !== null && <ErrorBox error={choose.error} />}
            <div className="flex flex-wrap gap-2">
              {isHidden !== undefined && (
                <Button isBusy={choose.isPending} onClick={() => choose.mutate(!isHidden)}>
                  {isHidden ? "Show it again" : "Hide the sample"}
                </Button>
              )}
              <ConfirmButton name="Remove the sample" question="Remove the sample data?" onConfirm={remove}>
                <p>
                  The workspace and everything in it are deleted, also what you added to it. The webhook is deleted, the
                  key is revoked, the facts are forgotten, and the agent may no longer write.
                </p>
              </ConfirmButton>
            </div>
          </>
        )}
      </QueryResult>
    </Panel>
  )
}
