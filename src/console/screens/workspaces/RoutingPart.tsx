/** Shows which model providers the services of a workspace use. This setting contains no secrets. */
import { useQuery } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { type AnswerOf, hub, hubQuery } from "../../api/hub.ts"
import { useWrite } from "../../api/useWrite.ts"
import { Button } from "../../ui/Button.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { CheckField, SelectField, TextField, textsOf } from "../../ui/Field.tsx"
import { Panel } from "../../ui/Page.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import type { WorkspacePartProps } from "./workspaceOf.ts"
import { isManager } from "./workspaceParts.ts"

type Routing = NonNullable<AnswerOf<"GET /api/hub/workspaces/:workspaceId/eve-provider-routing">["eveProviderRouting"]>
type Provider = NonNullable<Routing["providers"]>[number]["id"]

const providers: ReadonlyArray<Provider> = ["ollama", "openrouter", "anthropic", "openai"]
const modes = ["local", "provider", "hybrid"] as const

/** Trims a typed text. An empty text becomes undefined, as the pod expects. */
const textOrUndefined = (text: string | undefined): string | undefined => {
  const trimmed = (text ?? "").trim()
  return trimmed === "" ? undefined : trimmed
}

const routingOf = (texts: Readonly<Record<string, string>>, now: Routing): Routing => ({
  mode: modes.find((mode) => mode === texts["mode"]),
  defaultProvider: providers.find((each) => each === texts["default"]),
  fallbackProvider: providers.find((each) => each === texts["fallback"]),
  syncToService: now.syncToService,
  providers: providers
    .filter((id) => texts[`on-${id}`] !== undefined)
    .map((id) => ({
      id,
      enabled: true,
      baseUrl: textOrUndefined(texts[`url-${id}`]),
      defaultModel: textOrUndefined(texts[`model-${id}`])
    }))
})

const Form = ({ workspace, now }: WorkspacePartProps & { readonly now: Routing }) => {
  const [chosen, setChosen] = useState(
    () => new Set((now.providers ?? []).filter(({ enabled }) => enabled !== false).map(({ id }) => id))
  )
  const write = useWrite({
    run: (body: Routing) =>
      hub("PATCH /api/hub/workspaces/:workspaceId/eve-provider-routing", {
        params: { workspaceId: workspace.id },
        body
      }),
    stale: ["workspaces"],
    successMessage: () => "The routing is saved."
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    write.mutate(routingOf(textsOf(event.currentTarget), now))
  }
  const toggle = (id: Provider) =>
    setChosen((before) => {
      const after = new Set(before)
      if (!after.delete(id)) after.add(id)
      return after
    })
  return (
    <form onSubmit={submit} className="grid gap-4">
      <fieldset disabled={!isManager(workspace.role)} className="grid gap-4">
        <div className="grid gap-3 sm:grid-cols-3">
          <SelectField label="Models run" name="mode" defaultValue={now.mode ?? ""}>
            <option value="">As set for the pod</option>
            {modes.map((mode) => (
              <option key={mode}>{mode}</option>
            ))}
          </SelectField>
          <SelectField label="Default provider" name="default" defaultValue={now.defaultProvider ?? ""}>
            <option value="">None</option>
            {providers.map((id) => (
              <option key={id}>{id}</option>
            ))}
          </SelectField>
          <SelectField label="If it fails" name="fallback" defaultValue={now.fallbackProvider ?? ""}>
            <option value="">None</option>
            {providers.map((id) => (
              <option key={id}>{id}</option>
            ))}
          </SelectField>
        </div>
        <p>Providers that may be used</p>
        {providers.map((id) => {
          const known = now.providers?.find((each) => each.id === id)
          return (
            <div key={id} className="grid gap-2 sm:grid-cols-3">
              <CheckField label={id} name={`on-${id}`} checked={chosen.has(id)} onChange={() => toggle(id)} />
              {chosen.has(id) && (
                <>
                  <TextField
                    label={`Address of ${id}`}
                    name={`url-${id}`}
                    type="url"
                    defaultValue={known?.baseUrl ?? ""}
                  />
                  <TextField label={`Model of ${id}`} name={`model-${id}`} defaultValue={known?.defaultModel ?? ""} />
                </>
              )}
            </div>
          )
        })}
        {write.error !== null && <ErrorBox error={write.error} />}
        <div>
          <Button type="submit" kind="primary" isBusy={write.isPending}>
            Save the routing
          </Button>
        </div>
      </fieldset>
    </form>
  )
}

export const RoutingPart = ({ workspace }: WorkspacePartProps) => {
  const routing = useQuery(
    hubQuery("GET /api/hub/workspaces/:workspaceId/eve-provider-routing", { params: { workspaceId: workspace.id } })
  )
  return (
    <Panel title="Model providers">
      <p className="text-muted">
        Services that answer for this workspace read here which language models they may call. The keys of the providers
        are not stored here, but in your vault.
      </p>
      <QueryResult what="the routing" query={routing}>
        {({ eveProviderRouting }) => <Form workspace={workspace} now={eveProviderRouting ?? {}} />}
      </QueryResult>
    </Panel>
  )
}
