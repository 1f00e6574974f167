/** The slug of a new kind of entity. Permissions contain the slug, as in `entity.<slug>.read`. */
import { Schema } from "effect"
import { isActionName } from "./Permission.ts"

export const actionNameFault =
  "A kind cannot have the name of an action, because `entity.read` in a grant could mean the kind or the action."

export const NewKindSlug = Schema.String.pipe(
  Schema.pattern(/^[a-z0-9][a-z0-9_-]*$/),
  Schema.maxLength(64),
  Schema.filter((slug) => (isActionName(slug) ? actionNameFault : undefined))
)
