/** Shows the calls of a screen in four tabs: curl, fetch, tRPC and MCP. */
import { useCatalog } from "../api/useCatalog.ts"
import { callForms, callName, type PreviewedCall } from "./callForms.ts"
import { Copyable } from "./Copyable.tsx"
import { QueryResult } from "./QueryResult.tsx"
import { Tabs } from "./Tabs.tsx"

export const PreviewedForms = ({ calls }: { readonly calls: ReadonlyArray<PreviewedCall> }) => (
  <QueryResult what="the procedures and tools of the pod" query={useCatalog()}>
    {(catalog) => (
      <Tabs
        label="Form of the call"
        tabs={callForms.map(({ name, of }) => ({
          name,
          content: (
            <ul className="grid gap-3">
              {calls.map((call) => {
                const { note, text } = of(call, catalog)
                return (
                  <li key={JSON.stringify(call)} className="grid min-w-0 gap-1">
                    {text !== undefined && <Copyable text={text} name={callName(call)} />}
                    {note !== undefined && <p className="text-muted">{note}</p>}
                  </li>
                )
              })}
            </ul>
          )
        }))}
      />
    )}
  </QueryResult>
)
