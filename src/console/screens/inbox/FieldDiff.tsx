/** One field that a proposal changes, in the look that the person chose. */
import { Badge } from "../../ui/Badge.tsx"
import type { Look } from "./inboxSearch.ts"
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

const Content = ({ difference, look }: { readonly difference: Difference; readonly look: Look }) => {
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
    // A list of numbers that nobody reads one by one stays counted in every look.
    return changes.some(({ kind }) => kind === "numbers") || look === "unified" ? (
      <JsonChanges changes={changes} />
    ) : (
      <LineTable label={`Lines of ${name}`} before={one ?? ""} after={other ?? ""} isSplit />
    )
  }
  return <JsonChanges changes={jsonChanges(before, after)} />
}

export const FieldDiff = (props: { readonly difference: Difference; readonly look: Look }) => (
  <li className="grid min-w-0 gap-1.5">
    <h3 className="flex flex-wrap items-center gap-2 font-medium">
      <code>{pathText(props.difference.path)}</code>
      <Badge tone={tones[props.difference.kind]}>{props.difference.kind}</Badge>
    </h3>
    <Content {...props} />
  </li>
)
