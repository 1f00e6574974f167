/**
 * Asks the pod for the preview of a grant. The request starts a short time after the last change, so that typing does
 * not cause many requests.
 */
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { type ProcedureInput, procedureQuery } from "../../api/procedures.ts"

// The procedure accepts a call without an input, because all fields of its input are optional. A preview always has an
// input, so this type leaves out `undefined`.
export type PreviewInput = Exclude<ProcedureInput<"grants.preview">, void | undefined>

const restMs = 250

/** Returns the latest value that has not changed for `ms` milliseconds. */
export const useSettled = <Value>(value: Value, ms: number = restMs): Value => {
  const text = JSON.stringify(value)
  const [settled, setSettled] = useState({ text, value })
  useEffect(() => {
    const timer = setTimeout(() => setSettled({ text, value }), ms)
    return () => clearTimeout(timer)
    // The effect depends on the JSON text, because the value is a new object in each render.
  }, [text, ms])
  return settled.value
}

const nothing: PreviewInput = { grant: { permissions: ["*"] } }

export const useGrantPreview = (input: PreviewInput | undefined) => {
  const settled = useSettled(input)
  return useQuery({
    ...procedureQuery("grants.preview", settled ?? nothing),
    enabled: settled !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 30_000
  })
}

/**
 * The risks of a draft as one text. Empty for a draft without risks. Undefined until the pod has answered about exactly
 * this draft. So nobody can confirm the risks of an earlier draft.
 */
export const useCurrentRisks = (input: PreviewInput | undefined): string | undefined => {
  const settled = useSettled(input)
  const { data, isPlaceholderData } = useGrantPreview(input)
  const isCurrent = input !== undefined && !isPlaceholderData && JSON.stringify(settled) === JSON.stringify(input)
  return isCurrent ? data?.risks.map(({ code, reason }) => `${code} ${reason}`).join("\n") : undefined
}

/**
 * The preview of a grant without limits. It shows everything that the person can see, so other previews can be compared
 * with it.
 */
export const useWholePreview = () => useQuery({ ...procedureQuery("grants.preview", nothing), staleTime: 60_000 })
