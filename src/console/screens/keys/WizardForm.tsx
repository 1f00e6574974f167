/** The form of the key wizard: all questions on one page, with the preview beside them. */
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { type FormEvent, type ReactNode, useState } from "react"
import { change } from "../../api/procedures.ts"
import { Button } from "../../ui/Button.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { CheckField, TextField } from "../../ui/Field.tsx"
import { Panel } from "../../ui/Page.tsx"
import { DoorFields } from "./DoorFields.tsx"
import { WhatFields, WhereFields } from "./GrantEditor.tsx"
import { GrantPreviewPanel } from "./GrantPreviewPanel.tsx"
import { HolderFields } from "./HolderFields.tsx"
import { type GrantDraft, type KeyDraft, keyRequest, missingPart, previewInput } from "./keyDraft.ts"
import { LifeFields } from "./LifeFields.tsx"
import type { MintedKey } from "./NewKeyPage.tsx"
import { StartFields } from "./StartFields.tsx"
import { useCurrentRisks } from "./useGrantPreview.ts"

interface WizardFormProps {
  readonly draft: KeyDraft
  readonly recipe?: string
  readonly onChange: (draft: KeyDraft) => void
  readonly onMade: (minted: MintedKey) => void
}

const Question = ({
  children,
  number,
  title
}: {
  readonly number: number
  readonly title: string
  readonly children: ReactNode
}) => <Panel title={`${number}. ${title}`}>{children}</Panel>

export const WizardForm = ({ draft, onChange, onMade, recipe: first }: WizardFormProps) => {
  const queries = useQueryClient()
  const [recipe, setRecipe] = useState(first)
  /** The risks that the person has confirmed. If the risks change, the person must confirm again. */
  const [confirmed, setConfirmed] = useState("")
  const missing = missingPart(draft)
  const input = missing === undefined ? previewInput(draft) : undefined
  const risks = useCurrentRisks(input)
  const isSure = risks === "" || risks === confirmed
  const make = useMutation({
    mutationFn: () => change("apiKeys.create", keyRequest(draft)),
    onSuccess: async (minted) => {
      onMade(minted)
      await Promise.all(["apiKeys", "connections"].map((group) => queries.invalidateQueries({ queryKey: [group] })))
    }
  })
  /** Changes the grant of the draft. The draft then no longer belongs to a role or recipe. */
  const setGrant = (grant: GrantDraft) => {
    setRecipe(undefined)
    onChange({ ...draft, grant, roleId: null })
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    make.mutate()
  }
  return (
    <div className="grid min-w-0 items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(20rem,2fr)]">
      <form onSubmit={submit} className="grid min-w-0 gap-4" aria-label="New key">
        <Question number={1} title="Who will hold it?">
          <HolderFields draft={draft} onChange={onChange} />
        </Question>
        <Question number={2} title="Start from">
          <StartFields
            draft={draft}
            recipe={recipe}
            onChange={(next, nextRecipe) => {
              setRecipe(nextRecipe)
              onChange(next)
            }}
          />
        </Question>
        <Question number={3} title="Where">
          <WhereFields grant={draft.grant} onChange={setGrant} />
        </Question>
        <Question number={4} title="What">
          <WhatFields grant={draft.grant} onChange={setGrant} />
        </Question>
        <Question number={5} title="Scopes">
          <DoorFields draft={draft} onChange={onChange} />
        </Question>
        <Question number={6} title="How long is it valid?">
          <LifeFields draft={draft} onChange={onChange} />
        </Question>
        <Question number={7} title="Name">
          <TextField
            label="Name of the key"
            hint="Where you will use the key, such as Claude Code on my laptop."
            required
            maxLength={100}
            autoComplete="off"
            value={draft.name}
            onChange={({ target }) => onChange({ ...draft, name: target.value })}
          />
          {risks !== undefined && risks !== "" && (
            <CheckField
              label="I have checked what this key may do"
              checked={isSure}
              onChange={({ target }) => setConfirmed(target.checked ? risks : "")}
            />
          )}
          {missing !== undefined && (
            <p id="missing" className="text-muted">
              {missing}
            </p>
          )}
          {make.error !== null && <ErrorBox error={make.error} />}
          <div>
            <Button
              type="submit"
              kind="primary"
              isBusy={make.isPending}
              disabled={missing !== undefined || risks === undefined || !isSure}
            >
              Create the key
            </Button>
          </div>
        </Question>
      </form>
      <aside
        aria-label="Preview"
        tabIndex={0}
        className="min-w-0 lg:sticky lg:top-4 lg:max-h-[calc(100dvh-2rem)] lg:overflow-y-auto"
      >
        <Panel title="What this key may do">
          <GrantPreviewPanel input={input} missing={missing} />
        </Panel>
      </aside>
    </div>
  )
}
