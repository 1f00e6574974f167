/**
 * The preview of a grant, which the pod computes. The pod is asked a short time after the last change, so that typing
 * does not send many requests.
 */
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { type ProcedureInput, procedureQuery } from "../../api/procedures.ts"

export type PreviewInput = ProcedureInput<"grants.preview">

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

/** The preview of a grant without limits: everything that the person can see, for comparison. */
export const useWholePreview = () => useQuery({ ...procedureQuery("grants.preview", nothing), staleTime: 60_000 })
