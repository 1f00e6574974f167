/** The checks of `pod doctor` for the secrets of the pod. */
import { secretUse } from "../shared/secretUse.ts"
import { rowsOf, textOf } from "./AnswerFields.ts"
import { okCheck, type Check, warningCheck } from "./DoctorCheck.ts"

const numberIn = (value: unknown): number => (typeof value === "number" ? value : 0)

/**
 * Makes one check for each secret for which `secretUse` returns a sentence. `reports` is the answer of
 * `health.secrets`.
 */
export const secretUseChecks = (reports: unknown): ReadonlyArray<Check> =>
  rowsOf(reports).flatMap((report) => {
    const name = textOf(report.name)
    const older = rowsOf(report.older).map(({ count, of }) => ({ of: textOf(of), count: numberIn(count) }))
    const use = secretUse({ name, values: numberIn(report.values), older })
    if (use === undefined) return []
    const title = name.replace(/^POD_/, "").replaceAll("_", " ").toLowerCase()
    return [(use.isWarning ? warningCheck : okCheck)(title, use.text)]
  })
