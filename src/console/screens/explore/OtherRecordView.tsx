/** Shows one document, knowledge entry, project, track or view, with its form and the actions on it. */
import { useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { ConfirmButton } from "../../ui/ConfirmButton.tsx"
import { Page } from "../../ui/Page.tsx"
import { ProposedNote, proposalOf } from "../../ui/ProposedNote.tsx"
import { showToast } from "../../ui/Toasts.tsx"
import type { FormChange } from "./formShapes.ts"
import { formFieldsOf, type OtherRecord, type RecordKind } from "./recordKinds.ts"
import { RecordForm } from "./RecordForm.tsx"
import { ExploreLink } from "./ExploreLink.tsx"
import { RecordHead } from "./RecordHead.tsx"
import { callsOfTabs, RecordTabs } from "./RecordTabs.tsx"
import { valueText } from "./valueText.tsx"

interface OtherRecordViewProps {
  readonly kind: RecordKind
  readonly record: OtherRecord
}

export const OtherRecordView = ({ kind, record }: OtherRecordViewProps) => {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [proposalId, setProposal] = useState<string>()
  const { version } = record
  const address = kind.addressOf(record)
  const title = valueText(record[kind.nameField])
  const refresh = () =>
    Promise.all([kind.group, "events", "grants"].map((group) => queries.invalidateQueries({ queryKey: [group] })))
  const change = async ({ emptied, values }: FormChange, from: number) => {
    const cleared = Object.fromEntries(emptied.map((name) => [name, null]))
    const proposed = proposalOf(await kind.change(address, from, { ...values, ...cleared }))
    setProposal(proposed)
    await refresh()
    if (proposed === undefined) showToast({ text: "Saved." })
  }
  const archive = async () => {
    const proposed = proposalOf(await kind.archive(address))
    setProposal(proposed)
    if (proposed !== undefined) return
    showToast({ text: `Archived ${title}.` })
    await navigate({ to: "/explore", search: { kind: `:${kind.type}`, workspaceId: address.workspaceId } })
    void refresh()
  }
  return (
    <Page
      title={title}
      within={<ExploreLink kind={`:${kind.type}`} />}
      calls={[kind.readCall(address), ...callsOfTabs({ type: kind.type, record })]}
      actions={
        <ConfirmButton name="Archive" question={`Archive ${title}?`} onConfirm={archive}>
          <p>It can no longer be read. The pod keeps its history.</p>
        </ConfirmButton>
      }
    >
      <RecordHead {...record} kind={`:${kind.type}`} kindName={kind.one} />
      {proposalId !== undefined && <ProposedNote proposalId={proposalId} />}
      <RecordTabs
        type={kind.type}
        record={record}
        form={
          <RecordForm
            label={`Edit ${title}`}
            shapes={formFieldsOf(kind, record)}
            before={record}
            version={version}
            submitName="Save"
            onSubmit={change}
            readAgain={async () => {
              const now = await kind.read(address, new AbortController().signal)
              return { version: now.version, fields: now }
            }}
          />
        }
      />
    </Page>
  )
}
