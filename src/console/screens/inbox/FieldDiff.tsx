/** Shows one field that a proposal changes, in the display style that the person chose. */
import { useState } from "react"
import { Badge } from "../../ui/Badge.tsx"
import { Button } from "../../ui/Button.tsx"
import { Markdown } from "../../ui/Markdown.tsx"
import { isMarkdown } from "../../ui/markdownBlocks.ts"
import type { DiffLook } from "./inboxSearch.ts"
import type { ProposalWhole } from "./inboxText.ts"
import { JsonChanges, valueText } from "./JsonChanges.tsx"
import { jsonChanges, pathText } from "./jsonDiff.ts"
import { LineTable } from "./LineTable.tsx"
import { Pieces } from "./Pieces.tsx"
import { wordPieces } from "./textDiff.ts"

type Difference = ProposalWhole["differences"][number]

const tones = { added: "good", removed: "bad", changed: "accent" } as const

const isText = (value: unknown): value is string | undefined => value === undefined || typeof value === "string"
const isStructure = (value: unknown) => typeof value === "object" && value !== null

const Content = ({ difference, look }: { readonly difference: Difference; readonly look: DiffLook }) => {
  const { after, before, path, words } = difference
  const name = pathText(path)
  if (isText(before) && isText(after)) {
    if (look === "words") {
      return (
        <p className="whitespace-pre-wrap">
          <Pieces pieces={words ?? wordPieces(before ?? "", after ?? "")} />
        </p>
      )
    }
    return <LineTable label={`Lines of ${name}`} before={before ?? ""} after={after ?? ""} isSplit={look === "split"} />
  }
  if (isStructure(before) || isStructure(after)) {
    if (look === "words") return <JsonChanges changes={jsonChanges(before, after)} />
    const [one, other] = [before, after].map((value) => (value === undefined ? "" : valueText(value)))
    const changes = jsonChanges(before, after)
    // Nobody reads a long list of numbers. So every display style shows only how many numbers changed.
    return changes.some(({ kind }) => kind === "numbers") || look === "unified" ? (
      <JsonChanges changes={changes} />
    ) : (
      <LineTable label={`Lines of ${name}`} before={one ?? ""} after={other ?? ""} isSplit />
    )
  }
  return <JsonChanges changes={jsonChanges(before, after)} />
}

/** Shows both versions of a Markdown text as formatted text. If there is room, the versions are beside each other. */
const RenderedMarkdown = ({
  after,
  before
}: {
  readonly before: string | undefined
  readonly after: string | undefined
}) => (
  <div className="grid min-w-0 gap-3 lg:grid-cols-2">
    {[
      { name: "Before", text: before },
      { name: "After", text: after }
    ].map(({ name, text }) => (
      <section key={name} aria-label={name} className="border-line min-w-0 rounded-md border p-3">
        <p className="text-muted mb-2 text-xs font-medium">{name}</p>
        {text === undefined || text === "" ? <p className="text-muted">No text.</p> : <Markdown text={text} />}
      </section>
    ))}
  </div>
)

interface FieldDiffProps {
  readonly difference: Difference
  readonly look: DiffLook
  /** True if the person can tick the field as viewed, because the proposal changes several fields. */
  readonly hasTick: boolean
}

export const FieldDiff = ({ hasTick, ...props }: FieldDiffProps) => {
  const { after, before, kind, path } = props.difference
  const [isRendered, setRendered] = useState(false)
  const [isViewed, setViewed] = useState(false)
  const name = pathText(path)
  const texts = isText(before) && isText(after) ? { before, after } : undefined
  const canRender = texts !== undefined && [before, after].some((text) => typeof text === "string" && isMarkdown(text))
  return (
    <li className="grid min-w-0 gap-1.5">
      <h3 className="flex flex-wrap items-center gap-2 font-medium">
        <code>{name}</code>
        <Badge tone={tones[kind]}>{kind}</Badge>
        {canRender && !isViewed && (
          <Button
            kind="quiet"
            aria-pressed={isRendered}
            aria-label={`Rendered ${name}`}
            onClick={() => setRendered(!isRendered)}
          >
            Rendered
          </Button>
        )}
        {hasTick && (
          <label className="text-muted ml-auto flex items-center gap-1.5 font-normal">
            <input
              type="checkbox"
              aria-label={`Viewed ${name}`}
              className="size-4"
              checked={isViewed}
              onChange={({ target }) => setViewed(target.checked)}
            />
            Viewed
          </label>
        )}
      </h3>
      {isViewed ? null : canRender && isRendered ? <RenderedMarkdown {...texts} /> : <Content {...props} />}
    </li>
  )
}
