/**
 * Asks the pod how its governance gate would decide about a write. Nothing is written, and the page itself does not
 * decide.
 */
import { useQuery } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { type AnswerOf, hubQuery, type InputOf } from "../../api/hub.ts"
import { procedureQuery } from "../../api/procedures.ts"
import { Badge, type Tone } from "../../ui/Badge.tsx"
import { Button } from "../../ui/Button.tsx"
import { SelectField, TextField, textsOf } from "../../ui/Field.tsx"
import { Panel } from "../../ui/Page.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import type { WorkspacePartProps } from "./workspaceOf.ts"
import { Inline } from "../../ui/Inline.tsx"

type Query = NonNullable<InputOf<"GET /api/hub/workspaces/:workspaceId/governance">["query"]>
type Verdict = NonNullable<AnswerOf<"GET /api/hub/workspaces/:workspaceId/governance">["verdict"]>
type Subject = NonNullable<Query["subjectType"]>
type Action = NonNullable<Query["action"]>

const subjects: ReadonlyArray<Subject & string> = [
  "entity",
  "facet",
  "relation",
  "document",
  "project",
  "view",
  "track",
  "channel",
  "messaging",
  "command",
  "artifact",
  "event",
  "memory",
  "profile",
  "property_def",
  "member",
  "workspace",
  "webhook"
]
const actions: ReadonlyArray<Action & string> = ["create", "update", "delete"]

const words: Readonly<Record<Verdict["verdict"], { readonly text: string; readonly tone: Tone }>> = {
  allow: { text: "is carried out", tone: "good" },
  propose: { text: "waits for a person", tone: "warn" },
  deny: { text: "is refused", tone: "bad" }
}

const Outcome = ({ verdict }: { readonly verdict: Verdict }) => (
  <div role="status" className="grid gap-2">
    <p>
      The write <Badge tone={words[verdict.verdict].tone}>{words[verdict.verdict].text}</Badge>. Decided by{" "}
      <code>{verdict.rung}</code>
      <Inline text={verdict.reason === undefined ? "." : `: ${verdict.reason}`} />
    </p>
    <p className="text-muted">
      Needs <code>{verdict.permission}</code>
    </p>
    {verdict.orElse.length > 0 && (
      <ul className="list-disc pl-5">
        {verdict.orElse.map(({ rung, verdict: other, when }) => (
          <li key={`${rung}${when}`}>
            {when}: it {words[other].text} (<code>{rung}</code>)
          </li>
        ))}
      </ul>
    )}
  </div>
)

const Answer = ({ workspace, query }: WorkspacePartProps & { readonly query: Query }) => {
  const answer = useQuery(
    hubQuery("GET /api/hub/workspaces/:workspaceId/governance", {
      params: { workspaceId: workspace.id },
      query
    })
  )
  return (
    <QueryResult what="the verdict" query={answer}>
      {({ verdict }) => (verdict === undefined ? null : <Outcome verdict={verdict} />)}
    </QueryResult>
  )
}

export const DryRun = ({ workspace }: WorkspacePartProps) => {
  const agents = useQuery(procedureQuery("agents.list", {}))
  const [query, setQuery] = useState<Query | undefined>()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const texts = textsOf(event.currentTarget)
    const kind = (texts["kind"] ?? "").trim()
    setQuery({
      subjectType: subjects.find((each) => each === texts["subject"]) ?? "entity",
      action: actions.find((each) => each === texts["action"]) ?? "create",
      agentUserId: texts["agent"],
      ...(kind === "" ? {} : { profileSlug: kind })
    })
  }
  return (
    <Panel title="What if …">
      {agents.data?.length === 0 && <p className="text-muted">You have no agent whose writes could be judged.</p>}
      <form onSubmit={submit} className="grid gap-3">
        <div className="grid gap-3 sm:grid-cols-2">
          <SelectField label="Who writes" name="agent" required>
            {agents.data?.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
          <SelectField label="Does" name="action">
            {actions.map((action) => (
              <option key={action}>{action}</option>
            ))}
          </SelectField>
          <SelectField label="What" name="subject">
            {subjects.map((subject) => (
              <option key={subject}>{subject}</option>
            ))}
          </SelectField>
          <TextField label="Of the kind" name="kind" hint="A slug such as task. Optional." autoComplete="off" />
        </div>
        <div>
          <Button type="submit">Ask the gate</Button>
        </div>
      </form>
      {query !== undefined && <Answer workspace={workspace} query={query} />}
    </Panel>
  )
}
