/**
 * The preview of a grant, which the pod computes. The pod is asked a short time after the last change, so that typing
 * does not send many requests.
 */
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { type ProcedureInput, procedureQuery } from "../../api/procedures.ts"

// All fields are optional, so the type of the procedure also allows no input.
export type PreviewInput = Exclude<ProcedureInput<"grants.preview">, void | undefined>

const restMs = 250

/** Returns the value only after it has stayed unchanged for `ms` milliseconds. */
export const useSettled = <Value>(value: Value, ms: number = restMs): Value => {
  const text = JSON.stringify(value)
  const [settled, setSettled] = useState({ text, value })
  useEffect(() => {
    const timer = setTimeout(() => setSettled({ text, value }), ms)
    return () => clearTimeout(timer)
    // The JSON text is compared, because the value is a new object at each render.
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
 * The risks of a draft as one text, as the pod states them. Empty for a draft without risks. Undefined until the pod has
 * answered about exactly this draft, so that nobody confirms the risks of an earlier draft.
 */
export const useCurrentRisks = (input: PreviewInput | undefined): string | undefined => {
  const settled = useSettled(input)
  const { data, isPlaceholderData } = useGrantPreview(input)
  const isCurrent = input !== undefined && !isPlaceholderData && JSON.stringify(settled) === JSON.stringify(input)
  return isCurrent ? data?.risks.map(({ code, reason }) => `${code} ${reason}`).join("\n") : undefined
}

/** The preview of a grant without limits: everything that the person can see, for comparison. */
export const useWholePreview = () => useQuery({ ...procedureQuery("grants.preview", nothing), staleTime: 60_000 })
