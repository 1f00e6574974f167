/**
 * The editor of a grant: where the grant applies and what it permits. The screens for keys and roles share this
 * component.
 */
import { useQuery } from "@tanstack/react-query"
import { hubQuery } from "../../api/hub.ts"
import { useSession } from "../../api/session.ts"
import { Badge } from "../../ui/Badge.tsx"
import { Button } from "../../ui/Button.tsx"
import { CheckField } from "../../ui/Field.tsx"
import { Tabs } from "../../ui/Tabs.tsx"
import { GrantAsCode } from "./GrantAsCode.tsx"
import { GrantMatrix } from "./GrantMatrix.tsx"
import type { GrantDraft } from "./keyDraft.ts"
import { ObjectPicker, ProjectPicker, WorkspacePicker } from "./LimitPicker.tsx"
import { everything } from "./permissionMatrix.ts"

interface GrantEditorProps {
  readonly grant: GrantDraft
  readonly onChange: (grant: GrantDraft) => void
}

/** Reads the kinds of entity that a permission can name. */
export const useKinds = () => {
  const session = useSession()
  const { data } = useQuery({
    ...hubQuery("GET /api/hub/discover", { query: { userId: session?.user.id ?? "", summary: "true", sort: "name" } }),
    staleTime: 60_000
  })
  const kinds = (data?.profiles ?? []).filter(({ profileKind }) => profileKind === "kind")
  return [...new Map(kinds.map((kind) => [kind.slug, kind])).values()]
}

export const WhereFields = ({ grant, onChange }: GrantEditorProps) => (
  <div className="grid gap-4">
    <WorkspacePicker chosen={grant.workspaceIds} onChange={(workspaceIds) => onChange({ ...grant, workspaceIds })} />
    <ProjectPicker chosen={grant.projectIds} onChange={(projectIds) => onChange({ ...grant, projectIds })} />
    <ObjectPicker chosen={grant.entityIds} onChange={(entityIds) => onChange({ ...grant, entityIds })} />
    <p className="text-muted">All limits apply together: a record must be within each of them.</p>
  </div>
)

export const WhatFields = ({ grant, onChange }: GrantEditorProps) => {
  const kinds = useKinds()
  const { permissions } = grant
  const set = (next: ReadonlyArray<string>) => onChange({ ...grant, permissions: next })
  return (
    <Tabs
      label="How to write the grant"
      tabs={[
        {
          name: "Table",
          content: (
            <div className="grid min-w-0 gap-3">
              <CheckField
                label="Everything (*)"
                hint="Every permission that you have, also those that later versions add."
                checked={permissions.includes(everything)}
                onChange={({ target }) =>
                  set(target.checked ? [everything] : permissions.filter((each) => each !== everything))
                }
              />
              <GrantMatrix permissions={permissions} kinds={kinds} onChange={set} />
              <ul aria-label="Chosen permissions" className="flex flex-wrap gap-1">
                {permissions.map((permission) => (
                  <li key={permission}>
                    <Badge tone="accent">
                      {permission}{" "}
                      <button
                        type="button"
                        aria-label={`Remove ${permission}`}
                        className="min-h-6 min-w-6"
                        onClick={() => set(permissions.filter((each) => each !== permission))}
                      >
                        ✕
                      </button>
                    </Badge>
                  </li>
                ))}
              </ul>
              {permissions.length > 0 && (
                <div>
                  <Button onClick={() => set([])}>Clear the table</Button>
                </div>
              )}
            </div>
          )
        },
        { name: "As code", content: <GrantAsCode grant={grant} onChange={onChange} /> }
      ]}
    />
  )
}
