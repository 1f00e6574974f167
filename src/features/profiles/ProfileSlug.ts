/** The slug of a profile, which names the kind of an entity. */
import { Schema } from "effect"

/**
 * The slug that names a kind of entity. It is the slug of the profile of this kind. The permissions for these entities
 * contain the same slug.
 */
export const ProfileSlug = Schema.String.pipe(
  Schema.pattern(/^[a-z0-9][a-z0-9_-]*$/),
  Schema.maxLength(64)
).annotations({ identifier: "ProfileSlug", description: "Slug of an entity kind or a facet." })
