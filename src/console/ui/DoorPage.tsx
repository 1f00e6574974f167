/** The layout of the pages that people see before they sign in. */
import type { ReactNode } from "react"
import { usePodName, useTitle } from "../api/podName.ts"

export const DoorPage = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => {
  const podName = usePodName()
  useTitle(title)
  return (
    <main className="mx-auto grid max-w-md content-start gap-4 px-4 py-12">
      <p className="text-muted font-semibold wrap-anywhere">{podName}</p>
      <h1>{title}</h1>
      {children}
    </main>
  )
}
