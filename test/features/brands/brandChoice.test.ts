/** Tests which of several brands the pod chooses if a caller asks for a brand kit. */
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import fc from "fast-check"
import { chooseBrand } from "../../../src/features/brands/BrandChoice.ts"

const aBrand = (
  id: string,
  more: Partial<{ workspaceId: string | null; isDefault: boolean; projectIds: string[] }> = {}
) => ({
  id,
  workspaceId: null,
  isDefault: false,
  projectIds: [],
  ...more
})
type Brands = ReadonlyArray<ReturnType<typeof aBrand>>
const chosen = (brands: Brands, projectId?: string) =>
  Either.match(chooseBrand(brands, projectId), {
    onLeft: ({ reason }) => reason,
    onRight: ({ brand, via }) => `${brand.id} via ${via}`
  })

describe("the choice of a brand", () => {
  it("the pod chooses no brand if no brand exists, or if several workspaces have brands and the request states no workspace", () => {
    assert.strictEqual(chosen([]), "no-brand-space")
    assert.strictEqual(chosen([aBrand("a", { workspaceId: "x" }), aBrand("b", { workspaceId: "y" })]), "no-brand-space")
  })
  it("if several brands fit a request equally well, the pod chooses no brand", () => {
    const brands = [aBrand("a"), aBrand("b")]
    assert.strictEqual(chosen(brands), "no-default-brand")
    assert.strictEqual(chosen(brands, "p"), "no-brand-for-project")
  })
  it("the pod prefers the brand of the project to every default brand", () => {
    const brands = [aBrand("a", { isDefault: true }), aBrand("b", { workspaceId: "x", projectIds: ["p"] })]
    assert.strictEqual(chosen(brands, "p"), "b via project")
    assert.strictEqual(chosen(brands, "q"), "a via default-flag")
  })
  it("for a request without a project the pod chooses the default brand, or else the only brand", () => {
    assert.strictEqual(chosen([aBrand("a"), aBrand("b", { isDefault: true })]), "b via default-flag")
    assert.strictEqual(chosen([aBrand("a")]), "a via only-brand")
    assert.strictEqual(chosen([aBrand("a")], "p"), "a via only-brand")
  })
  it("the pod prefers a brand of the person's own space to the brands of workspaces", () => {
    const brands = [aBrand("a", { workspaceId: "x", isDefault: true }), aBrand("b")]
    assert.strictEqual(chosen(brands), "b via only-brand")
  })
  it("the order in which the pod reads brands does not change which brand the pod chooses", () => {
    const brand = fc.record({
      id: fc.constantFrom("a", "b", "c", "d"),
      workspaceId: fc.constantFrom(null, "x", "y"),
      isDefault: fc.boolean(),
      projectIds: fc.subarray(["p", "q"])
    })
    fc.assert(
      fc.property(
        fc.uniqueArray(brand, { selector: ({ id }) => id }),
        fc.constantFrom("p", "q", undefined),
        (brands, projectId) => assert.strictEqual(chosen(brands, projectId), chosen(brands.toReversed(), projectId))
      )
    )
  })
})
