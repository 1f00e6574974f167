/** An input with a label, a hint and an error message. Attributes connect these for screen readers. */
import {
  type InputHTMLAttributes,
  type KeyboardEvent,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId
} from "react"
import { Inline } from "./Inline.tsx"

export const inputClass =
  "w-full min-h-9 rounded-md border border-control bg-panel px-2.5 py-1.5 text-text placeholder:text-muted aria-invalid:border-bad"

/**
 * The key handler of a field that only narrows a list inside a larger form. Without it, Enter in such a field submits
 * the whole form.
 */
export const ignoreEnter = (event: KeyboardEvent<HTMLInputElement>): void => {
  if (event.key === "Enter") event.preventDefault()
}

/** Returns the text in each field of a form, by the name of the field. */
export const textsOf = (form: HTMLFormElement): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...new FormData(form)].flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : []))
  )

interface FieldTexts {
  readonly label: ReactNode
  readonly hint?: ReactNode
  /** A sentence that says what is wrong with the value. Empty or absent if nothing is wrong. */
  readonly fault?: string | undefined
}

interface FieldIds {
  readonly id: string
  readonly "aria-describedby"?: string
  readonly "aria-invalid"?: true
}

/**
 * Shows a form control with its label, hint and error message. `children` gets the attributes that connect the control
 * to these texts.
 */
export const Field = ({
  label,
  hint,
  fault,
  children
}: FieldTexts & { readonly children: (wiring: FieldIds) => ReactNode }) => {
  const id = useId()
  const hasFault = fault !== undefined && fault !== ""
  const described = [hint === undefined ? "" : `${id}-hint`, hasFault ? `${id}-fault` : ""].filter(Boolean).join(" ")
  return (
    <div className="grid content-start gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {children({
        id,
        ...(described === "" ? {} : { "aria-describedby": described }),
        ...(hasFault ? { "aria-invalid": true } : {})
      })}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-muted">
          {hint}
        </p>
      )}
      {hasFault && (
        <p id={`${id}-fault`} className="text-bad">
          <Inline text={fault} />
        </p>
      )}
    </div>
  )
}

export const TextField = ({ label, hint, fault, ...input }: FieldTexts & InputHTMLAttributes<HTMLInputElement>) => (
  <Field label={label} hint={hint} fault={fault}>
    {(wiring) => <input {...input} {...wiring} className={`${inputClass} ${input.className ?? ""}`} />}
  </Field>
)

export const TextArea = ({
  label,
  hint,
  fault,
  ...input
}: FieldTexts & TextareaHTMLAttributes<HTMLTextAreaElement>) => (
  <Field label={label} hint={hint} fault={fault}>
    {(wiring) => <textarea rows={4} {...input} {...wiring} className={`${inputClass} ${input.className ?? ""}`} />}
  </Field>
)

export const SelectField = ({
  label,
  hint,
  fault,
  children,
  ...input
}: FieldTexts & SelectHTMLAttributes<HTMLSelectElement>) => (
  <Field label={label} hint={hint} fault={fault}>
    {(wiring) => (
      <select {...input} {...wiring} className={inputClass}>
        {children}
      </select>
    )}
  </Field>
)

export const CheckField = ({ label, hint, ...input }: FieldTexts & InputHTMLAttributes<HTMLInputElement>) => {
  const id = useId()
  return (
    <div className="flex items-start gap-2">
      <input
        type="checkbox"
        {...input}
        id={id}
        className="mt-0.5 size-4 shrink-0 accent-[var(--accent)]"
        {...(hint === undefined ? {} : { "aria-describedby": `${id}-hint` })}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        {hint !== undefined && (
          <p id={`${id}-hint`} className="text-muted">
            {hint}
          </p>
        )}
      </div>
    </div>
  )
}
