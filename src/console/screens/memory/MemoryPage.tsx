/** The Memory page. It shows the facts that programs remember for the person. */
import { getRouteApi, Link } from "@tanstack/react-router"
import { useState } from "react"
import { useFreshReads } from "../../api/stream.ts"
import { Button } from "../../ui/Button.tsx"
import { CheckField, SelectField, TextField, textsOf } from "../../ui/Field.tsx"
import { Page } from "../../ui/Page.tsx"
import { Tabs } from "../../ui/Tabs.tsx"
import { Duplicates } from "./Duplicates.tsx"
import { ExportButton } from "./ExportButton.tsx"
import { FactList, factsInput } from "./FactList.tsx"
import { ForgetDialog } from "./ForgetDialog.tsx"
import { ForgottenFacts, forgottenInput } from "./ForgottenFacts.tsx"
import { levels, type MemorySearch, memorySearchOf, memoryTabs, trustLevels, wordsMax } from "./memorySearch.ts"

const route = getRouteApi("/shell/memory")

const tabNames = { facts: "Facts", duplicates: "Duplicates", forgotten: "Forgotten" } as const

const SearchForm = ({
  search,
  onSearch
}: {
  readonly search: MemorySearch
  readonly onSearch: (next: MemorySearch) => void
}) => (
  <form
    role="search"
    key={JSON.stringify(search)}
    className="flex flex-wrap items-end gap-3"
    onSubmit={(event) => {
      event.preventDefault()
      const { level, q, trust, why } = textsOf(event.currentTarget)
      onSearch(memorySearchOf({ level, q: q?.trim(), trust, why: why === "on" }))
    }}
  >
    <div className="grow basis-64">
      <TextField label="Words" name="q" maxLength={wordsMax} defaultValue={search.q} type="search" />
    </div>
    <SelectField label="Said by" name="trust" defaultValue={search.trust ?? ""}>
      <option value="">Anybody</option>
      {trustLevels.map((trust) => (
        <option key={trust}>{trust}</option>
      ))}
    </SelectField>
    <SelectField label="Level" name="level" defaultValue={search.level ?? ""}>
      <option value="">Every level</option>
      {levels.map((level) => (
        <option key={level}>{level}</option>
      ))}
    </SelectField>
    <div className="py-2">
      <CheckField label="Show why each fact was recalled" name="why" defaultChecked={search.why === true} />
    </div>
    <Button type="submit">Search</Button>
  </form>
)

export const MemoryPage = () => {
  const search = route.useSearch()
  const go = route.useNavigate()
  const [isForgetting, setForgetting] = useState(false)
  useFreshReads({ memory: ["memory"] })
  const { after, like, tab = "facts" } = search
  const facts = (
    <div className="grid min-w-0 gap-4">
      <SearchForm search={search} onSearch={(next) => void go({ search: next })} />
      {like !== undefined && (
        <p>
          Facts that are similar to “{search.q}”. <Link to="/memory">Show all facts</Link>
        </p>
      )}
      <FactList
        search={search}
        onPage={(after) => void go({ search: { ...search, after } })}
        onClear={() => void go({ search: {} })}
      />
    </div>
  )
  return (
    <Page
      title="Memory"
      about="Facts that your programs and agents remember for you. Nobody else can read them."
      calls={[
        { route: "GET /api/hub/memory", input: tab === "forgotten" ? forgottenInput(after) : factsInput(search) }
      ]}
      actions={
        <>
          <ExportButton />
          <Button onClick={() => setForgetting(true)}>Forget everything about …</Button>
        </>
      }
    >
      <Tabs
        label="Lists of facts"
        shown={tabNames[tab]}
        onShow={(name) => {
          const chosen = memoryTabs.find((each) => tabNames[each] === name)
          void go({ search: chosen === undefined || chosen === "facts" ? {} : { tab: chosen } })
        }}
        tabs={[
          { name: tabNames.facts, content: facts },
          { name: tabNames.duplicates, content: <Duplicates /> },
          {
            name: tabNames.forgotten,
            content: (
              <ForgottenFacts after={after} onPage={(next) => void go({ search: { tab: "forgotten", after: next } })} />
            )
          }
        ]}
      />
      <ForgetDialog isOpen={isForgetting} onClose={() => setForgetting(false)} />
    </Page>
  )
}
