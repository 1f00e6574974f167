/**
 * The service of brands. For every write of a brand, the gate decides whether the write is allowed, refused or
 * proposed. A kit is the text form of a brand.
 */
import { Context, Effect, Either, Layer } from "effect"
import { Conflict, type Forbidden, NotFound } from "../../doors/Failure.ts"
import type { Reach } from "../../doors/Reach.ts"
import { everyRecord } from "../records/EveryRecord.ts"
import { governedRecords } from "../records/GovernedRecords.ts"
import type { Comparison, RecordOperations } from "../records/RecordOperations.ts"
import { Records } from "../records/Records.ts"
import { requestedSpaces } from "../workspaces/WorkspaceAccess.ts"
import { Brand, type BrandKit, type KitQuery } from "./Brand.ts"
import { chooseBrand } from "./BrandChoice.ts"
import { kitContent } from "./KitContent.ts"

const defaultTaken = new Conflict({
  code: "DEFAULT_TAKEN",
  why: "Another brand of this space is already the default brand. First set `isDefault` of that brand to `false`."
})

export class Brands extends Context.Tag("pod/Brands")<
  Brands,
  {
    readonly governed: RecordOperations<Brand>
    /**
     * Chooses a brand among the brands that the caller may read, and returns the kit of this brand. If there is no such
     * brand, fails with NotFound. The details of the failure say why.
     */
    readonly kit: (query: KitQuery) => Effect.Effect<BrandKit, NotFound | Forbidden, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const records = yield* Records

      /** Fails if the write would make a second default brand in a space. */
      const comparison: Comparison<Brand> = {
        comparedGroup: ({ isDefault }, { action, object }) =>
          isDefault === true && action !== "delete" ? `default brand of ${object.spaceId}` : undefined,
        check: Effect.fnUntraced(function* (_fields, { object, targetId }) {
          const defaults = yield* everyRecord(records, Brand, { where: { isDefault: true }, spaces: [object.spaceId] })
          if (defaults.some(({ id }) => id !== targetId)) return yield* defaultTaken
        })
      }

      return {
        governed: yield* governedRecords(Brand, { comparison }),
        kit: Effect.fnUntraced(function* ({ format, projectId, workspaceId }) {
          const spaces = yield* requestedSpaces(workspaceId)
          const chosen = chooseBrand(yield* everyRecord(records, Brand, { spaces }), projectId)
          if (Either.isLeft(chosen)) {
            const { message, reason, workspaceId: looked } = chosen.left
            return yield* new NotFound({
              why: "There is no brand for this request, or this credential has no access to it.",
              details: {
                reason,
                message,
                brandWorkspaceId: workspaceId ?? looked,
                projectId: projectId ?? null
              }
            })
          }
          const { brand, via } = chosen.right
          return {
            format,
            ...kitContent(brand, format),
            brandWorkspaceId: brand.workspaceId,
            brandIdentityId: brand.id,
            projectId: projectId ?? null,
            resolvedVia: via
          }
        })
      }
    })
  )
}
