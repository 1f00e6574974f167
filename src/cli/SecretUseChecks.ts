/** What `pod doctor` says about former values of secrets: whether something still needs them. */
import { rowsOf, textOf } from "./AnswerFields.ts"
import { ok, type Check, warning } from "./DoctorCheck.ts"

const numberIn = (value: unknown): number => (typeof value === "number" ? value : 0)

/**
 * One check for each secret with a former value, or with records that its present value does not open. Other secrets
 * need no line. In: the answer of `health.secrets`.
 */
export const secretUseChecks = (reports: unknown): ReadonlyArray<Check> =>
  rowsOf(reports).flatMap(({ name: setting, older, values }) => {
    const needing = rowsOf(older)
      .filter(({ count }) => numberIn(count) > 0)
      .map(({ count, of }) => `${textOf(of)}: ${numberIn(count)}`)
      .join(", ")
    const name = textOf(setting).replace(/^POD_/, "").replaceAll("_", " ").toLowerCase()
    const isChanging = numberIn(values) > 1
    if (needing === "") {
      return isChanging ? [ok(name, `nothing needs the former value: remove it from ${textOf(setting)}`)] : []
    }
    return [
      warning(
        name,
        isChanging
          ? `a former value is still needed (${needing}): keep it in ${textOf(setting)}`
          : `${textOf(setting)} does not open everything (${needing}): add the former value, or remove these records`
      )
    ]
  })
