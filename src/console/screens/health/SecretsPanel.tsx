/** Shows which secrets of the pod are being replaced, and whether something still needs their old values. */
import { useQuery } from "@tanstack/react-query"
import { secretUse } from "../../../shared/secretUse.ts"
import { procedureQuery } from "../../api/procedures.ts"
import { Refusal } from "../../api/refusal.ts"
import { Badge } from "../../ui/Badge.tsx"
import { Panel } from "../../ui/Page.tsx"
import { Shown } from "../../ui/Shown.tsx"

export const SecretsPanel = () => {
  const secrets = useQuery(procedureQuery("health.secrets", {}))
  if (secrets.error instanceof Refusal && secrets.error.status === 403) return null
  return (
    <Panel title="Secrets">
      <Shown what="the use of secrets" query={secrets}>
        {(states) => {
          const uses = states.flatMap((state) => {
            const use = secretUse(state)
            return use === undefined ? [] : [{ name: state.name, ...use }]
          })
          if (uses.length === 0) return <p>Each secret has only its current value, and nothing needs a former value.</p>
          return (
            <ul className="grid gap-2">
              {uses.map(({ isWarning, name, text }) => (
                <li key={name} className="flex flex-wrap items-center gap-2">
                  <Badge tone={isWarning ? "warn" : "good"}>{isWarning ? "still needed" : "changed"}</Badge>
                  <span className="min-w-0 break-words">{`${text.charAt(0).toUpperCase()}${text.slice(1)}.`}</span>
                </li>
              ))}
            </ul>
          )
        }}
      </Shown>
    </Panel>
  )
}
