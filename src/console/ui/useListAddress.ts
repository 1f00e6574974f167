/**
 * The rule for a list whose address has the search text (`q`) and the order of the rows (`sort`). A change replaces the
 * entry in the history of the browser.
 */
import { useNavigate } from "@tanstack/react-router"

interface ListSearch {
  readonly q?: string | undefined
  readonly sort?: string | undefined
}

/** Returns the properties of the search field and of the table, and the function that shows the whole list again. */
export const useListAddress = ({ q, sort }: ListSearch) => {
  const navigate = useNavigate()
  const set = (search: ListSearch) =>
    void navigate({ to: ".", search: (now: object) => ({ ...now, ...search }), replace: true })
  return {
    find: { value: q, onChange: (text: string | undefined) => set({ q: text }) },
    sort: { by: sort, onSort: (by: string | undefined) => set({ sort: by }) },
    showAll: () => set({ q: undefined })
  }
}
