/** The page of the person's workspaces, each with its number of entities and its state. */
import { useQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { isSampleWorkspace } from "../../api/hiddenSample.ts"
import { type AnswerOf, hubQuery } from "../../api/hub.ts"
import { Badge, type Tone } from "../../ui/Badge.tsx"
import { FindField } from "../../ui/FindField.tsx"
import { NoMatch } from "../../ui/NoMatch.tsx"
import { Empty, Page, Panel } from "../../ui/Page.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { NewWorkspace } from "./NewWorkspace.tsx"

const route = getRouteApi("/shell/workspaces")

type Workspace = AnswerOf<"GET /api/hub/workspaces">["workspaces"][number]

const tones: Readonly<Record<Workspace["provisioningStatus"], Tone>> = {
  ready: "good",
  provisioning: "warn",
  failed: "bad"
}

const Card = ({ workspace }: { readonly workspace: Workspace }) => (
  <li>
    <Panel
      title={
        <Link to="/workspaces/$id" params={{ id: workspace.id }}>
          {workspace.name}
        </Link>
      }
      actions={
        <div className="flex flex-wrap gap-2">
          {isSampleWorkspace(workspace) && <Badge tone="accent">sample</Badge>}
          <Badge tone={tones[workspace.provisioningStatus]}>{workspace.provisioningStatus}</Badge>
        </div>
      }
    >
      {workspace.description !== null && <p>{workspace.description}</p>}
      <p className="text-muted">
        {workspace.entityCount} {workspace.entityCount === 1 ? "entity" : "entities"} · you are {workspace.role}
      </p>
      {workspace.failedStep !== undefined && (
        <p className="text-bad">The step {workspace.failedStep} failed. Open the workspace to try again.</p>
      )}
    </Panel>
  </li>
)

export const WorkspacesPage = () => {
  const { q = "" } = route.useSearch()
  const navigate = route.useNavigate()
  const workspaces = useQuery(hubQuery("GET /api/hub/workspaces", {}))
  const query = q.trim().toLowerCase()
  return (
    <Page
      title="Workspaces"
      about="Spaces that you share with other people and with agents. Records that you do not share are in your own space."
      calls={[{ route: "GET /api/hub/workspaces", input: {} }]}
      actions={<NewWorkspace />}
    >
      <QueryResult what="your workspaces" query={workspaces}>
        {({ podEntityCount, workspaces: all }) => {
          const found = all.filter(({ name }) => name.toLowerCase().includes(query))
          return (
            <>
              <p className="text-muted">
                Your own space has {podEntityCount} {podEntityCount === 1 ? "entity" : "entities"}.
              </p>
              {all.length === 0 ? (
                <Empty title="You belong to no workspace yet.">
                  <p>Create the first one above. Then let agents and people in.</p>
                </Empty>
              ) : (
                <>
                  <FindField
                    hint="Name of a workspace"
                    value={q}
                    onChange={(text) => void navigate({ search: text === undefined ? {} : { q: text }, replace: true })}
                  />
                  {found.length === 0 ? (
                    <NoMatch
                      one="workspace"
                      many="workspaces"
                      text={q}
                      onClear={() => void navigate({ search: {}, replace: true })}
                    />
                  ) : (
                    <ul className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
                      {found.map((workspace) => (
                        <Card key={workspace.id} workspace={workspace} />
                      ))}
                    </ul>
                  )}
                </>
              )}
            </>
          )
        }}
      </QueryResult>
    </Page>
  )
}
