/** A property definition for tests, and the message about a value that does not fit it. */
import { assert } from "@effect/vitest"
import { validateProperties } from "../../../src/features/profiles/PropertyRules.ts"
import type { PropertyDefinition } from "../../../src/features/profiles/PropertyValue.ts"

export const aDefinition = (given: Partial<PropertyDefinition> = {}): PropertyDefinition => ({
  slug: "field",
  type: "text",
  displayName: "Field",
  required: false,
  options: [],
  defaultValue: null,
  constraints: {},
  targetProfileSlug: null,
  ...given
})

/** Returns the message about the property `field`. Null if the value fits. */
export const messageOf = (
  definition: Partial<PropertyDefinition>,
  value: unknown,
  phase: "create" | "update" = "create"
) => {
  const { faults } = validateProperties([aDefinition(definition)], { field: value }, phase)
  assert.isAtMost(faults.length, 1)
  for (const { path } of faults) assert.strictEqual(path, "properties.field")
  return faults[0]?.message ?? null
}
