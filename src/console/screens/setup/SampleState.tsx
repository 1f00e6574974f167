/**
 * Makes the sample data when the pod has an owner, and shows the progress. If this fails, the pod still has its owner.
 */
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { type SampleProgress, makeSampleData } from "./sampleData.ts"

export const SampleState = () => {
  const queries = useQueryClient()
  const [progress, setProgress] = useState<SampleProgress>({ done: 0, of: 1 })
  const sample = useQuery({
    queryKey: ["sample"],
    queryFn: async () => {
      const outcome = await makeSampleData(setProgress)
      await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "sample" })
      return outcome
    },
    // There is no retry, because a second run would find sample data that is possibly incomplete.
    retry: false,
    staleTime: Infinity,
    gcTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false
  })
  const percent = Math.floor((100 * progress.done) / progress.of)
  if (sample.error !== null) {
    return (
      <div role="alert" className="border-bad bg-bad-soft grid gap-2 rounded-md border p-3">
        <p className="font-medium">The sample data are not complete: {sample.error.message}</p>
        <p>
          You own the pod all the same. On the server, <code>pod seed demo</code> makes the sample again. The{" "}
          <Link to="/settings">settings</Link> remove what was made.
        </p>
      </div>
    )
  }
  if (sample.data === undefined) {
    return (
      <div className="grid gap-1">
        <label htmlFor="sample-progress">Making the sample data: {percent} %. Leave this page open.</label>
        <progress id="sample-progress" className="accent-accent w-full" max={100} value={percent} />
      </div>
    )
  }
  return (
    <p role="status">
      {sample.data === "left" ? (
        "The pod makes the sample data by itself, because POD_SEED is set."
      ) : (
        <>
          The sample data are there: <Link to="/workspaces">Workspaces</Link> lists “Acme demo”, and the{" "}
          <Link to="/inbox">Inbox</Link> has proposals to decide. The <Link to="/settings">settings</Link> remove them,
          and so does <code>pod seed remove</code> on the server.
        </>
      )}
    </p>
  )
}
