/** The Home page. It shows what waits for the person, what fails, which keys expire soon, and what happened. */
import { useQuery } from "@tanstack/react-query"
import { useHiddenWorkspaces } from "../../api/hiddenSample.ts"
import { hubQuery } from "../../api/hub.ts"
import { useFreshReads } from "../../api/stream.ts"
import { Page } from "../../ui/Page.tsx"
import { ActivityPanel } from "./ActivityPanel.tsx"
import { Checklist } from "./Checklist.tsx"
import { EndingPanel } from "./EndingPanel.tsx"
import { FailingPanel } from "./FailingPanel.tsx"
import {
  activityInput,
  notificationsInput,
  orientInput,
  refusalsInput,
  waitingMax,
  webhooksInput
} from "./homeReads.ts"
import { NotificationsPanel } from "./NotificationsPanel.tsx"
import { WaitingPanel } from "./WaitingPanel.tsx"
import { useWaiting } from "../inbox/useWaiting.ts"
import { keysCall } from "../keys/allKeys.ts"

/** Shows how many workspaces, projects and kinds the person sees. The numbers include the sample. */
const Summary = () => {
  const { data } = useQuery(hubQuery("GET /api/hub/orient", orientInput))
  const hidden = useHiddenWorkspaces()
  if (data === undefined || hidden.ids.length > 0) return "What waits for you, what fails, and what ends soon."
  const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`
  const workspaces = (data.workspaces?.length ?? 0) + (data.leftOut["workspaces"] ?? 0)
  const projects = (data.projects?.length ?? 0) + (data.leftOut["projects"] ?? 0)
  const kinds = (data.profiles?.length ?? 0) + (data.leftOut["profiles"] ?? 0)
  return `You see ${counted(workspaces, "workspace", "workspaces")}, ${counted(projects, "project", "projects")} and ${counted(kinds, "kind of record", "kinds of records")}.`
}

export const HomePage = () => {
  const refetchInterval = useFreshReads({
    "*": ["events"],
    proposal: ["proposals", "notifications"],
    notification: ["notifications"],
    webhook: ["webhooks", "notifications"],
    agent: ["agents"],
    apiKey: ["apiKeys"],
    entity: ["resolve"],
    document: ["resolve"],
    workspace: ["orient", "resolve"],
    project: ["orient", "resolve"]
  })
  const { input: waiting } = useWaiting(waitingMax, refetchInterval)
  return (
    <Page
      title="Home"
      about={<Summary />}
      calls={[
        { route: "GET /api/hub/orient", input: orientInput },
        { route: "GET /api/hub/proposals", input: waiting },
        { route: "GET /api/hub/notifications", input: notificationsInput },
        { route: "GET /api/hub/webhooks", input: webhooksInput },
        { route: "GET /api/hub/events", input: refusalsInput },
        { route: "GET /api/hub/events", input: activityInput },
        keysCall
      ]}
    >
      <div className="grid min-w-0 gap-4 lg:grid-cols-2">
        <div className="grid min-w-0 content-start gap-4">
          <Checklist />
          <WaitingPanel refetchInterval={refetchInterval} />
          <NotificationsPanel />
        </div>
        <div className="grid min-w-0 content-start gap-4">
          <FailingPanel />
          <EndingPanel />
          <ActivityPanel />
        </div>
      </div>
    </Page>
  )
}
