/** Shows a proposal to the person who decides: what would change, field by field. */
import { emptyFields, isShownDifference } from "../shared/shownDifferences.ts"
import { type Fields, fieldsOf, rowsOf, textOf, textsOf } from "./AnswerFields.ts"
import type { ProposalNames } from "./ProposalNames.ts"
import { cell, type Paint, shortId, timeCell } from "./Output.ts"
import { escapeInvisible } from "../shared/visibleText.ts"

// the maximum number of characters of a value in an overview; a person who decides sees the whole value
export const shortValue = 400

const valueText = (value: unknown, max: number): string => {
  const text = typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "")
  const shown = escapeInvisible(text)
  return shown.length > max ? `${shown.slice(0, max)}… (${shown.length} characters)` : shown
}

const lines = (sign: string, value: unknown, colour: (text: string) => string, max: number): ReadonlyArray<string> =>
  valueText(value, max)
    .split("\n")
    .map((line) => colour(`    ${sign} ${line}`))

/**
 * Shows a changed text as one text: removed words are red, added words are green. Without colours, brackets mark them.
 */
const wordsText = (words: unknown, paint: Paint): string => {
  const isPlain = paint.red("x") === "x"
  return rowsOf(words)
    .map(({ kind, text }) => {
      const piece = escapeInvisible(textOf(text))
      if (kind === "removed") return isPlain ? `[-${piece}-]` : paint.red(piece)
      if (kind === "added") return isPlain ? `{+${piece}+}` : paint.green(piece)
      return piece
    })
    .join("")
}

const fieldName = ({ path }: Fields): string => textsOf(path).join(".")

/** Shows the differences of a proposal as a text. At most `max` characters of each value are shown. */
export const diffText = (differences: unknown, paint: Paint, max = shortValue): string =>
  rowsOf(differences)
    .filter(isShownDifference)
    .map(({ after, before, kind, path, words }) => {
      const head = `  ${paint.bold(escapeInvisible(fieldName({ path })))}`
      if (Array.isArray(words) && words.length > 0) {
        return [
          head,
          ...wordsText(words, paint)
            .split("\n")
            .map((line) => `    ~ ${line}`)
        ].join("\n")
      }
      return [
        head,
        ...(kind === "added" ? [] : lines("-", before, paint.red, max)),
        ...(kind === "removed" ? [] : lines("+", after, paint.green, max))
      ].join("\n")
    })
    .join("\n")

/** Writes a text of somebody else as the lines of one paragraph. At most `max` characters are shown. */
const paragraph = (title: string, text: string, max: number): ReadonlyArray<string> =>
  text === ""
    ? []
    : valueText(text, max)
        .split("\n")
        .map((line, at) => (at === 0 ? `  ${title}: ${line}` : `    ${line}`))

export const proposalText = (data: unknown, names: ProposalNames, paint: Paint, max = shortValue): string => {
  const proposal = fieldsOf(data)
  const conflicts = rowsOf(proposal["conflicts"])
  const diff = diffText(proposal["differences"], paint, max)
  const withoutValue = emptyFields(rowsOf(proposal["differences"]), fieldName)
  return [
    `${paint.bold(cell(proposal["summary"], 160))}  ${paint.dim(textOf(proposal["id"]))}`,
    `  ${textOf(proposal["proposalType"])} · ${textOf(proposal["status"])} · revision ${textOf(proposal["revision"])} · ends ${timeCell(proposal["expiresAt"])}`,
    `  By ${names.maker}, in ${names.workspace}${names.key === undefined ? "" : `, with ${names.key}`}`,
    ...paragraph("Why", textOf(proposal["reasoning"]) || "no reason was given", max),
    ...paragraph("Reason of the decision", textOf(proposal["statusReason"]), max),
    ...(diff === "" ? [] : ["", diff]),
    ...(withoutValue.length === 0 ? [] : [`  Without a value: ${withoutValue.map(escapeInvisible).join(", ")}`]),
    ...conflicts.flatMap(({ base, current, path, proposed }) => [
      paint.yellow(
        `  ! ${cell(textsOf(path).join("."))} was changed since the proposal was made, so the proposal cannot be approved as it is`
      ),
      `    was       ${cell(base, 80)}`,
      `    is now    ${cell(current, 80)}`,
      `    proposed  ${cell(proposed, 80)}`
    ])
  ].join("\n")
}

export const proposalLine = (data: unknown): string => {
  const { createdAt, id, proposalType, status, summary } = fieldsOf(data)
  return `${shortId(id)}  ${timeCell(createdAt)}  ${textOf(status).padEnd(8)}  ${cell(proposalType, 24)}  ${cell(summary, 80)}`
}
