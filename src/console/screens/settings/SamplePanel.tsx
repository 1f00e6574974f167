/**
 * Hides the sample from the person. The owner can also remove the sample. Shows nothing if the pod has no sample, or if
 * the person is in no sample workspace.
 */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { isSampleWorkspace, useHideSample, useIsSampleHidden } from "../../api/hiddenSample.ts"
import { hubQuery } from "../../api/hub.ts"
import { Button } from "../../ui/Button.tsx"
import { ConfirmButton } from "../../ui/ConfirmButton.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { Panel } from "../../ui/Page.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { showToast } from "../../ui/Toasts.tsx"

/** The code of the sample data is loaded only when it is needed, because it holds the whole content of the sample. */
const sampleData = () => import("../setup/sampleData.ts")

/** Hides the sample from the person, or shows it again. The preferences of the person keep the choice. */
const HideSample = ({ children }: { readonly children?: ReactNode }) => {
  const isHidden = useIsSampleHidden()
  const choose = useMutation({ mutationFn: useHideSample() })
  return (
    <>
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
        {children}
      </div>
    </>
  )
}

const OwnSample = () => {
  const queries = useQueryClient()
  const sample = useQuery({ queryKey: ["samples"], queryFn: async () => (await sampleData()).hasSampleData() })
  const isHidden = useIsSampleHidden()
  const hide = useHideSample()
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
            <HideSample>
              <ConfirmButton name="Remove the sample" question="Remove the sample data?" onConfirm={remove}>
                <p>
                  The workspace and everything in it are deleted, also what you added to it. The webhook is deleted, the
                  key is revoked, the facts are forgotten, and the agent may no longer write.
                </p>
              </ConfirmButton>
            </HideSample>
          </>
        )}
      </QueryResult>
    </Panel>
  )
}

const SharedSample = () => {
  const workspaces = useQuery(hubQuery("GET /api/hub/workspaces", {}))
  const samples = workspaces.data?.workspaces.filter(isSampleWorkspace) ?? []
  return samples.length === 0 ? null : (
    <Panel title="Sample data">
      <p>
        You are in a workspace with sample data: {samples.map(({ name }) => `“${name}”`).join(", ")}. Only the owner of
        the pod can remove the sample, but you can hide it from yourself.
      </p>
      <HideSample />
    </Panel>
  )
}

export const SamplePanel = ({ isOwner }: { readonly isOwner: boolean }) => (isOwner ? <OwnSample /> : <SharedSample />)
