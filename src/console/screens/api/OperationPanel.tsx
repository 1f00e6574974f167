/** Shows one operation: what it does, what a caller needs, which keys may call it, and a form to try it. */
import { useEffect, useRef, useState } from "react"
import { Badge } from "../../ui/Badge.tsx"
import { Inline } from "../../ui/Inline.tsx"
import { Panel } from "../../ui/Page.tsx"
import type { Entry } from "../../api/reference.ts"
import { OneField, SchemaFields } from "./SchemaFields.tsx"
import { resolveReference } from "../../api/schemaWords.ts"
import { TryIt } from "./TryIt.tsx"
import type { Key } from "./useKeyDoors.ts"
import { WhoMayCall } from "./WhoMayCall.tsx"

const credentialNames: Readonly<Record<string, string>> = { bearer: "a key", session: "a sign-in" }

const Access = ({ entry }: { readonly entry: Entry }) => (
  <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
    <dt className="text-muted">Needs</dt>
    <dd>
      {entry.credentials.length === 0
        ? "no credential"
        : entry.credentials.map((each) => credentialNames[each] ?? each).join(" or ")}
    </dd>
    {entry.scope !== null && (
      <>
        <dt className="text-muted">Scope</dt>
        <dd>
          <code>{entry.scope}</code>
        </dd>
      </>
    )}
    {entry.permissions.length > 0 && (
      <>
        <dt className="text-muted">Permission</dt>
        <dd>
          <code>{entry.permissions.join(" + ")}</code>
        </dd>
      </>
    )}
    <dt className="text-muted">Name</dt>
    <dd>
      <code>{entry.name}</code>
    </dd>
  </dl>
)

interface OperationPanelProps {
  readonly entry: Entry
  readonly keys: ReadonlyArray<Key>
  readonly pasted: string
}

export const OperationPanel = ({ entry, keys, pasted }: OperationPanelProps) => {
  // The list of keys needs one request for each key, so it appears only after a click.
  const [areKeysShown, setKeysShown] = useState(false)
  const { api, body, parameters } = entry
  const place = useRef<HTMLDivElement>(null)
  // On a narrow screen the operation is below the list. Without this scrolling, a person who clicks in the list would
  // not see that another operation has opened.
  useEffect(() => {
    place.current?.scrollIntoView({ block: "nearest" })
  }, [])
  return (
    <div ref={place} className="min-w-0 scroll-mt-4">
      <Panel title={entry.title} actions={<Badge>{entry.kind.toUpperCase()}</Badge>}>
        <p>
          <Inline text={entry.summary} />
        </p>
        {entry.door !== "" && (
          <p className="text-muted">
            <Inline text={entry.door} />
          </p>
        )}
        <Access entry={entry} />
        <details open={areKeysShown} onToggle={({ currentTarget }) => setKeysShown(currentTarget.open)}>
          <summary>Which of my keys may call it?</summary>
          {areKeysShown && <WhoMayCall entry={entry} keys={keys} />}
        </details>
        {parameters.length > 0 && (
          <details>
            <summary>Parameters</summary>
            <ul className="border-line grid gap-3 border-l pl-3">
              {parameters
                .map((each) => resolveReference(api, each))
                .map(({ description, in: place, name, required, schema }) => (
                  <OneField
                    key={`${place} ${name}`}
                    api={api}
                    name={name}
                    schema={schema}
                    isRequired={required === true}
                    description={description}
                  />
                ))}
            </ul>
          </details>
        )}
        {body !== undefined && (
          <details>
            <summary>Fields of the input</summary>
            <SchemaFields api={api} schema={body.schema} />
          </details>
        )}
        <h3 className="font-medium">Try it</h3>
        <TryIt key={entry.id} entry={entry} keys={keys} pasted={pasted} />
      </Panel>
    </div>
  )
}
