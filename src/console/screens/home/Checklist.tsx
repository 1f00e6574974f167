/** Shows the steps of the first week of a new pod. The list disappears when the person has done all steps. */
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { useSampleMakers } from "../../api/hiddenSample.ts"
import { hubQuery } from "../../api/hub.ts"
import { change, procedureQuery } from "../../api/procedures.ts"
import { Button } from "../../ui/Button.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { Panel } from "../../ui/Page.tsx"
import { type Step, stepsOf } from "./homeFacts.ts"
import { allKeysQuery } from "../keys/allKeys.ts"
import { everProposedInput } from "./homeReads.ts"

const field = "hasBackup"

const OneStep = ({ step, onTick }: { readonly step: Step; readonly onTick: () => void }) => {
  const { about, isDone, name, to } = step
  return (
    <li className="flex gap-2">
      <span aria-hidden className={isDone ? "text-good" : "text-muted"}>
        {isDone ? "✓" : "○"}
      </span>
      <div className="grid justify-items-start gap-1">
        <p className={isDone ? "text-muted" : "font-medium"}>
          <span className="sr-only">{isDone ? "Done: " : "To do: "}</span>
          {isDone || to === undefined ? name : <Link to={to}>{name}</Link>}
        </p>
        {!isDone && <p className="text-muted">{about}</p>}
        {!isDone && to === undefined && <Button onClick={onTick}>I have a backup</Button>}
      </div>
    </li>
  )
}

export const Checklist = () => {
  const queries = useQueryClient()
  const [error, setError] = useState<unknown>(undefined)
  const keys = useQuery(allKeysQuery)
  const proposals = useQuery(hubQuery("GET /api/hub/proposals", everProposedInput))
  const preferences = useQuery(procedureQuery("preferences.get", {}))
  const sample = useSampleMakers()
  const ofSample = useQuery({
    ...hubQuery("GET /api/hub/proposals", {
      query: { ...everProposedInput.query, ...(sample.agentId === undefined ? {} : { actorId: sample.agentId }) }
    }),
    enabled: sample.agentId !== undefined
  })
  // Without all answers, a finished step could appear as unfinished. So nothing is shown until all answers have
  // arrived.
  if (keys.data === undefined || proposals.data === undefined || preferences.data === undefined) return null
  if (!sample.isKnown || ofSample.isLoading) return null
  // The sample data contain a key, calls and proposals too. They do not count, because the person has not made them.
  const steps = stepsOf({
    keys: keys.data.filter(({ id }) => !sample.keyIds.includes(id)),
    proposals: proposals.data.total - (sample.agentId === undefined ? 0 : (ofSample.data?.total ?? 0)),
    hasBackup: preferences.data.uiPreferences[field] === true
  })
  const done = steps.filter(({ isDone }) => isDone).length
  if (done === steps.length) return null
  const tick = async () => {
    try {
      await change("preferences.merge", { uiPreferences: { [field]: true } })
      setError(undefined)
      await queries.invalidateQueries({ queryKey: ["preferences"] })
    } catch (failure) {
      setError(failure)
    }
  }
  return (
    <Panel title="Your first week" actions={<span className="text-muted">{`${done} of ${steps.length} done`}</span>}>
      <ol className="grid gap-2">
        {steps.map((step) => (
          <OneStep key={step.name} step={step} onTick={() => void tick()} />
        ))}
      </ol>
      {error !== undefined && <ErrorBox error={error} />}
    </Panel>
  )
}
