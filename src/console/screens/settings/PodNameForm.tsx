/**
 * The form with which the owner or an administrator names the pod. Everybody sees the name, even before they sign in.
 */
import { useQuery } from "@tanstack/react-query"
import type { FormEvent } from "react"
import { hub } from "../../api/hub.ts"
import { podStatusQuery } from "../../api/podName.ts"
import { useWrite } from "../../api/useWrite.ts"
import { Button } from "../../ui/Button.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { textsOf } from "../../ui/Field.tsx"
import { Panel } from "../../ui/Page.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { PodNameField } from "../setup/PodNameField.tsx"

export const PodNameForm = () => {
  const status = useQuery(podStatusQuery)
  const write = useWrite({
    run: (name: string) => hub("PUT /api/hub/setup/pod-name", { body: { name: name === "" ? null : name } }),
    stale: ["setup"],
    successMessage: ({ podName }) =>
      podName === undefined ? "The pod has no name any more." : `The pod is called ${podName}.`
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    write.mutate((textsOf(event.currentTarget)["podName"] ?? "").trim())
  }
  return (
    <Panel title="This pod">
      <QueryResult what="the name of the pod" query={status}>
        {({ podName = "" }) => (
          <form key={podName} onSubmit={submit} className="grid gap-3">
            <PodNameField name={podName} error={write.error} />
            {write.error !== null && <ErrorBox error={write.error} />}
            <div>
              <Button type="submit" isBusy={write.isPending}>
                Save the name
              </Button>
            </div>
          </form>
        )}
      </QueryResult>
    </Panel>
  )
}
