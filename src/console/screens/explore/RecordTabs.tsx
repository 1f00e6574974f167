/** Shows the tabs that a record of any type has: its form, its JSON, its history and its connections. */
import type { ReactNode } from "react"
import type { InputOf } from "../../api/hub.ts"
import type { PreviewedCall } from "../../ui/callForms.ts"
import { Json } from "../../ui/Json.tsx"
import { tabInAddress, Tabs } from "../../ui/Tabs.tsx"
import { recordRoute } from "./exploreRoutes.ts"
import { History, historyQuery } from "./History.tsx"
import { KnowledgeVersions } from "./KnowledgeVersions.tsx"
import { connectionsInput, RecordConnections } from "./RecordConnections.tsx"
import { readType, RecordReaders } from "./RecordReaders.tsx"

type GraphType = InputOf<"GET /api/hub/graph/:type/:id">["params"]["type"]

interface RecordTabsProps {
  readonly type: GraphType | "knowledge"
  readonly record: { readonly id: string; readonly workspaceId: string | null; readonly key?: unknown }
  /** The content of the form tab: the form, and everything around the form. */
  readonly form: ReactNode
}

/** The calls of all tabs, for the API preview of the record. */
export const callsOfTabs = ({
  record: { id, key, workspaceId },
  type
}: Pick<RecordTabsProps, "record" | "type">): ReadonlyArray<PreviewedCall> => [
  ...(type === "knowledge"
    ? [
        {
          route: "GET /api/hub/knowledge/:key/versions" as const,
          input: { params: { key: String(key) }, query: { workspaceId } }
        }
      ]
    : [
        { route: "GET /api/hub/events" as const, input: historyQuery(id) },
        { route: "GET /api/hub/graph/:type/:id" as const, input: connectionsInput(type, id) }
      ]),
  { procedure: "grants.readers", kind: "query", input: { objectType: readType(type), objectId: id } }
]

export const RecordTabs = ({ form, record, type }: RecordTabsProps) => {
  const { tab } = recordRoute.useSearch()
  const navigate = recordRoute.useNavigate()
  const { id, workspaceId } = record
  return (
    <Tabs
      label="Parts of the record"
      {...tabInAddress(
        [
          { name: "Record", content: form, isKept: true },
          { name: "JSON", content: <Json value={record} name="the JSON" /> },
          ...(type === "knowledge"
            ? [
                {
                  name: "History",
                  content: <KnowledgeVersions entryKey={String(record.key)} workspaceId={workspaceId ?? undefined} />
                }
              ]
            : [
                { name: "History", content: <History id={id} /> },
                { name: "Connections", content: <RecordConnections type={type} id={id} /> }
              ]),
          { name: "Who can see it", content: <RecordReaders type={type} id={id} workspaceId={workspaceId} /> }
        ],
        tab,
        (next) => void navigate({ search: (now) => ({ ...now, tab: next }) })
      )}
    />
  )
}
