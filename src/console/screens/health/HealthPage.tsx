/**
 * The Health page. It shows whether the pod can serve requests, what the pod depends on, which jobs wait in its queues,
 * and its version.
 */
import { useQuery } from "@tanstack/react-query"
import { hubQuery } from "../../api/hub.ts"
import { procedureQuery } from "../../api/procedures.ts"
import { Page } from "../../ui/Page.tsx"
import { Copyable } from "../../ui/Copyable.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { Button } from "../../ui/Button.tsx"
import { useState } from "react"
import { BackupPanel } from "./BackupPanel.tsx"
import { ConfigPanel } from "./ConfigPanel.tsx"
import { DatabasePanel } from "./DatabasePanel.tsx"
import { DependenciesPanel } from "./DependenciesPanel.tsx"
import { DeprecatedPanel } from "./DeprecatedPanel.tsx"
import { diagnosticsOf } from "./diagnostics.ts"
import { QueuesPanel } from "./QueuesPanel.tsx"
import { ReadyPanel } from "./ReadyPanel.tsx"
import { SecretsPanel } from "./SecretsPanel.tsx"
import { SettingsPanel } from "./SettingsPanel.tsx"
import { StatsPanel } from "./StatsPanel.tsx"

const againEveryMs = 15_000

export const HealthPage = () => {
  const refetchInterval = againEveryMs
  const ready = useQuery({ ...hubQuery("GET /readyz", {}), refetchInterval })
  const health = useQuery(hubQuery("GET /api/hub/health", {}))
  const dependencies = useQuery({ ...hubQuery("GET /api/hub/health/dependencies", {}), refetchInterval })
  const config = useQuery(hubQuery("GET /api/hub/pod/config", {}))
  const queues = useQuery({ ...procedureQuery("health.metrics", {}), refetchInterval })
  const migrations = useQuery(procedureQuery("health.migrations", {}))
  const [isOpen, setOpen] = useState(false)
  const diagnostics = () =>
    diagnosticsOf({
      madeAt: new Date().toISOString(),
      ready: ready.data ?? ready.error?.message ?? "not read",
      health: health.data ?? health.error?.message ?? "not read",
      dependencies: dependencies.data?.dependencies ?? dependencies.error?.message ?? "not read",
      queues: queues.data?.jobs ?? queues.error?.message ?? "not read",
      migrations:
        migrations.data === undefined
          ? (migrations.error?.message ?? "not read")
          : { total: migrations.data.total, last: migrations.data.migrations.at(-1) },
      config:
        config.data === undefined
          ? (config.error?.message ?? "not read")
          : { version: config.data.version, limits: config.data.limits, options: config.data.options },
      browser: navigator.userAgent
    })
  return (
    <Page
      title="Health"
      about="Whether this pod can serve, what it depends on, and how it is set up."
      actions={<Button onClick={() => setOpen(true)}>Copy diagnostics</Button>}
      calls={[
        { route: "GET /readyz", input: {} },
        { route: "GET /api/hub/health", input: {} },
        { route: "GET /api/hub/health/dependencies", input: {} },
        { route: "GET /api/hub/pod/config", input: {} },
        { procedure: "health.metrics", kind: "query", input: {} },
        { procedure: "health.migrations", kind: "query", input: {} },
        { procedure: "health.secrets", kind: "query", input: {} },
        { procedure: "system.getBackups", kind: "query", input: {} },
        { procedure: "system.getSettings", kind: "query", input: {} },
        { procedure: "system.getDataPodStats", kind: "query", input: {} }
      ]}
    >
      <ReadyPanel ready={ready} health={health} />
      <DependenciesPanel report={dependencies} />
      <QueuesPanel metrics={queues} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <DatabasePanel migrations={migrations} />
        <div className="grid min-w-0 gap-4">
          <BackupPanel />
          <SecretsPanel />
        </div>
      </div>
      <ConfigPanel config={config} />
      <DeprecatedPanel />
      <SettingsPanel />
      <StatsPanel />
      <Dialog title="Diagnostics" isOpen={isOpen} onClose={() => setOpen(false)}>
        <p className="text-muted">
          Use this text in a bug report. Addresses, e-mail addresses, ids and secrets are left out. Read the text before
          you send it.
        </p>
        {isOpen && <Copyable text={diagnostics()} name="the diagnostics" />}
      </Dialog>
    </Page>
  )
}
