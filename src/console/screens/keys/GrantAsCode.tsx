/** The grant as JSON, both ways: what is typed becomes the table, and the table becomes this text. */
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
  // The text follows the table, but not what the person types at this moment.
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
      hint="Permissions such as entity.note.read; * is everything. Lists of ids narrow the grant; absent lists do not."
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
