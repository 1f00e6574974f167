/**
 * Compares the preview of a grant with the preview of another key or role. Shows the different counts, and the
 * operations that only one of the two grants allows.
 */
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { allRolesQuery } from "../../api/wholeLists.ts"
import { SelectField } from "../../ui/Field.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import type { Key, Role } from "./keyDraft.ts"
import { differenceOf, type Preview } from "./previewFigures.ts"
import { type PreviewInput, useGrantPreview } from "./useGrantPreview.ts"
import { allKeysQuery } from "./allKeys.ts"

const inputOf = (chosen: string, keys: ReadonlyArray<Key>, roles: ReadonlyArray<Role>): PreviewInput | undefined => {
  const key = keys.find(({ id }) => chosen === `key ${id}`)
  if (key !== undefined) return { keyId: key.id }
  const role = roles.find(({ id }) => chosen === `role ${id}`)
  return role === undefined ? undefined : { grant: { roleId: role.id } }
}

const List = ({ names, title }: { readonly title: string; readonly names: ReadonlyArray<string> }) =>
  names.length === 0 ? null : (
    <details>
      <summary>
        {title}: {names.length}
      </summary>
      <ul className="border-line my-1 ml-2 grid max-h-60 gap-0.5 overflow-y-auto border-l pl-3" tabIndex={0}>
        {names.map((name) => (
          <li key={name}>
            <code>{name}</code>
          </li>
        ))}
      </ul>
    </details>
  )

const Difference = ({ input, preview }: { readonly input: PreviewInput; readonly preview: Preview }) => {
  const other = useGrantPreview(input)
  return (
    <QueryResult what="the other preview" query={other}>
      {(data) => {
        const { counts, onlyMine, onlyOther } = differenceOf(preview, data)
        if (counts.length + onlyMine.length + onlyOther.length === 0)
          return <p>Both grants allow the same operations and show the same records.</p>
        return (
          <div className="grid gap-1">
            <p className="text-muted">The other grant: {data.sentence}</p>
            <ul>
              {counts.map((row) => (
                <li key={row.name}>
                  {row.name}: {row.mine} here, {row.other} there
                </li>
              ))}
            </ul>
            <List title="Operations that only this grant allows" names={onlyMine} />
            <List title="Operations that only the other grant allows" names={onlyOther} />
          </div>
        )
      }}
    </QueryResult>
  )
}

export const CompareGrants = ({
  exceptKeyId,
  preview
}: {
  readonly preview: Preview
  readonly exceptKeyId?: string | undefined
}) => {
  const [chosen, setChosen] = useState("")
  const { data: keys = [] } = useQuery(allKeysQuery)
  const { data: roles = [] } = useQuery(allRolesQuery)
  const others = keys.filter(({ id, isActive }) => isActive && id !== exceptKeyId)
  const input = inputOf(chosen, keys, roles)
  return (
    <section className="grid gap-2">
      <h3 className="font-semibold">Compare</h3>
      <SelectField label="With another key or role" value={chosen} onChange={({ target }) => setChosen(target.value)}>
        <option value="">Nothing</option>
        <optgroup label="Keys">
          {others.map(({ id, keyName, lastFour }) => (
            <option key={id} value={`key ${id}`}>
              {keyName} …{lastFour}
            </option>
          ))}
        </optgroup>
        <optgroup label="Access roles">
          {roles.map(({ id, name }) => (
            <option key={id} value={`role ${id}`}>
              {name}
            </option>
          ))}
        </optgroup>
      </SelectField>
      {input !== undefined && <Difference input={input} preview={preview} />}
    </section>
  )
}
