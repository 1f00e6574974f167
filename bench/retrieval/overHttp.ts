/** Writes a collection to a pod over HTTP, and asks all questions of the collection over HTTP. */
import type { Collection, CollectionDocument } from "./collection.ts"
import { type Answered, qualityOf } from "./quality.ts"
import type { ServedPod } from "./servedPod.ts"

/** A collection is written in one of two forms: as documents, or as entities with one document each. */
export const forms = ["documents", "entities"] as const
export type Form = (typeof forms)[number]

export interface Loading {
  readonly wallMs: number
  readonly cpuMs: number
}

export interface CollectionRun {
  readonly writing: Loading
  /** The cost of the first search. During this search the pod builds the index. */
  readonly indexing: Loading
  readonly answers: ReadonlyArray<Answered>
}

// This many writes run at the same time.
const connections = 8
const limit = 100
// The pod requires a title. A document without a title gets its number as the title, because no question contains a
// number.
const titleOf = ({ number, title }: CollectionDocument) => (title === "" ? `${number}` : title).slice(0, 500)

const bodyOf: Readonly<Record<Form, (document: CollectionDocument, workspaceId: string) => object>> = {
  documents: (document, workspaceId) => ({ workspaceId, title: titleOf(document), content: document.text }),
  entities: (document, workspaceId) => ({
    workspaceId,
    profileSlug: "note",
    title: titleOf(document),
    content: document.text
  })
}

interface SearchAnswer {
  readonly verdict: string
  readonly degraded: ReadonlyArray<string>
  readonly answers: ReadonlyArray<{
    readonly substrate: string
    readonly items: ReadonlyArray<{ readonly id: string }>
  }>
}

const timed = async <A>(pod: ServedPod, work: () => Promise<A>): Promise<Loading & { readonly value: A }> => {
  const [cpu, started] = [pod.cpuMs(), performance.now()]
  const value = await work()
  return { value, wallMs: performance.now() - started, cpuMs: pod.cpuMs() - cpu }
}

/**
 * Writes the documents of a collection to the pod. Returns a map from the id that the pod gave a document to the number
 * of the document.
 */
const write = async (pod: ServedPod, documents: ReadonlyArray<CollectionDocument>, form: Form) => {
  const numbers = new Map<string, number>()
  const waiting = documents.values()
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (const document of waiting) {
        const made = await pod.post(`/api/hub/${form}`, bodyOf[form](document, pod.workspaceId))
        numbers.set((made as { readonly id: string }).id, document.number)
      }
    })
  )
  return numbers
}

const search = async (pod: ServedPod, query: string): Promise<SearchAnswer> =>
  (await pod.post("/api/hub/knowledge/search", { query, limit })) as SearchAnswer

export const overHttp = async (pod: ServedPod, collection: Collection, form: Form): Promise<CollectionRun> => {
  const writing = await timed(pod, () => write(pod, collection.documents, form))
  const numbers = writing.value
  const indexing = await timed(pod, async () => {
    for (;;) if ((await search(pod, "wing")).degraded.length === 0) return
  })
  const answers: Array<Answered> = []
  for (const question of collection.questions) {
    const { cpuMs, value, wallMs } = await timed(pod, () => search(pod, question.text))
    if (value.degraded.length > 0) throw new Error(`question ${question.number} was answered without ${value.degraded}`)
    const items = value.answers.find(({ substrate }) => substrate === "semantic")?.items ?? []
    const ranking = items.flatMap(({ id }) => numbers.get(id) ?? [])
    answers.push({
      question,
      ranking,
      verdict: value.verdict,
      wallMs,
      cpuMs,
      ...qualityOf(ranking, question.relevant)
    })
  }
  return { writing, indexing, answers }
}
