/** Shows the data of a workspace that everybody may read without a key, and a preview of this data. */
import { useQuery, type UseQueryResult } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { type AnswerOf, hub, hubQuery } from "../../api/hub.ts"
import { procedureQuery } from "../../api/procedures.ts"
import { useWrite } from "../../api/useWrite.ts"
import { Button } from "../../ui/Button.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { CheckField, TextField, textsOf } from "../../ui/Field.tsx"
import { Empty, Panel } from "../../ui/Page.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import type { WorkspacePartProps } from "./workspaceOf.ts"
import { isManager } from "./workspaceParts.ts"

// The preview shows at most this many records.
const previewMax = 20

type PublicFeed = Pick<AnswerOf<"GET /api/hub/public/projection">, "count" | "items">

const listOf = (text: string): ReadonlyArray<string> =>
  text
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "")

interface PreviewProps extends WorkspacePartProps {
  /**
   * The roles and fields that the person chose but has not saved. Undefined for a preview of the data that is public
   * now.
   */
  readonly draft?: { readonly roles: ReadonlyArray<string>; readonly fields: ReadonlyArray<string> } | undefined
}

const Preview = ({ draft, workspace }: PreviewProps) => {
  const now = useQuery({
    ...hubQuery("GET /api/hub/public/projection", { query: { workspace: workspace.id, limit: previewMax } }),
    enabled: draft === undefined
  })
  const { roles = [], fields = [] } = draft ?? {}
  const then = useQuery({
    ...procedureQuery("projection.preview", { workspaceId: workspace.id, roles, fields, limit: previewMax }),
    enabled: draft !== undefined
  })
  const feed: UseQueryResult<PublicFeed> = draft === undefined ? now : then
  return (
    <Panel title={draft === undefined ? "Seen by everybody" : "Would be seen by everybody"}>
      <QueryResult what="the public records" query={feed}>
        {({ count, items }) =>
          items.length === 0 ? (
            <Empty title="No record is public.">
              <p>No record of the workspace has one of the public kinds.</p>
            </Empty>
          ) : (
            <>
              <p className="text-muted">
                {count} {count === 1 ? "record" : "records"}, exactly as a stranger{" "}
                {draft === undefined ? "reads them" : "would read them. Nothing is stored yet"}.
              </p>
              <ul className="grid gap-2">
                {items.map(({ id, properties, role, title }) => (
                  <li key={id} className="border-line rounded-md border p-3">
                    <p className="font-medium">{title ?? "without a title"}</p>
                    <p className="text-muted">
                      <code>{role}</code>
                    </p>
                    {Object.keys(properties).length > 0 && (
                      <pre
                        tabIndex={0}
                        role="region"
                        aria-label={`Public fields of ${title ?? id}`}
                        className="overflow-x-auto"
                      >
                        {JSON.stringify(properties, undefined, 2)}
                      </pre>
                    )}
                  </li>
                ))}
              </ul>
            </>
          )
        }
      </QueryResult>
    </Panel>
  )
}

export const PublicPart = ({ workspace }: WorkspacePartProps) => {
  const now = workspace.publicProjection
  const wasPublic = now?.enabled === true
  const [isPublic, setPublic] = useState(wasPublic)
  const write = useWrite({
    run: (body: { enabled: boolean; roles: ReadonlyArray<string>; fields: ReadonlyArray<string> }) =>
      hub("PATCH /api/hub/workspaces/:workspaceId/public-projection", { params: { workspaceId: workspace.id }, body }),
    stale: ["workspaces", "public"],
    successMessage: ({ ...answer }) =>
      "enabled" in answer && answer.enabled ? "These records are public now." : "Nothing of the workspace is public."
  })
  const [draft, setDraft] = useState<PreviewProps["draft"]>()
  const preview = (form: HTMLFormElement | null) => {
    if (form === null) return
    const { roles = "", fields = "" } = textsOf(form)
    setDraft({ roles: listOf(roles), fields: listOf(fields) })
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { roles = "", fields = "" } = textsOf(event.currentTarget)
    setDraft(undefined)
    write.mutate({
      enabled: isPublic,
      roles: isPublic ? listOf(roles) : (now?.roles ?? []),
      fields: isPublic ? listOf(fields) : (now?.fields ?? [])
    })
  }
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Panel title="Public part">
        <form onSubmit={submit} className="grid gap-3">
          <fieldset disabled={!isManager(workspace.role)} className="grid gap-3">
            <CheckField
              label="Some of this workspace is public"
              hint="Everybody who knows the id of the workspace can then read this part, without a key. Only a person who may read all its entities and facets can publish."
              checked={isPublic}
              onChange={({ target }) => setPublic(target.checked)}
            />
            {isPublic && (
              <>
                <TextField
                  label="Public kinds and roles"
                  name="roles"
                  required
                  defaultValue={now?.roles.join(", ") ?? ""}
                  hint="Slugs, separated by commas, such as knowledge, person."
                />
                <TextField
                  label="Public fields"
                  name="fields"
                  defaultValue={(now?.fields ?? ["title"]).join(", ")}
                  hint="Separated by commas. No other field is public."
                />
              </>
            )}
            {write.error !== null && <ErrorBox error={write.error} />}
            <div className="flex flex-wrap gap-2">
              {isPublic && (
                <Button onClick={({ currentTarget }) => preview(currentTarget.closest("form"))}>
                  Preview without saving
                </Button>
              )}
              <Button type="submit" kind={isPublic && !wasPublic ? "danger" : "primary"} isBusy={write.isPending}>
                {isPublic && !wasPublic ? "Make it public" : "Save the public part"}
              </Button>
            </div>
          </fieldset>
        </form>
      </Panel>
      {wasPublic || (isPublic && draft !== undefined) ? (
        <Preview workspace={workspace} draft={isPublic ? draft : undefined} />
      ) : (
        <Empty title="Nothing of this workspace is public.">
          <p>Tick the box to choose the kinds and fields that everybody may read.</p>
        </Empty>
      )}
    </div>
  )
}
