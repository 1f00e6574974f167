/** The drawer with the form that makes a record of the kind that the page shows. */
import { useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { hub } from "../../api/hub.ts"
import { Dialog } from "../../ui/Dialog.tsx"
import { ProposedNote, proposalOf } from "../../ui/ProposedNote.tsx"
import { showToast } from "../../ui/Toasts.tsx"
import { WorkspaceSelect } from "../../ui/WorkspaceSelect.tsx"
import { type FormChange, type FormShape, shapeOf } from "./formShapes.ts"
import type { RecordKind } from "./recordKinds.ts"
import { RecordForm } from "./RecordForm.tsx"

interface NewRecordProps {
  readonly name: string
  /** The record to make: an entity of the kind `slug`, or a record of the type `kind`. */
  readonly target: { readonly kind: RecordKind } | { readonly slug: string; readonly shapes: ReadonlyArray<FormShape> }
  readonly workspaceId: string | undefined
  readonly isOpen: boolean
  readonly onClose: () => void
}

/**
 * The fields of an entity that are not properties. Each name begins with a colon. No property has a name with a colon,
 * so the names never conflict.
 */
export const entityFields: ReadonlyArray<FormShape> = [
  shapeOf(":title", "Title", "text", { isRequired: true }),
  shapeOf(":description", "Description", "longText")
]

/** Splits the changes in an entity form into the fields of the entity itself and its properties. */
export const entityChange = ({ emptied, values }: FormChange) => {
  const own = Object.entries(values).filter(([name]) => name.startsWith(":"))
  return {
    ...Object.fromEntries(own.map(([name, value]) => [name.slice(1), value])),
    ...(emptied.includes(":description") ? { description: null } : {}),
    properties: Object.fromEntries(Object.entries(values).filter(([name]) => !name.startsWith(":"))),
    emptied: emptied.filter((name) => !name.startsWith(":"))
  }
}

const idOf = (answer: object): string | undefined =>
  "id" in answer && typeof answer.id === "string" ? answer.id : undefined

export const NewRecord = ({ isOpen, name, onClose, target, workspaceId }: NewRecordProps) => {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [place, setPlace] = useState(workspaceId)
  const [proposalId, setProposal] = useState<string>()
  const create = async (change: FormChange) => {
    const where = place === undefined ? {} : { workspaceId: place }
    const { emptied: _, properties, ...own } = entityChange(change)
    const answer =
      "kind" in target
        ? await target.kind.create({ ...change.values, ...where })
        : await hub("POST /api/hub/entities", {
            body: { title: "", ...own, properties, profileSlug: target.slug, ...where }
          })
    for (const group of ["kind" in target ? target.kind.group : "entities", "discover", "grants"])
      void queries.invalidateQueries({ queryKey: [group] })
    const proposed = proposalOf(answer)
    setProposal(proposed)
    const id = idOf(answer)
    if (proposed !== undefined || id === undefined) return
    const type = "kind" in target ? target.kind.type : "entity"
    const address =
      "kind" in target ? target.kind.addressOf({ ...change.values, id, workspaceId: place ?? null }) : { id }
    showToast({ text: `Created the ${name}.` })
    await navigate({
      to: "/explore/$type/$id",
      params: { type, id: address.id },
      search: { workspaceId: address.workspaceId }
    })
  }
  return (
    <Dialog title={`New ${name}`} isOpen={isOpen} onClose={onClose} shape="drawer">
      {proposalId !== undefined && <ProposedNote proposalId={proposalId} />}
      <WorkspaceSelect label="Where" none="My personal space" value={place} onChoose={setPlace} />
      <RecordForm
        label={`New ${name}`}
        shapes={"kind" in target ? (target.kind.newFields ?? target.kind.fields) : [...entityFields, ...target.shapes]}
        before={{}}
        version={0}
        submitName={`Create ${name}`}
        onSubmit={create}
      />
    </Dialog>
  )
}
