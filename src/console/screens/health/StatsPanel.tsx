/** Shows the number of records of this pod that the person can read. */
import { useQuery } from "@tanstack/react-query"
import { procedureQuery } from "../../api/procedures.ts"
import { Panel } from "../../ui/Page.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"

export const StatsPanel = () => {
  const stats = useQuery(procedureQuery("system.getDataPodStats", {}))
  return (
    <Panel title="What you can read">
      <QueryResult what="the numbers" query={stats}>
        {(now) => (
          <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4 xl:grid-cols-6">
            {(
              [
                ["Entities", now.entities],
                ["Documents", now.documents],
                ["Knowledge entries", now.knowledgeEntries],
                ["Memory facts", now.memoryFacts],
                ["Projects", now.projects],
                ["Views", now.views],
                ["Tracks", now.tracks],
                ["Channels", now.channels],
                ["Threads", now.threads],
                ["Files", now.attachments],
                ["Workspaces", now.workspaces],
                ["Events in 24 h", now.events24h]
              ] as const
            ).map(([name, count]) => (
              <div key={name}>
                <dt className="text-muted">{name}</dt>
                <dd className="text-lg font-semibold tabular-nums">{count.toLocaleString("en")}</dd>
              </div>
            ))}
          </dl>
        )}
      </QueryResult>
    </Panel>
  )
}
