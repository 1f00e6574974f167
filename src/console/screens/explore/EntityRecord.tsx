/**
 * Shows one entity: a form with the fields of its profile (the definition of its kind), its roles, and the actions on
 * it.
 */
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { type AnswerOf, hub, hubQuery } from "../../api/hub.ts"
import { ConfirmButton } from "../../ui/ConfirmButton.tsx"
import { Page } from "../../ui/Page.tsx"
import { ProposedNote, proposalOf } from "../../ui/ProposedNote.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { showToast } from "../../ui/Toasts.tsx"
import { type FormChange, type FormShape, shapesOf } from "./formShapes.ts"
import { entityChange, entityFields } from "./NewRecord.tsx"
import { RecordForm } from "./RecordForm.tsx"
import { ExploreLink } from "./ExploreLink.tsx"
import { RecordHead } from "./RecordHead.tsx"
import { callsOfTabs, RecordTabs } from "./RecordTabs.tsx"
import { valueText } from "./valueText.tsx"

type Entity = AnswerOf<"GET /api/hub/entities/:id">

const fieldsOf = ({ description, properties, title }: Entity) => ({
  ...properties,
  ":title": title,
  ":description": description
})

const discovery = ({ profileSlug, workspaceId }: Entity) => ({
  query: { userId: "me", profileSlugs: profileSlug, ...(workspaceId === null ? {} : { workspaceId }) }
})

const Roles = ({ id }: { readonly id: string }) => {
  const { data } = useQuery(hubQuery("GET /api/hub/entities/:id/facets", { params: { id } }))
  return data === undefined || data.length === 0 ? null : (
    <section aria-label="Roles" className="grid gap-1">
      <h2>Roles</h2>
      <ul className="list-disc pl-5">
        {data.map(({ id: facetId, properties, slug }) => (
          <li key={facetId}>
            {slug}
            {Object.entries(properties).map(([name, value]) => ` · ${name}: ${valueText(value)}`)}
          </li>
        ))}
      </ul>
    </section>
  )
}

const EntityForm = ({ entity, shapes }: { readonly entity: Entity; readonly shapes: ReadonlyArray<FormShape> }) => {
  const queries = useQueryClient()
  const [proposalId, setProposal] = useState<string>()
  const { id } = entity
  const read = hubQuery("GET /api/hub/entities/:id", { params: { id } })
  const change = async (changed: FormChange, version: number) => {
    const { emptied, properties, ...own } = entityChange(changed)
    const answer = await hub("PATCH /api/hub/entities/:id", {
      params: { id },
      body: {
        ...own,
        ...(Object.keys(properties).length === 0 ? {} : { properties }),
        ...(emptied.length === 0 ? {} : { deleteProperties: emptied }),
        version
      }
    })
    const proposed = proposalOf(answer)
    setProposal(proposed)
    await Promise.all(["entities", "events"].map((group) => queries.invalidateQueries({ queryKey: [group] })))
    if (proposed === undefined) showToast({ text: "Saved." })
  }
  const described = new Set(shapes.map(({ name }) => name))
  const others = Object.keys(entity.properties).filter((name) => !described.has(name))
  return (
    <div className="grid min-w-0 gap-4">
      {proposalId !== undefined && <ProposedNote proposalId={proposalId} />}
      <RecordForm
        label={`Edit ${entity.title}`}
        shapes={[...entityFields, ...shapes]}
        before={fieldsOf(entity)}
        version={entity.version}
        submitName="Save"
        onSubmit={change}
        readAgain={async () => {
          const now = await queries.fetchQuery({ ...read, staleTime: 0 })
          return { version: now.version, fields: fieldsOf(now) }
        }}
      />
      {others.length > 0 && (
        <p className="text-muted">
          {others.length === 1 ? "One further property has" : `${others.length} further properties have`} no place in
          the profile: {others.join(", ")}. The tab JSON shows the values.
        </p>
      )}
      <Roles id={id} />
    </div>
  )
}

export const EntityRecord = ({ entity }: { readonly entity: Entity }) => {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [proposalId, setProposal] = useState<string>()
  const profile = useQuery(hubQuery("GET /api/hub/discover", discovery(entity)))
  const { id, profileSlug, title } = entity
  const archive = async () => {
    const proposed = proposalOf(await hub("DELETE /api/hub/entities/:id", { params: { id } }))
    setProposal(proposed)
    if (proposed !== undefined) return
    showToast({ text: `Archived ${title}.` })
    await navigate({ to: "/explore", search: { kind: profileSlug } })
    for (const group of ["entities", "discover", "events", "grants"])
      void queries.invalidateQueries({ queryKey: [group] })
  }
  return (
    <Page
      title={title}
      within={<ExploreLink kind={profileSlug} />}
      calls={[
        { route: "GET /api/hub/entities/:id", input: { params: { id } } },
        ...callsOfTabs({ type: "entity", record: entity })
      ]}
      actions={
        <ConfirmButton name="Archive" question={`Archive ${title}?`} onConfirm={archive}>
          <p>It can no longer be read. The pod keeps its history.</p>
        </ConfirmButton>
      }
    >
      <RecordHead {...entity} kind={profileSlug} kindName={profileSlug} />
      {proposalId !== undefined && <ProposedNote proposalId={proposalId} />}
      <RecordTabs
        type="entity"
        record={entity}
        form={
          <QueryResult what="the profile of the record" query={profile}>
            {({ profiles }) => (
              <EntityForm
                entity={entity}
                shapes={shapesOf(profiles.find(({ slug }) => slug === profileSlug)?.properties ?? [])}
              />
            )}
          </QueryResult>
        }
      />
    </Page>
  )
}
