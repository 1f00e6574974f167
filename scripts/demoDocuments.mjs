/**
 * Reads the documents of the demo: the sections of this project's own pages, and a test collection if the user names
 * one.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./install.mjs"

/** Each section of the project's pages: `{ title, text }`. */
export const projectDocuments = () =>
  [root, join(root, "docs")].filter(existsSync).flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith(".md"))
      .flatMap((name) => {
        const [head, ...sections] = readFileSync(join(folder, name), "utf8").split(/^## /m)
        const page = /^# (.+)$/m.exec(head)?.[1] ?? name
        return [
          { title: page, text: head.replace(/^# .+$/m, "").trim() },
          ...sections.map((section) => {
            const [title, ...lines] = section.split("\n")
            return { title: `${page}: ${title}`, text: lines.join("\n").trim() }
          })
        ]
      })
  )

const files = { documents: "cran.all.1400", questions: "cran.qry", judgements: "cranqrel" }

const partsOf = (text) =>
  text
    .replaceAll("\r\n", "\n")
    .split(/^\.I \d+ *$/m)
    .slice(1)

/** Returns the text of a section. A section begins with a line such as `.T`, and ends where the next section begins. */
const sectionOf = (part, name) =>
  (new RegExp(`^\\.${name} *\\n([\\s\\S]*?)(?=^\\.[A-Z] *\\n|$(?![\\s\\S]))`, "m").exec(part)?.[1] ?? "").trim()

const onOneLine = (text) => text.replaceAll(/\s+/g, " ").trim()

/**
 * Returns, for each question, the numbers of the documents that answer the question. A document answers a question if
 * people gave the document a grade of at least 1 for this question.
 */
const relevantBy = (judgements) => {
  const relevant = new Map()
  for (const line of judgements.split("\n")) {
    const [question, document, grade] = line.trim().split(/\s+/).map(Number)
    if (grade >= 1) relevant.set(question, [...(relevant.get(question) ?? []), document])
  }
  return relevant
}

/**
 * Reads a collection in the Cranfield format from a folder: documents `{ number, title, text }` and questions `{ text,
 * relevant }`. Leaves out each question that no document answers. Returns undefined if the folder does not contain the
 * three files with the documents, the questions and the judgements.
 */
export const collectionIn = (folder, most) => {
  if (!Object.values(files).every((name) => existsSync(join(folder, name)))) return undefined
  const read = (name) => readFileSync(join(folder, name), "utf8")
  const documents = partsOf(read(files.documents))
    .map((part, at) => ({ number: at + 1, title: onOneLine(sectionOf(part, "T")), text: sectionOf(part, "W") }))
    .filter(({ title }) => title !== "")
    .slice(0, most)
  const known = new Set(documents.map(({ number }) => number))
  const relevant = relevantBy(read(files.judgements))
  const questions = partsOf(read(files.questions))
    .map((part, at) => ({
      text: onOneLine(sectionOf(part, "W")),
      relevant: (relevant.get(at + 1) ?? []).filter((number) => known.has(number))
    }))
    .filter((question) => question.relevant.length > 0)
  return { documents, questions }
}
