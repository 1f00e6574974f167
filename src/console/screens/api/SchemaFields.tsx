/** Shows the fields of an input with their names, types, limits and meanings, and nested fields below them. */
import { Inline } from "../../ui/Inline.tsx"
import { type ApiDocument, type JsonSchema, limitsOf, resolveReference, typeOf } from "../../api/schemaWords.ts"

interface SchemaFieldsProps {
  readonly api: ApiDocument
  readonly schema: JsonSchema
  /**
   * The names of the outer fields that contain this field. If this list has `deepest` names, the fields inside this
   * field are not shown.
   */
  readonly above?: ReadonlyArray<string>
}

// This many levels of nested fields are shown.
const deepest = 6

/**
 * The schema to show for a value. For a type that allows null, the schema without null. For a list, the schema of its
 * items.
 */
const innerOf = (api: ApiDocument, schema: JsonSchema): JsonSchema => {
  const target = resolveReference(api, schema)
  const others = (target.anyOf ?? []).filter(({ type }) => type !== "null")
  if (others.length === 1 && others[0] !== undefined) return innerOf(api, others[0])
  return target.type === "array" && target.items !== undefined ? resolveReference(api, target.items) : target
}

interface OneFieldProps {
  readonly api: ApiDocument
  readonly name: string
  readonly schema: JsonSchema
  readonly isRequired: boolean
  readonly description?: string | undefined
  readonly above?: ReadonlyArray<string>
}

export const OneField = ({ api, name, schema, isRequired, description, above = [] }: OneFieldProps) => {
  const target = resolveReference(api, schema)
  const inner = innerOf(api, schema)
  const meaning = description ?? schema.description ?? target.description ?? inner.description
  const isNested = inner.properties !== undefined && above.length < deepest
  return (
    <li className="grid gap-1">
      <p>
        <code className="font-semibold">{name}</code>{" "}
        <span className="text-muted">{[typeOf(api, schema), ...limitsOf(target)].join(", ")}</span>{" "}
        {isRequired && <strong>required</strong>}
      </p>
      {meaning !== undefined && (
        <p>
          <Inline text={meaning} />
        </p>
      )}
      {isNested && (
        <details>
          <summary>Fields of {name}</summary>
          <SchemaFields api={api} schema={inner} above={[...above, name]} />
        </details>
      )}
    </li>
  )
}

export const SchemaFields = ({ api, schema, above = [] }: SchemaFieldsProps) => {
  const target = innerOf(api, schema)
  const forms = (target.anyOf ?? []).map((part) => resolveReference(api, part))
  if (forms.length > 1 && forms.every(({ properties }) => properties !== undefined)) {
    return (
      <div className="grid gap-2">
        {forms.map((form, index) => (
          <div key={JSON.stringify(form).slice(0, 200)}>
            <p>{index === 0 ? "Either:" : "Or:"}</p>
            <SchemaFields api={api} schema={form} above={above} />
          </div>
        ))}
      </div>
    )
  }
  if (target.properties === undefined) return <p>{typeOf(api, schema)}</p>
  return (
    <ul className="border-line grid gap-3 border-l pl-3">
      {Object.entries(target.properties).map(([name, part]) => (
        <OneField
          key={name}
          api={api}
          name={name}
          schema={part}
          isRequired={target.required?.includes(name) === true}
          above={above}
        />
      ))}
    </ul>
  )
}
