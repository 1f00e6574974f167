/** Shows a value of a record in one cell of a table or one line of a list. */
import type { ReactNode } from "react"

const longest = 120

const short = (text: string) => (text.length > longest ? `${text.slice(0, longest)} …` : text)

/** A short text for a value. The page of the record shows the whole value. */
export const valueText = (value: unknown): string => {
  if (value === undefined || value === null || value === "") return "–"
  if (typeof value === "boolean") return value ? "yes" : "no"
  if (typeof value === "string") return short(value)
  if (Array.isArray(value) && value.every((item) => typeof item !== "object")) return short(value.join(", "))
  return short(JSON.stringify(value))
}

/** The value by which a table sorts the rows. Null for an empty value. Rows without a value come last. */
export const sortValue = (value: unknown): string | number | null =>
  value === undefined || value === null || value === "" ? null : typeof value === "number" ? value : valueText(value)

export const Value = ({ of }: { readonly of: unknown }): ReactNode =>
  of === undefined || of === null || of === "" ? <span className="text-muted">–</span> : valueText(of)
