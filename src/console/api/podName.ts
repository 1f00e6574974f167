/** Reads the name of the pod, and sets the title of the browser window. */
import { useQuery } from "@tanstack/react-query"
import { useEffect } from "react"
import { visibleText } from "../../shared/visibleText.ts"
import { hubQuery } from "./hub.ts"

/** Reads whether the pod has an owner, and the name of the pod. Everybody may ask this, even before they sign in. */
export const podStatusQuery = hubQuery("GET /api/hub/setup/status", {})

/** The name that the owner gave the pod. `Pod` if there is no name, or if the name is not read yet. */
export const usePodName = (): string =>
  visibleText(useQuery({ ...podStatusQuery, staleTime: Infinity }).data?.podName ?? "Pod")

/** Sets the title of the browser window to the title of the screen and the name of the pod. */
export const useTitle = (title: string): void => {
  const podName = usePodName()
  useEffect(() => {
    document.title = `${title} · ${podName}`
  }, [title, podName])
}
