/** The frame of the pages for people who have not signed in. */
import { type ReactNode, useEffect } from "react"

export const DoorPage = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => {
  useEffect(() => {
    document.title = `${title} · Pod`
  }, [title])
  return (
    <main className="mx-auto grid max-w-md content-start gap-4 px-4 py-12">
      <h1>{title}</h1>
      {children}
    </main>
  )
}
