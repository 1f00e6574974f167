/** The name that the owner gives the pod. It is shown to everybody, also before the sign-in, as plain text. */
import { Schema } from "effect"

const longest = 80 // characters

/**
 * Control characters, separators of lines, and marks that are invisible or turn the text around. With one of them a
 * name could look like another name, or like a part of the page. The joiners and variants of emoji and of some scripts
 * are allowed.
 */
const unfit = /(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u

/** A character that a person sees. */
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u

export const PodName = Schema.Trim.pipe(
  Schema.filter((name) => name.length > 0 && [...name].length <= longest && !unfit.test(name) && visible.test(name), {
    message: () => `Use 1 to ${longest} characters in one line, without invisible ones.`,
    jsonSchema: { type: "string", minLength: 1, maxLength: longest }
  })
).annotations({ identifier: "PodName", description: "Name of the pod. Everybody sees it, also before the sign-in." })

/** The event of a new name. Null means that the pod has no name any more. */
export const renameEvent = (personId: string, name: string | null) => ({
  type: "pod.rename",
  subjectId: personId,
  data: { name }
})
