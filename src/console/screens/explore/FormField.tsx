/** The form control for one value of a record, chosen by the type of the value. */
import { SelectField, TextArea, TextField } from "../../ui/Field.tsx"
import { EntityField } from "./EntityField.tsx"
import { type FormShape, isAsJson } from "./formShapes.ts"

interface FormFieldProps {
  readonly shape: FormShape
  readonly text: string
  /** The value that the record has before the edit. */
  readonly former: unknown
  readonly fault: string | undefined
  readonly onChange: (text: string) => void
}

const inputTypes: Readonly<Record<string, string>> = { url: "url", email: "email", phone: "tel" }
const dayForm = /^\d{4}-\d{2}-\d{2}$/

const Choices = ({ fault, onChange, shape, text }: FormFieldProps) => {
  const chosen = text.split("\n").filter((line) => line !== "")
  const toggle = (option: string) =>
    onChange((chosen.includes(option) ? chosen.filter((each) => each !== option) : [...chosen, option]).join("\n"))
  return (
    <fieldset className="grid gap-1">
      <legend className="font-medium">{shape.label}</legend>
      <div className="flex flex-wrap gap-x-4 gap-y-1">
        {shape.options.map((option) => (
          <label key={option} className="flex items-center gap-2">
            <input
              type="checkbox"
              className="size-4 accent-[var(--accent)]"
              checked={chosen.includes(option)}
              onChange={() => toggle(option)}
            />
            {option}
          </label>
        ))}
      </div>
      {fault !== undefined && <p className="text-bad">{fault}</p>}
    </fieldset>
  )
}

export const FormField = (props: FormFieldProps) => {
  const { fault, former, onChange, shape, text } = props
  const { isRequired, label, options, target, type } = shape
  const wired = {
    label: isRequired ? `${label} (required)` : label,
    fault,
    required: isRequired,
    value: text,
    onChange: (event: { readonly target: { readonly value: string } }) => onChange(event.target.value)
  }
  if (isAsJson(shape, former)) return <TextArea {...wired} hint="JSON" className="font-mono" rows={6} />
  if (type === "longText") return <TextArea {...wired} rows={text.length > 200 ? 14 : 4} />
  if (type === "multi_select" && options.length > 0) return <Choices {...props} />
  if (type === "array" || type === "multi_select") return <TextArea {...wired} hint="One value on each line" rows={3} />
  if (type === "boolean" || type === "select") {
    const offered = type === "boolean" ? ["true", "false"] : options
    // If the profile no longer offers the current value, the list still contains this value, so that the person can
    // keep it.
    const all = text === "" || offered.includes(text) ? offered : [text, ...offered]
    return (
      <SelectField {...wired}>
        <option value="">–</option>
        {all.map((option) => (
          <option key={option} value={option}>
            {type === "boolean" ? (option === "true" ? "yes" : "no") : option}
          </option>
        ))}
      </SelectField>
    )
  }
  if (type === "relation" || type === "entity_id") {
    return (
      <EntityField
        label={wired.label}
        kind={target}
        value={text}
        fault={fault}
        isRequired={isRequired}
        onChange={onChange}
      />
    )
  }
  if (type === "date") {
    return text === "" || dayForm.test(text) ? (
      <TextField {...wired} type="date" />
    ) : (
      <TextField {...wired} hint="A date, or a date with a time such as 2027-02-28T16:30:00Z" />
    )
  }
  if (type === "number") return <TextField {...wired} inputMode="decimal" />
  return <TextField {...wired} type={inputTypes[type] ?? "text"} />
}
