/**
 * Shows the state of a query: grey boxes while it loads, a sentence if it takes long, an error with a Retry button, or
 * the data.
 */
import type { UseQueryResult } from "@tanstack/react-query"
import { type ReactNode, useEffect, useState } from "react"
import { ErrorBox } from "./ErrorBox.tsx"

// Milliseconds. After this time a sentence replaces the grey boxes, because boxes that stay look like an error.
const skeletonMs = 400

export const Loading = ({ what }: { readonly what: string }) => {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), skeletonMs)
    return () => clearTimeout(timer)
  }, [])
  return isSlow ? (
    <p role="status" className="text-muted p-3">
      Reading {what} …
    </p>
  ) : (
    <div aria-hidden className="grid gap-2 p-3">
      {["w-1/2", "w-3/4", "w-2/3"].map((width) => (
        <div key={width} className={`bg-line h-4 animate-pulse rounded ${width}`} />
      ))}
    </div>
  )
}

interface ShownProps<Data> {
  /** The name of the data in the sentence "Reading …", such as `your connections`. */
  readonly what: string
  readonly query: Pick<UseQueryResult<Data>, "data" | "error" | "isPending" | "refetch">
  readonly children: (data: Data) => ReactNode
}

export function QueryResult<Data>({ what, query, children }: ShownProps<Data>) {
  if (query.data !== undefined) {
    return (
      <>
        {query.error !== null && <ErrorBox error={query.error} onRetry={() => void query.refetch()} />}
        {children(query.data)}
      </>
    )
  }
  if (query.error !== null) return <ErrorBox error={query.error} onRetry={() => void query.refetch()} />
  return <Loading what={what} />
}
