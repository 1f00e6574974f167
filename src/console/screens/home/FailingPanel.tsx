/** What fails: webhooks that the pod stopped calling, and calls that were refused. */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { hubQuery } from "../../api/hub.ts"
import { useNames } from "../../api/useNames.ts"
import { Badge } from "../../ui/Badge.tsx"
import { Panel } from "../../ui/Page.tsx"
import { Shown } from "../../ui/Shown.tsx"
import { Time } from "../../ui/Time.tsx"
import { refusalsInput, webhooksInput } from "./homeReads.ts"

const reasons = { gone: "its receiver said that it is gone", failing: "its calls failed for too long" } as const

const textOf = (value: unknown): string => (typeof value === "string" ? value : "")

const Webhooks = () => {
  const webhooks = useQuery(hubQuery("GET /api/hub/webhooks", webhooksInput))
  return (
    <Shown what="your webhooks" query={webhooks}>
      {(found) => {
        const failing = found.filter(({ disabledReason }) => disabledReason !== null)
        return failing.length === 0 ? (
          <p className="text-muted">No webhook fails.</p>
        ) : (
          <ul className="grid gap-1">
            {failing.map(({ disabledReason, id, name }) => (
              <li key={id}>
                <Badge tone="bad">Stopped</Badge> <Link to="/webhooks">{name}</Link>
                {disabledReason !== null && <span className="text-muted">: {reasons[disabledReason]}</span>}
              </li>
            ))}
          </ul>
        )
      }}
    </Shown>
  )
}

const Refusals = () => {
  const refusals = useQuery(hubQuery("GET /api/hub/events", refusalsInput))
  const { name } = useNames()
  return (
    <Shown what="the refusals" query={refusals}>
      {(found) =>
        found.length === 0 ? (
          <p className="text-muted">Nothing was refused in the last 7 days.</p>
        ) : (
          <ul className="grid gap-1">
            {found.map(({ data, id, timestamp }) => (
              <li key={id}>
                <Badge tone="warn">{textOf(data["code"])}</Badge> {name(textOf(data["holderId"]))} at{" "}
                <code>{textOf(data["operation"])}</code> <Time at={timestamp} />
                <br />
                <span className="text-muted">{textOf(data["why"])}</span>
              </li>
            ))}
          </ul>
        )
      }
    </Shown>
  )
}

export const FailingPanel = () => (
  <Panel title="What fails" actions={<Link to="/events">Open the events</Link>}>
    <h3 className="font-medium">Webhooks</h3>
    <Webhooks />
    <h3 className="font-medium">Refused calls</h3>
    <Refusals />
  </Panel>
)
