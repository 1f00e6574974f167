/**
 * Chooses a brand: first the brand of the project, then the default brand of the space, then the only brand. The
 * functions of this file are pure.
 */
import { Either } from "effect"
import type { Brand, BrandKit } from "./Brand.ts"

type Candidate = Pick<Brand, "id" | "workspaceId" | "isDefault" | "projectIds">

export interface ChosenBrand<B> {
  readonly brand: B
  readonly via: BrandKit["resolvedVia"]
}

/**
 * The reason why no brand was chosen. `workspaceId` is the searched workspace, if the search was limited to a
 * workspace.
 */
export interface MissingBrand {
  readonly reason: "no-brand-space" | "no-brand-for-project" | "no-default-brand"
  readonly message: string
  readonly workspaceId: string | null
}

const oldestFirst = <B extends Candidate>(brands: ReadonlyArray<B>) =>
  brands.toSorted((one, other) => (one.id < other.id ? -1 : 1))

/**
 * Returns the space for a caller who names no space: the person's own space if it has brands, otherwise the only
 * workspace with brands.
 */
const spaceOf = (brands: ReadonlyArray<Candidate>): Either.Either<string | null, MissingBrand> => {
  const spaces = [...new Set(brands.map(({ workspaceId }) => workspaceId))]
  if (spaces.includes(null)) return Either.right(null)
  if (spaces.length === 1) return Either.right(spaces[0])
  const message =
    spaces.length === 0
      ? "This workspace or personal space has no brand. Create one."
      : "Several workspaces have brands: send the id of one of these workspaces."
  return Either.left({ reason: "no-brand-space", message, workspaceId: null })
}

/**
 * Chooses among the brands that the caller may read, in one workspace or everywhere. The order of the brands does not
 * matter.
 */
export const chooseBrand = <B extends Candidate>(
  brands: ReadonlyArray<B>,
  projectId: string | undefined
): Either.Either<ChosenBrand<B>, MissingBrand> =>
  Either.gen(function* () {
    const all = oldestFirst(brands)
    const ofProject = projectId === undefined ? [] : all.filter(({ projectIds }) => projectIds.includes(projectId))
    const forProject = ofProject.find(({ isDefault }) => isDefault) ?? ofProject[0]
    if (forProject !== undefined) return { brand: forProject, via: "project" as const }
    const workspaceId = yield* spaceOf(all)
    const here = all.filter((brand) => brand.workspaceId === workspaceId)
    const standard = here.find(({ isDefault }) => isDefault)
    if (standard !== undefined) return { brand: standard, via: "default-flag" as const }
    if (here.length === 1) return { brand: here[0], via: "only-brand" as const }
    return yield* Either.left<MissingBrand>(
      projectId === undefined
        ? {
            reason: "no-default-brand",
            message:
              "Several brands exist here, but none is the default. Set `isDefault` of one brand, or send `projectId`.",
            workspaceId
          }
        : {
            reason: "no-brand-for-project",
            message:
              "This project has no brand, and its space has no default brand. Create a brand, or set `isDefault` of a brand.",
            workspaceId
          }
    )
  })
