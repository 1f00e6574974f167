/** Shows the overview of a workspace: its name, its state, and its digest. */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { FormEvent } from "react"
import { hub, hubQuery } from "../../api/hub.ts"
import { useWrite } from "../../api/useWrite.ts"
import { Button } from "../../ui/Button.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { SelectField, TextArea, TextField, textsOf } from "../../ui/Field.tsx"
import { Panel } from "../../ui/Page.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { Time } from "../../ui/Time.tsx"
import { ProvisioningPanel } from "./ProvisioningPanel.tsx"
import type { WorkspacePartProps } from "./workspaceOf.ts"
import { isManager } from "./workspaceParts.ts"

const languages = ["english", "german", "french", "spanish", "simple"] as const

const Facts = ({ workspace }: WorkspacePartProps) => {
  const write = useWrite({
    run: (texts: Readonly<Record<string, string>>) => {
      const description = (texts["description"] ?? "").trim()
      return hub("PATCH /api/hub/workspaces/:workspaceId", {
        params: { workspaceId: workspace.id },
        body: {
          name: (texts["name"] ?? "").trim(),
          description: description === "" ? null : description,
          searchLanguage: languages.find((each) => each === texts["language"]) ?? workspace.searchLanguage
        }
      })
    },
    stale: ["workspaces"],
    successMessage: () => "The workspace is changed."
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    write.mutate(textsOf(event.currentTarget))
  }
  const mayChange = isManager(workspace.role)
  return (
    <Panel title="What it is">
      <form onSubmit={submit} className="grid gap-3">
        <TextField
          label="Name"
          name="name"
          required
          maxLength={255}
          defaultValue={workspace.name}
          disabled={!mayChange}
        />
        <TextArea
          label="Description"
          name="description"
          rows={3}
          maxLength={2000}
          defaultValue={workspace.description ?? ""}
          disabled={!mayChange}
        />
        <SelectField
          label="Language of its texts"
          name="language"
          defaultValue={workspace.searchLanguage}
          disabled={!mayChange}
          hint="Search compares word stems in this language. “simple” compares words as they are."
        >
          {languages.map((language) => (
            <option key={language} value={language}>
              {language}
            </option>
          ))}
        </SelectField>
        {write.error !== null && <ErrorBox error={write.error} />}
        {mayChange ? (
          <div>
            <Button type="submit" kind="primary" isBusy={write.isPending}>
              Save
            </Button>
          </div>
        ) : (
          <p className="text-muted">You are {workspace.role}. Only owners and admins can change this.</p>
        )}
      </form>
    </Panel>
  )
}

const Digest = ({ workspace }: WorkspacePartProps) => {
  const digest = useQuery(
    hubQuery("GET /api/hub/workspaces/:workspaceId/digest", { params: { workspaceId: workspace.id } })
  )
  return (
    <Panel title="Digest">
      <QueryResult what="the digest" query={digest}>
        {({ counts, keyEntities, summary }) => (
          <>
            <p>{summary}</p>
            {Object.keys(counts).length > 0 && (
              <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
                {Object.entries(counts).map(([kind, count]) => (
                  <div key={kind} className="contents">
                    <dt>
                      <code>{kind}</code>
                    </dt>
                    <dd className="tabular-nums">{count}</dd>
                  </div>
                ))}
              </dl>
            )}
            {keyEntities.length > 0 && (
              <>
                <h3 className="font-medium">Changed last</h3>
                <ul className="list-disc pl-5">
                  {keyEntities.map(({ id, title }) => (
                    <li key={id}>
                      <Link to="/explore/$type/$id" params={{ type: "entity", id }}>
                        {title}
                      </Link>
                    </li>
                  ))}
                </ul>
              </>
            )}
          </>
        )}
      </QueryResult>
    </Panel>
  )
}

export const OverviewPart = ({ workspace }: WorkspacePartProps) => (
  <div className="grid items-start gap-4 lg:grid-cols-2">
    <Facts key={workspace.version} workspace={workspace} />
    <div className="grid content-start gap-4">
      <ProvisioningPanel workspace={workspace} />
      <Digest workspace={workspace} />
      <p className="text-muted">
        Created <Time at={workspace.createdAt} />, changed <Time at={workspace.updatedAt} />. Id{" "}
        <code>{workspace.id}</code>
      </p>
    </div>
  </div>
)
