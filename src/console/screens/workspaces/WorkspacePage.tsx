/** The page of one workspace: its overview, its members, what agents may do there, and what everybody may read. */
import { useQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { hubQuery } from "../../api/hub.ts"
import type { PreviewedCall } from "../../ui/callForms.ts"
import { Page } from "../../ui/Page.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { Tabs } from "../../ui/Tabs.tsx"
import { KeysPart } from "./KeysPart.tsx"
import { MembersPart } from "./MembersPart.tsx"
import { OverviewPart } from "./OverviewPart.tsx"
import { PolicyPart } from "./PolicyPart.tsx"
import { PublicPart } from "./PublicPart.tsx"
import { RoutingPart } from "./RoutingPart.tsx"
import { SourcesPart } from "./SourcesPart.tsx"
import { type WorkspacePart, workspaceParts } from "./workspaceParts.ts"

const route = getRouteApi("/shell/workspaces/$id")

const furtherCalls = (id: string, show: WorkspacePart): ReadonlyArray<PreviewedCall> => {
  const params = { workspaceId: id }
  switch (show) {
    case "Overview":
      return [{ route: "GET /api/hub/workspaces/:workspaceId/digest", input: { params } }]
    case "Members":
      return [{ procedure: "agents.list", kind: "query", input: {} }]
    case "Policy":
      return [
        { route: "GET /api/hub/workspaces/:workspaceId/governance", input: { params } },
        { procedure: "governanceRules.list", kind: "query", input: params }
      ]
    case "Routing":
      return [{ route: "GET /api/hub/workspaces/:workspaceId/eve-provider-routing", input: { params } }]
    case "Public":
      return [{ route: "GET /api/hub/public/projection", input: { query: { workspace: id, limit: 20 } } }]
    case "Keys":
      return [{ procedure: "apiKeys.list", kind: "query", input: {} }]
    default:
      return []
  }
}

export const WorkspacePage = () => {
  const { id } = route.useParams()
  const { show = "Overview" } = route.useSearch()
  const navigate = route.useNavigate()
  const read = hubQuery("GET /api/hub/workspaces/:workspaceId", { params: { workspaceId: id } })
  const workspace = useQuery(read)
  return (
    <Page
      title={workspace.data?.name ?? "Workspace"}
      within={<Link to="/workspaces">Workspaces</Link>}
      calls={[
        { route: "GET /api/hub/workspaces/:workspaceId", input: { params: { workspaceId: id } } },
        ...furtherCalls(id, show)
      ]}
    >
      <QueryResult what="the workspace" query={workspace}>
        {(detail) => {
          const parts: Readonly<Record<WorkspacePart, () => ReactNode>> = {
            Overview: () => <OverviewPart workspace={detail} />,
            Members: () => <MembersPart workspace={detail} />,
            Policy: () => <PolicyPart workspace={detail} />,
            Routing: () => <RoutingPart workspace={detail} />,
            Sources: () => <SourcesPart workspace={detail} />,
            Public: () => <PublicPart workspace={detail} />,
            Keys: () => <KeysPart workspace={detail} />
          }
          return (
            <Tabs
              label="Parts of the workspace"
              shown={show}
              onShow={(name) => void navigate({ search: name === "Overview" ? {} : { show: name } })}
              tabs={workspaceParts.map((name) => ({ name, content: name === show ? parts[name]() : null }))}
            />
          )
        }}
      </QueryResult>
    </Page>
  )
}
