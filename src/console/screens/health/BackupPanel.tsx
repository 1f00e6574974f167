/** Shows when the last backup of the pod was made, and how often the pod makes backups automatically. */
import { useQuery } from "@tanstack/react-query"
import { sizeText } from "../../../shared/sizeText.ts"
import { procedureQuery, type ProcedureOutput } from "../../api/procedures.ts"
import { Refusal } from "../../api/refusal.ts"
import { Badge } from "../../ui/Badge.tsx"
import { Panel } from "../../ui/Page.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { Time } from "../../ui/Time.tsx"
import { everyText } from "./settingWords.ts"

type BackupState = ProcedureOutput<"system.getBackups">

const dayMs = 86_400_000
// If the pod makes no automatic backups, a backup that is older than this many days is too old.
const staleDays = 7

/**
 * The age in milliseconds from which the last backup is too old. It is twice the interval between automatic backups, or
 * seven days if the pod makes none.
 */
const lateMs = ({ everySeconds }: BackupState) => (everySeconds === 0 ? staleDays * dayMs : 2 * everySeconds * 1000)

export const BackupPanel = () => {
  const backups = useQuery(procedureQuery("system.getBackups", {}))
  if (backups.error instanceof Refusal && backups.error.status === 403) return null
  return (
    <Panel title="Backups">
      <QueryResult what="the backups" query={backups}>
        {(state) => {
          const { everySeconds, last } = state
          const isLate = last === null || Date.now() - Date.parse(last.madeAt) > lateMs(state)
          return (
            <>
              <p className="flex flex-wrap items-center gap-2">
                <Badge tone={isLate ? "warn" : "good"}>{last === null ? "none yet" : isLate ? "old" : "recent"}</Badge>
                {last === null ? (
                  <span>This pod has no backup.</span>
                ) : (
                  <span>
                    The last one was made <Time at={last.madeAt} />, {sizeText(last.sizeBytes)}.
                  </span>
                )}
              </p>
              <p className="text-muted">
                {everySeconds === 0
                  ? "The pod makes no automatic backups (POD_BACKUP_EVERY)."
                  : `The pod makes one by itself every ${everyText(everySeconds)}.`}{" "}
                On its machine, <code>pod backup</code> makes one now.
              </p>
            </>
          )
        }}
      </QueryResult>
    </Panel>
  )
}
