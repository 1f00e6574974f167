/**
 * The Explore page. The page lists the records of the pod by kind. The page also has a search. For a search, the pod
 * chooses the groups of records (such as documents or memory facts) that can answer the question.
 */
import { useQuery } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { type AnswerOf, hubQuery } from "../../api/hub.ts"
import { Button } from "../../ui/Button.tsx"
import { TextField, textsOf } from "../../ui/Field.tsx"
import { Page } from "../../ui/Page.tsx"
import type { PreviewedCall } from "../../ui/callForms.ts"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { Tabs } from "../../ui/Tabs.tsx"
import { rememberWorkspace } from "../../shell/workspaceChoice.ts"
import { WorkspaceSelect } from "../../ui/WorkspaceSelect.tsx"
import { EntityTable, pageRows } from "./EntityTable.tsx"
import { exploreRoute, type ExploreSearch } from "./exploreRoutes.ts"
import { shapesOf } from "./formShapes.ts"
import { KindTable } from "./KindTable.tsx"
import { NewRecord } from "./NewRecord.tsx"
import { ProfileList } from "./ProfileList.tsx"
import { recordKindOf } from "./recordKinds.ts"
import { requestOfSearch, SearchTab } from "./SearchTab.tsx"

type Profiles = AnswerOf<"GET /api/hub/discover">["profiles"]

const discovery = (workspaceId: string | undefined) => ({
  query: { userId: "me", sort: "usage" as const, ...(workspaceId === undefined ? {} : { workspaceId }) }
})

const kindsOf = (profiles: Profiles) => profiles.filter(({ profileKind }) => profileKind === "kind")

/**
 * The selected kind, from the address of the page. If the address has no kind, it is the kind with the most records.
 * The name of a type that is no kind of entity begins with a colon, such as `:document`.
 */
const kindShown = ({ kind }: ExploreSearch, profiles: Profiles) => kind ?? kindsOf(profiles)[0]?.slug ?? ":document"

const queryOf = ({ after, q, workspaceId }: ExploreSearch, profileSlug: string) => ({
  profileSlug,
  ...(workspaceId === undefined ? {} : { workspaceId }),
  limit: pageRows,
  ...(q !== undefined ? { q, offset: Number(after) || 0 } : after === undefined ? {} : { cursor: after })
})

const Browse = ({ profiles, search }: { readonly profiles: Profiles; readonly search: ExploreSearch }) => {
  const navigate = exploreRoute.useNavigate()
  const [isNew, setNew] = useState(false)
  const change = (part: Partial<ExploreSearch>) =>
    void navigate({ search: (now) => ({ ...now, after: undefined, ...part }) })
  const shown = kindShown(search, profiles)
  const kind = recordKindOf(shown.startsWith(":") ? shown.slice(1) : undefined)
  const profile = profiles.find(({ slug }) => slug === shown)
  const shapes = shapesOf(profile?.properties ?? [])
  const name = kind?.one ?? profile?.displayName ?? shown
  const { after, q, workspaceId } = search
  const sort = { by: search.sort, onSort: (by: string | undefined) => change({ sort: by }) }
  const showEverywhere = () => {
    rememberWorkspace(undefined)
    change({ q: undefined, workspaceId: undefined })
  }
  const onPage = (next: string | undefined) => change({ after: next })
  return (
    <div className="grid min-w-0 items-start gap-4 md:grid-cols-[12rem_minmax(0,1fr)]">
      <ProfileList profiles={kindsOf(profiles)} shown={shown} workspaceId={workspaceId} />
      <section className="grid min-w-0 content-start gap-3">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h2>{kind?.many ?? name}</h2>
          <Button kind="primary" onClick={() => setNew(true)}>
            New {name}
          </Button>
        </div>
        <form
          role="search"
          aria-label={`Filter of ${name}`}
          className="flex flex-wrap items-end gap-3"
          onSubmit={(event: FormEvent<HTMLFormElement>) => {
            event.preventDefault()
            change({ q: textsOf(event.currentTarget)["q"]?.trim() || undefined })
          }}
        >
          <WorkspaceSelect
            none={kind?.isListedBySpace === true ? "My personal space" : "Everywhere"}
            value={workspaceId}
            onChoose={(chosen) => {
              rememberWorkspace(chosen)
              change({ workspaceId: chosen })
            }}
          />
          {kind === undefined && (
            <>
              <TextField key={q} label="Words" name="q" type="search" defaultValue={q ?? ""} />
              <Button type="submit">Filter</Button>
            </>
          )}
        </form>
        {kind === undefined ? (
          <EntityTable
            kindName={name}
            query={queryOf(search, shown)}
            after={after}
            shapes={shapes}
            sort={sort}
            onPage={onPage}
            onNew={() => setNew(true)}
            onClear={showEverywhere}
          />
        ) : (
          <KindTable
            kind={kind}
            choice={{ workspaceId, limit: pageRows, cursor: after }}
            sort={sort}
            onPage={onPage}
            onNew={() => setNew(true)}
            onEverywhere={showEverywhere}
          />
        )}
        <NewRecord
          key={`${shown} ${workspaceId ?? ""}`}
          name={name}
          target={kind === undefined ? { slug: shown, shapes } : { kind }}
          workspaceId={workspaceId}
          isOpen={isNew}
          onClose={() => setNew(false)}
        />
      </section>
    </div>
  )
}

const callsOf = (search: ExploreSearch, profiles: Profiles): ReadonlyArray<PreviewedCall> => {
  if (search.tab === "search") {
    return [{ route: "POST /api/hub/knowledge/search", input: { body: requestOfSearch(search) } }]
  }
  const shown = kindShown(search, profiles)
  const kind = recordKindOf(shown.slice(1))
  const { after, workspaceId } = search
  return [
    shown.startsWith(":") && kind !== undefined
      ? kind.listCall({ workspaceId, limit: pageRows, cursor: after })
      : { route: "GET /api/hub/entities", input: { query: queryOf(search, shown) } },
    { route: "GET /api/hub/discover", input: discovery(workspaceId) }
  ]
}

export const ExplorePage = () => {
  const search = exploreRoute.useSearch()
  const navigate = exploreRoute.useNavigate()
  const discovered = useQuery(hubQuery("GET /api/hub/discover", discovery(search.workspaceId)))
  return (
    <Page
      title="Explore"
      about="Everything that the pod keeps and you may see."
      calls={callsOf(search, discovered.data?.profiles ?? [])}
    >
      <Tabs
        label="How to explore"
        shown={search.tab === "search" ? "Search" : "Browse"}
        onShow={(name) =>
          void navigate({ search: (now) => ({ ...now, tab: name === "Search" ? ("search" as const) : undefined }) })
        }
        tabs={[
          {
            name: "Browse",
            content: (
              <QueryResult what="the kinds of records" query={discovered}>
                {({ profiles }) => <Browse profiles={profiles} search={search} />}
              </QueryResult>
            )
          },
          { name: "Search", content: <SearchTab search={search} /> }
        ]}
      />
    </Page>
  )
}
