/**
 * The commands in the pages of the documentation. Tests run the `bash` blocks of all pages unchanged, in one shell. A
 * `bash` block with a further word, such as `bash claim`, runs in a shell with its own pod. Tests check the commands of
 * all other blocks, but do not run them.
 */
import { readdirSync, readFileSync } from "node:fs"
import { projectRoot } from "./migrations.ts"

const pagesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(`${projectRoot}docs/${folder}`)
    .filter((name) => name.endsWith(".md"))
    .sort()
    .map((name) => `docs/${folder}/${name}`)

/** The README comes first, because the other pages use what its commands create. */
export const docPages: ReadonlyArray<string> = [
  "README.md",
  ...["start", "concepts", "guides", "operate", "reference"].flatMap(pagesIn),
  "docs/configuration.md",
  "CONTRIBUTING.md",
  "UPGRADING.md",
  "SECURITY.md",
  "AGENTS.md",
  "examples/README.md",
  "bench/README.md"
]

export const readPage = (page: string): string => readFileSync(projectRoot + page, "utf8")

/** A block of code. Its language is the text after the opening fence, or `indented` if the block has no fence. */
export interface Block {
  readonly language: string
  readonly text: string
}

export const blocksOf = (page: string): ReadonlyArray<Block> => {
  const fenced = [...page.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map(([, language = "", text = ""]) => ({
    language,
    text
  }))
  const rest = page.replaceAll(/^```.*\n[\s\S]*?^```$/gm, "")
  const indented = [...rest.matchAll(/(?<=\n\n)(?: {4}.*\n?)+/g)].map(([text]) => ({
    language: "indented",
    text: text.replaceAll(/^ {4}/gm, "")
  }))
  return [...fenced, ...indented]
}

/** Returns all lines of the blocks of one language, in all pages. A line that is in two pages is returned once. */
export const linesIn = (language: string): ReadonlyArray<string> => [
  ...new Set(
    docPages
      .flatMap((page) => blocksOf(readPage(page)))
      .filter((block) => block.language === language)
      .flatMap(({ text }) => text.trimEnd().split("\n"))
  )
]

/** A command as a list of words. */
export type Words = ReadonlyArray<string>

/**
 * Reads the commands of a line of the shell: the commands between `|`, `;` and `&&`, and the commands in `$(…)`.
 * Assignments before a command, redirections and comments are left out.
 */
export const commandsIn = (line: string): ReadonlyArray<Words> => {
  let words: Array<string> = []
  const commands: Array<Array<string>> = [words]
  let word: string | undefined
  let quote = ""
  // One entry for each open `$(`.
  const outer: Array<{ readonly quote: string; readonly words: Array<string>; readonly word: string }> = []
  const endWord = () => {
    if (word !== undefined) words.push(word)
    word = undefined
  }
  const begin = () => {
    words = []
    commands.push(words)
  }
  for (let at = 0; at < line.length; at++) {
    const sign = line[at] ?? ""
    if (quote === "'" ? sign === "'" : quote === '"' && sign === '"') quote = ""
    else if (line.startsWith("$(", at) && quote !== "'") {
      outer.push({ quote, words, word: word ?? "" })
      word = undefined
      quote = ""
      at++
      begin()
    } else if (quote !== "") word = (word ?? "") + sign
    else if (sign === "\\") word = (word ?? "") + (line[++at] ?? "")
    else if (sign === '"' || sign === "'") {
      quote = sign
      word ??= ""
    } else if (sign === "#" && word === undefined) break
    else if (sign === ")") {
      endWord()
      const around = outer.pop()
      if (around === undefined) begin()
      else ({ quote, word, words } = around)
    } else if (/[|;&]/.test(sign)) {
      endWord()
      begin()
    } else if ((sign === ">" || sign === "<") && word === undefined) {
      while (line[at + 1] === " ") at++
      while (at + 1 < line.length && !/[\s|;)]/.test(line[at + 1] ?? "")) at++
    } else if (/\s/.test(sign)) endWord()
    else word = (word ?? "") + sign
  }
  endWord()
  return commands
    .map((command) => {
      const first = command.findIndex((one) => !/^[A-Z_]+=/.test(one) && !wrappers.has(one))
      return first === -1 ? [] : command.slice(first)
    })
    .filter((command) => command.length > 0)
}

/** Words that can come before a command and do not change what the command does. */
const wrappers: ReadonlySet<string> = new Set(["export", "npx", "sudo"])
