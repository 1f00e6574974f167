/** The name of the pod, and the title of the browser with it. */
import { useQuery } from "@tanstack/react-query"
import { useEffect } from "react"
import { visibleText } from "../../shared/visibleText.ts"
import { hubQuery } from "./hub.ts"

/** Whether the pod has an owner, and the name of the pod. Everybody may ask this, also before the sign-in. */
export const podStatusQuery = hubQuery("GET /api/hub/setup/status", {})

/** The name that the owner gave the pod; `Pod` if there is none, or until it is known. */
export const usePodName = (): string =>
  visibleText(useQuery({ ...podStatusQuery, staleTime: Infinity }).data?.podName ?? "Pod")

/** Puts the title of the screen and the name of the pod into the title of the browser. */
export const useTitle = (title: string): void => {
  const podName = usePodName()
  useEffect(() => {
    document.title = `${title} · ${podName}`
  }, [title, podName])
}
