/**
 * Shows the answer to a question: where the pod looked, how sure it is, what is missing, and the items from each place.
 */
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import type { AnswerOf } from "../../api/hub.ts"
import { Badge, type Tone } from "../../ui/Badge.tsx"
import { Empty, Panel } from "../../ui/Page.tsx"
import { Comparison } from "./Comparison.tsx"
import { FoundItem } from "./FoundItem.tsx"

type Answer = AnswerOf<"POST /api/hub/knowledge/search">

const substrates: Readonly<Record<Answer["primary"], string>> = {
  semantic: "Entities and documents",
  structured: "Listings",
  procedural: "Knowledge entries",
  episodic: "Memory"
}

const verdicts: Readonly<Record<Answer["verdict"], { readonly tone: Tone; readonly says: string }>> = {
  confident: { tone: "good", says: "The best items have the words of the question." },
  ambiguous: { tone: "warn", says: "The best items have only some words of the question." },
  empty: { tone: "plain", says: "Nothing in the searched records answers it." }
}

const Understood = ({ understanding }: Pick<Answer, "understanding">) => {
  const { corrected, excluded, filters, phrases, profileTypes, text } = understanding
  const parts = [
    `words: ${text || "none"}`,
    ...(phrases.length > 0 ? [`phrases: ${phrases.join(", ")}`] : []),
    ...(excluded.length > 0 ? [`without: ${excluded.join(", ")}`] : []),
    ...(profileTypes.length > 0 ? [`kinds: ${profileTypes.join(", ")}`] : []),
    ...(Object.keys(filters).length > 0 ? [`filters: ${JSON.stringify(filters)}`] : []),
    ...corrected.map(({ from, to }) => `${from} was read as ${to}`)
  ]
  return <p className="text-muted">Understood as {parts.join(" · ")}.</p>
}

/**
 * Says in words what the pod searches in one place (group of records). If the question has no workspace, the place
 * `procedural` contains only the knowledge entries of the personal space.
 */
const searchedOf = ({ filters }: Answer["understanding"], workspaceId: string | undefined, place: Answer["primary"]) =>
  place === "procedural" && workspaceId === undefined && filters["workspaces"] === undefined
    ? `${substrates[place]} of your personal space`
    : substrates[place]

export const RoutedAnswer = ({
  answer,
  nextSteps,
  workspaceId
}: {
  readonly answer: Answer
  /** What the person can do if the pod has found nothing. */
  readonly nextSteps: ReactNode
  /** The workspace in which the pod looked. Undefined if the question was not limited to a workspace. */
  readonly workspaceId: string | undefined
}) => {
  const { answers, comparison, degraded, intent, pending, primary, routedTo, spaces, understanding, verdict } = answer
  const { says, tone } = verdicts[verdict]
  const found = answers.filter(({ items, status }) => items.length > 0 || status === "error")
  return (
    <div className="grid min-w-0 gap-4">
      <Panel title="How the question was answered">
        <p className="flex flex-wrap items-center gap-2">
          <Badge tone={tone}>{verdict}</Badge> {says}
        </p>
        <p>
          Looked in{" "}
          {routedTo.map((each, index) => (
            <span key={each}>
              {index > 0 && ", "}
              {searchedOf(understanding, workspaceId, each)}
              {each === primary && " (best answer)"}
            </span>
          ))}
          . The words of the question indicate {substrates[intent].toLowerCase()}.
        </p>
        {degraded.length > 0 && (
          <p role="status" className="flex flex-wrap gap-2">
            <Badge tone="warn">incomplete</Badge> Failed or incomplete: {degraded.join(", ")}
          </p>
        )}
        <Understood understanding={understanding} />
      </Panel>
      {pending !== undefined && (
        <Panel title="Waiting for a decision">
          <p>{pending.notice}</p>
          <ul className="list-disc pl-5">
            {pending.matches.map(({ proposalId, summary }) => (
              <li key={proposalId}>
                <Link to="/inbox/$id" params={{ id: proposalId }}>
                  {summary}
                </Link>
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {verdict === "empty" && (
        <Empty title={found.some(({ items }) => items.length > 0) ? "Only weak matches, below." : "No record matches."}>
          <p>Ask with other words{workspaceId === undefined ? "" : ", or in all your workspaces"}.</p>
          {nextSteps}
        </Empty>
      )}
      {found.map(({ items, status, substrate }) => (
        <Panel key={substrate} title={searchedOf(understanding, workspaceId, substrate)}>
          {status === "error" && <p className="text-bad">This part could not be searched.</p>}
          <ul className="grid">
            {items.map((item) => (
              <FoundItem key={item.id} item={item} />
            ))}
          </ul>
        </Panel>
      ))}
      {spaces !== undefined && spaces !== null && spaces.matches.length > 0 && (
        <Panel title="Other workspaces with matches">
          <ul className="list-disc pl-5">
            {spaces.matches.map(({ kinds, name, workspaceId }) => (
              <li key={workspaceId}>
                <Link to="/explore" search={{ tab: "search", question: answer.query, workspaceId }}>
                  {name}
                </Link>{" "}
                {kinds.map(({ count, slug }) => `${count} ${slug}`).join(", ")}
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {comparison !== undefined && comparison.baseline.length + comparison.horizon.length > 0 && (
        <Comparison {...comparison} />
      )}
    </div>
  )
}
