/** The slug of a kind to be, as it will stand in a permission: `entity.<slug>.read`. */
import { Schema } from "effect"
import { isActionName } from "./Permission.ts"

export const actionNameFault =
  "A kind is not called as an action: entity.read in a grant would mean the one or the other."

export const NewKindSlug = Schema.String.pipe(
  Schema.pattern(/^[a-z0-9][a-z0-9_-]*$/),
  Schema.maxLength(64),
  Schema.filter((slug) => (isActionName(slug) ? actionNameFault : undefined))
)
