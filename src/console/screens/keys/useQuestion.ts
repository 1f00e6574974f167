/** Reads the question of a person: an operation (by its name, or by its method and path), and an object. */
import { useQuery } from "@tanstack/react-query"
import { operationOfRoute } from "../../../shared/operationOfRoute.ts"
import { hubQuery } from "../../api/hub.ts"
import type { PreviewInput } from "./useGrantPreview.ts"

export type Question = NonNullable<PreviewInput["can"]>

/** The texts that the person typed. `operation` can be a name, an MCP tool, or a method and a path. */
export interface QuestionTexts {
  readonly operation: string
  readonly objectId?: string | undefined
  readonly objectType?: string | undefined
  readonly kind?: string | undefined
}

const inputOf = (name: string, value: string | undefined) =>
  (value ?? "").trim() === "" ? {} : { [name]: value?.trim() }

interface ReadQuestion {
  readonly question?: Question
  /** Why the console cannot ask the question. */
  readonly fault?: string
  /** The error of the read that the question needs. `retry` reads again. */
  readonly error?: Error
  readonly retry?: () => void
}

/** The question in the form that the pod accepts. */
export const useQuestion = (texts: QuestionTexts | undefined): ReadQuestion => {
  const [method = "", path] = (texts?.operation ?? "").trim().split(/\s+/)
  const isRoute = path?.startsWith("/") === true
  const manifest = useQuery({ ...hubQuery("GET /api/hub/manifest", {}), enabled: isRoute, staleTime: Infinity })
  if (texts === undefined) return {}
  const { kind, objectId, objectType, operation } = texts
  const about = { ...inputOf("objectType", objectType), ...inputOf("kind", kind) }
  if (!isRoute) return { question: { operation: operation.trim(), ...inputOf("objectId", objectId), ...about } }
  if (manifest.error !== null) return { error: manifest.error, retry: () => void manifest.refetch() }
  if (manifest.data === undefined) return {}
  const found = operationOfRoute(manifest.data.doors, method, path)
  return found === undefined
    ? { fault: `The pod has no ${method.toUpperCase()} ${path}. The API screen lists its endpoints.` }
    : { question: { ...found, ...inputOf("objectId", objectId), ...about } }
}
