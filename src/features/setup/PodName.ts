/**
 * The name that the owner gives the pod. Everybody can read the name, even before signing in. The pod shows it as plain
 * text.
 */
import { Schema } from "effect"
import { isPodName, podNameMax } from "../../platform/PodNameText.ts"

export const PodName = Schema.Trim.pipe(
  Schema.filter(isPodName, {
    message: () => `Use 1 to ${podNameMax} characters in one line, without invisible characters.`,
    jsonSchema: { type: "string", minLength: 1, maxLength: podNameMax }
  })
).annotations({ description: "Name of the pod. Everybody sees it, also before the sign-in." })

/** Makes the event of a new name. If `name` is null, the pod no longer has a name. */
export const renameEvent = (personId: string, name: string | null) => ({
  type: "pod.rename",
  subjectId: personId,
  data: { name }
})
