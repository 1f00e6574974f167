/**
 * The wizard for a new key. It shows a form with a preview, then the new key once, and then how to connect a client.
 */
import { useQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { useEffect, useState } from "react"
import { type ProcedureOutput } from "../../api/procedures.ts"
import { allRolesQuery } from "../../api/wholeLists.ts"
import { Page } from "../../ui/Page.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { MadeKey } from "./MadeKey.tsx"
import { keepDraft, keptDraft } from "./keptDraft.ts"
import { missingPart, previewInput } from "./keyDraft.ts"
import { startingDraft } from "./startingDraft.ts"
import { useSettled } from "./useGrantPreview.ts"
import { WizardForm } from "./WizardForm.tsx"
import { allKeysQuery } from "./allKeys.ts"

const route = getRouteApi("/shell/keys/new")

export type MintedKey = ProcedureOutput<"apiKeys.create">

export const NewKeyPage = () => {
  const search = route.useSearch()
  const [draft, setDraft] = useState(keptDraft)
  const [newKey, setNewKey] = useState<MintedKey>()
  const settledDraft = useSettled(draft)
  useEffect(() => keepDraft(newKey === undefined ? settledDraft : undefined), [settledDraft, newKey])
  // A link can name a key or a role from which the draft starts. The form appears only when the console has read this
  // key or role.
  const isNamed = search.from !== undefined || search.role !== undefined
  const keys = useQuery({ ...allKeysQuery, enabled: isNamed })
  const roles = useQuery({ ...allRolesQuery, enabled: isNamed })
  const shown = draft ?? startingDraft(search, keys.data ?? [], roles.data ?? [])
  const calls =
    missingPart(shown) === undefined
      ? [{ procedure: "grants.preview", kind: "query" as const, input: previewInput(shown) }]
      : []
  const form = (
    <WizardForm
      draft={shown}
      onChange={setDraft}
      onMade={setNewKey}
      {...(search.recipe ? { recipe: search.recipe } : {})}
    />
  )
  return (
    <Page
      title={newKey === undefined ? "New key" : "Your new key"}
      within={<Link to="/connections">Connections</Link>}
      about={
        newKey === undefined
          ? "Choose who holds the key, where it works and what it may access. The pod shows beside the form what that means."
          : "Store it now: nobody can read it again."
      }
      calls={newKey === undefined ? calls : []}
    >
      {newKey !== undefined ? (
        <MadeKey minted={newKey} draft={shown} />
      ) : search.from !== undefined ? (
        <QueryResult what="the key that is copied" query={keys}>
          {() => form}
        </QueryResult>
      ) : search.role !== undefined ? (
        <QueryResult what="the access role" query={roles}>
          {() => form}
        </QueryResult>
      ) : (
        form
      )}
    </Page>
  )
}
