/** Asks the pod which operations a key of the person may call. */
import { useQuery } from "@tanstack/react-query"
import { procedureQuery, type ProcedureOutput } from "../../api/procedures.ts"

export type Key = ProcedureOutput<"apiKeys.list">[number]
export type Door = ProcedureOutput<"grants.preview">["doors"][number]

/** The query that asks the pod what a key may do at this moment. */
export const previewOf = ({ id }: Pick<Key, "id">) => procedureQuery("grants.preview", { keyId: id })

export const doorName = (surface: string, operation: string): string => `${surface} ${operation}`

/**
 * Asks the pod which operations a key may call. `doors` maps the name of each operation (made by `doorName`) to the
 * pod's answer about this operation. `doors` is undefined if no key is chosen, or until the answer arrives.
 */
export const useKeyDoors = (key: Key | undefined) => {
  const preview = useQuery({ ...previewOf({ id: key?.id ?? "" }), enabled: key !== undefined })
  const doors =
    key === undefined || preview.data === undefined
      ? undefined
      : new Map(preview.data.doors.map((door) => [doorName(door.surface, door.operation), door]))
  return { doors, error: key === undefined ? null : preview.error, retry: () => void preview.refetch() }
}
