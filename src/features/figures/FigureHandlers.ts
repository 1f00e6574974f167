/**
 * The handlers of figures (counts of the records that a caller may see). They pass each call of a procedure to the
 * service.
 */
import { Effect } from "effect"
import { implementProcedures } from "../../doors/Implement.ts"
import { FigureProcedures } from "./FigureRpc.ts"
import { PodFigures } from "./PodFigures.ts"

export const layer = implementProcedures(
  FigureProcedures,
  Effect.map(PodFigures, ({ backups, buckets, capabilities, dashboard, migrations, serviceHealth, stats }) => ({
    "system.getCapabilities": () => capabilities,
    "system.getDashboardMetrics": () => dashboard,
    "system.getServiceHealth": () => serviceHealth,
    "system.getDataPodStats": () => stats,
    "health.migrations": () => migrations,
    "system.getBackups": () => backups,
    "files.listBuckets": () => buckets
  }))
)
