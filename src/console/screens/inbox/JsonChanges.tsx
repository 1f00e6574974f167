/** Shows the changes in the structure of a JSON value, with one line for each key or item. */
import { visibleText } from "../../../shared/visibleText.ts"
import { Badge } from "../../ui/Badge.tsx"
import { type JsonChange, pathText } from "./jsonDiff.ts"

export const valueText = (value: unknown): string =>
  value === undefined ? "nothing" : typeof value === "string" ? value : JSON.stringify(value, undefined, 2)

const Value = ({ value, kind }: { readonly value: unknown; readonly kind: "removed" | "added" | "same" }) => {
  const text = visibleText(valueText(value))
  if (kind === "same") return <span className="font-mono text-xs whitespace-pre-wrap">{text}</span>
  return kind === "removed" ? (
    <del className="bg-bad-soft text-bad font-mono text-xs whitespace-pre-wrap">{text}</del>
  ) : (
    <ins className="bg-good-soft text-good font-mono text-xs whitespace-pre-wrap">{text}</ins>
  )
}

const tones = { added: "good", removed: "bad", changed: "accent", moved: "warn", numbers: "accent" } as const

const Change = ({ change }: { readonly change: JsonChange }) => {
  switch (change.kind) {
    case "added":
      return <Value kind="added" value={change.after} />
    case "removed":
      return <Value kind="removed" value={change.before} />
    case "changed":
      return (
        <>
          <Value kind="removed" value={change.before} /> <span aria-label="becomes">→</span>{" "}
          <Value kind="added" value={change.after} />
        </>
      )
    case "moved":
      return (
        <>
          from <code>{pathText(change.from)}</code>: <Value kind="same" value={change.value} />
        </>
      )
    case "numbers":
      return (
        <>
          {change.changed} of {change.count} numbers changed
        </>
      )
  }
}

export const JsonChanges = ({ changes }: { readonly changes: ReadonlyArray<JsonChange> }) => (
  <ul className="grid gap-1">
    {changes.map((change, at) => (
      <li key={at} className="flex flex-wrap items-baseline gap-x-2">
        <Badge tone={tones[change.kind]}>{change.kind}</Badge>
        {change.path.length > 0 && <code>{pathText(change.path)}</code>}
        <span className="min-w-0">
          <Change change={change} />
        </span>
      </li>
    ))}
  </ul>
)
