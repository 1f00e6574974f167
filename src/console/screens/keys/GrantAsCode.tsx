/**
 * The grant as JSON. An edit of the JSON changes the table of permissions, and an edit of the table changes the JSON.
 */
import { useEffect, useState } from "react"
import { TextArea } from "../../ui/Field.tsx"
import type { GrantDraft } from "./keyDraft.ts"
import { grantText, readGrant } from "./grantText.ts"

interface GrantAsCodeProps {
  readonly grant: GrantDraft
  readonly onChange: (grant: GrantDraft) => void
}

export const GrantAsCode = ({ grant, onChange }: GrantAsCodeProps) => {
  const written = grantText(grant)
  const [text, setText] = useState(written)
  const [fault, setFault] = useState("")
  // A change in the table replaces the JSON text. The text stays if it already means the same grant.
  useEffect(() => {
    setText((typed) => {
      const read = readGrant(typed)
      return "grant" in read && grantText(read.grant) === written ? typed : written
    })
    setFault("")
  }, [written])
  return (
    <TextArea
      label="The grant as JSON"
      hint="A permission is a text such as entity.note.read, and * means everything. A list of ids narrows the grant. An absent list does not."
      rows={12}
      spellCheck={false}
      className="font-mono"
      value={text}
      fault={fault}
      onChange={({ target }) => {
        setText(target.value)
        const read = readGrant(target.value)
        if ("grant" in read) {
          setFault("")
          onChange(read.grant)
        } else setFault(read.fault)
      }}
    />
  )
}
