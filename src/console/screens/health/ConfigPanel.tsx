/**
 * Shows the configuration from `GET /api/hub/pod/config`: the version of the pod, its surfaces, its limits, and the
 * optional parts that are switched on.
 */
import type { UseQueryResult } from "@tanstack/react-query"
import type { AnswerOf } from "../../api/hub.ts"
import { Panel } from "../../ui/Page.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { wordsOf } from "./settingWords.ts"

type Config = AnswerOf<"GET /api/hub/pod/config">

const valueAsText = (value: unknown): string => {
  if (value === true) return "on"
  if (value === false) return "off"
  if (value === null || value === undefined) return "none"
  return typeof value === "string" ? value : JSON.stringify(value)
}

const Facts = ({ title, facts }: { readonly title: string; readonly facts: Readonly<Record<string, unknown>> }) => (
  <div className="grid content-start gap-2">
    <h3 className="font-medium">{title}</h3>
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
      {Object.entries(facts).map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{wordsOf(name)}</dt>
          <dd>{valueAsText(value)}</dd>
        </div>
      ))}
    </dl>
  </div>
)

export const ConfigPanel = ({ config }: { readonly config: UseQueryResult<Config> }) => (
  <Panel title="How it is set up">
    <QueryResult what="the configuration" query={config}>
      {({ limits, name, options, surfaces, version }) => (
        <>
          <p>
            {name}, version <strong>{version}</strong>.
          </p>
          <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
            <Facts title="Operations" facts={surfaces} />
            <Facts title="Limits" facts={limits} />
            <Facts title="Optional parts" facts={options} />
          </div>
        </>
      )}
    </QueryResult>
  </Panel>
)
