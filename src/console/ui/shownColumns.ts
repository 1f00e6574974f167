/** Remembers in this browser which columns of a table a person shows. Each person who signs in has their own choice. */
import type { ColumnVisibilityState } from "@tanstack/react-table"
import { consolePath } from "../api/root.ts"
import { currentSession } from "../api/session.ts"

const placeOf = (table: string) => `pod-columns:${consolePath}:${currentSession()?.user.id ?? ""}:${table}`

/** The remembered choice of columns. The function ignores a stored value that it cannot read. */
export const shownColumns = (table: string): ColumnVisibilityState => {
  try {
    const choice: unknown = JSON.parse(localStorage.getItem(placeOf(table)) ?? "{}")
    return typeof choice === "object" && choice !== null
      ? Object.fromEntries(Object.entries(choice).filter((entry) => typeof entry[1] === "boolean"))
      : {}
  } catch {
    return {}
  }
}

export const rememberColumns = (table: string, choice: ColumnVisibilityState): void => {
  if (Object.keys(choice).length === 0) localStorage.removeItem(placeOf(table))
  else localStorage.setItem(placeOf(table), JSON.stringify(choice))
}
