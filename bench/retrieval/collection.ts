/**
 * Reads a test collection in the format of Cranfield. A collection has documents, questions, and judgements. A
 * judgement says how well a document answers a question.
 */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"

export interface CollectionDocument {
  /** The number of the document in the collection. The first document has the number 1. */
  readonly number: number
  readonly title: string
  readonly text: string
}

export interface CollectionQuestion {
  /**
   * The position of the question in the file. The first question has the position 1. Judgements refer to this position,
   * because the ids in the file have gaps.
   */
  readonly number: number
  readonly text: string
  /** The numbers of the documents that answer the question. */
  readonly relevant: ReadonlySet<number>
}

export interface Collection {
  readonly documents: ReadonlyArray<CollectionDocument>
  readonly questions: ReadonlyArray<CollectionQuestion>
}

const files = { documents: "cran.all.1400", questions: "cran.qry", judgements: "cranqrel" }

const partsOf = (text: string): ReadonlyArray<string> =>
  text
    .replaceAll("\r\n", "\n")
    .split(/^\.I \d+ *$/m)
    .slice(1)

/** Returns the text of a section. A section begins with a line such as `.T`, and ends where the next section begins. */
const sectionOf = (part: string, name: string): string => {
  const found = new RegExp(`^\\.${name} *\\n([\\s\\S]*?)(?=^\\.[A-Z] *\\n|$(?![\\s\\S]))`, "m").exec(part)
  return found?.[1].trim() ?? ""
}

const onOneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim()

/**
 * Returns the documents that answer each question. A document with a grade of 1 to 4 answers the question. The grades 0
 * and −1 mean that the document does not answer the question.
 */
const relevantBy = (judgements: string): ReadonlyMap<number, ReadonlySet<number>> => {
  const relevant = new Map<number, Set<number>>()
  for (const line of judgements.split("\n")) {
    const [question, document, grade] = line.trim().split(/\s+/).map(Number)
    if (!(grade >= 1)) continue
    const known = relevant.get(question)
    if (known === undefined) relevant.set(question, new Set([document]))
    else known.add(document)
  }
  return relevant
}

/**
 * Reads a collection from a folder. Returns undefined if the folder does not contain the three files with the
 * documents, the questions and the judgements.
 */
export const readCollection = (folder: string): Collection | undefined => {
  if (!Object.values(files).every((name) => existsSync(join(folder, name)))) return undefined
  const read = (name: string) => readFileSync(join(folder, name), "utf8")
  const relevant = relevantBy(read(files.judgements))
  return {
    documents: partsOf(read(files.documents)).map((part, at) => ({
      number: at + 1,
      title: onOneLine(sectionOf(part, "T")),
      text: sectionOf(part, "W")
    })),
    questions: partsOf(read(files.questions)).map((part, at) => ({
      number: at + 1,
      text: onOneLine(sectionOf(part, "W")),
      relevant: relevant.get(at + 1) ?? new Set()
    }))
  }
}
