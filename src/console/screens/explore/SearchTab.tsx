/**
 * The search tab: a field for a question, and the answer. The pod searches the groups of records (such as documents or
 * memory facts) that can answer the question.
 */
import { queryOptions, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { type FormEvent, useRef } from "react"
import { type AnswerOf, hub } from "../../api/hub.ts"
import type { Refusal } from "../../api/refusal.ts"
import { Button } from "../../ui/Button.tsx"
import { CheckField, TextField, textsOf } from "../../ui/Field.tsx"
import { Empty } from "../../ui/Page.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { rememberWorkspace } from "../../shell/workspaceChoice.ts"
import { WorkspaceSelect } from "../../ui/WorkspaceSelect.tsx"
import { EntriesElsewhere } from "./EntriesElsewhere.tsx"
import { exploreRoute, type ExploreSearch } from "./exploreRoutes.ts"
import { RoutedAnswer } from "./RoutedAnswer.tsx"

export const requestOfSearch = ({ compare, question = "", workspaceId }: ExploreSearch) => ({
  query: question,
  ...(workspaceId === undefined ? {} : { workspaceId }),
  ...(compare === true ? { compare: true } : {})
})

const answerQuery = (search: ExploreSearch) =>
  queryOptions<AnswerOf<"POST /api/hub/knowledge/search">, Refusal>({
    queryKey: ["knowledge", "search", requestOfSearch(search)],
    queryFn: ({ signal }) => hub("POST /api/hub/knowledge/search", { body: requestOfSearch(search) }, signal),
    enabled: search.question !== undefined
  })

export const SearchTab = ({ search }: { readonly search: ExploreSearch }) => {
  const navigate = exploreRoute.useNavigate()
  const answer = useQuery(answerQuery(search))
  const { compare, question, workspaceId } = search
  const change = (part: Partial<ExploreSearch>) => void navigate({ search: (now) => ({ ...now, ...part }) })
  const chooseWorkspace = (chosen: string | undefined) => {
    rememberWorkspace(chosen)
    change({ workspaceId: chosen })
  }
  const form = useRef<HTMLFormElement>(null)
  const nextSteps = (
    <div className="flex flex-wrap items-center gap-3">
      <Button onClick={() => form.current?.querySelector<HTMLInputElement>("[name=question]")?.select()}>
        Change the question
      </Button>
      {workspaceId !== undefined && <Button onClick={() => chooseWorkspace(undefined)}>Search everywhere</Button>}
      <Link to="/explore" search={{ workspaceId }}>
        Browse the records
      </Link>
    </div>
  )
  return (
    <div className="grid min-w-0 gap-4">
      <form
        ref={form}
        role="search"
        aria-label="Question to the pod"
        className="grid items-end gap-3 md:grid-cols-[minmax(0,1fr)_12rem_auto]"
        onSubmit={(event: FormEvent<HTMLFormElement>) => {
          event.preventDefault()
          change({ question: textsOf(event.currentTarget)["question"]?.trim() || undefined })
        }}
      >
        <TextField key={question} label="Question" name="question" type="search" defaultValue={question ?? ""} />
        <WorkspaceSelect none="Everywhere" value={workspaceId} onChoose={chooseWorkspace} />
        <Button type="submit" kind="primary" className="justify-self-start">
          Search
        </Button>
        <CheckField
          label="Compare with the ranking by words alone"
          checked={compare === true}
          onChange={({ target }) => change({ compare: target.checked ? true : undefined })}
        />
      </form>
      {workspaceId === undefined ? (
        <div className="text-muted grid gap-1">
          <p>
            Everywhere means: records and documents of every space that you read, your memory, and the knowledge entries
            of your personal space.
          </p>
          <EntriesElsewhere
            linkTo={(space) => (
              <Link to="/explore" search={{ ...search, workspaceId: space.workspaceId }}>
                Search in {space.name}
              </Link>
            )}
          />
        </div>
      ) : (
        <p className="text-muted">The search covers this workspace and your memory.</p>
      )}
      {question === undefined ? (
        <Empty title="Ask the pod a question.">
          <p>
            Quotes mark a phrase, a minus leaves a word out. Filters: <code>type:</code> <code>project:</code>{" "}
            <code>in:</code> <code>by:</code> <code>before:</code> <code>after:</code>
          </p>
        </Empty>
      ) : (
        <QueryResult what="the answer" query={answer}>
          {(found) => <RoutedAnswer answer={found} workspaceId={workspaceId} nextSteps={nextSteps} />}
        </QueryResult>
      )}
    </div>
  )
}
