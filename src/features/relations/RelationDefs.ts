/**
 * The service of relation definitions. A definition gives the meaning of a relation type, and the kinds of entity that
 * relations of the type can link.
 */
import { Context, Effect, Layer } from "effect"
import { Conflict, type Forbidden, invalid, type Invalid } from "../../doors/Failure.ts"
import { Reach, systemReach } from "../../doors/Reach.ts"
import { governedRecords } from "../records/GovernedRecords.ts"
import type { RecordOperations } from "../records/RecordOperations.ts"
import { Records } from "../records/Records.ts"
import { builtInTypes, endOfWrongKind, RelationDef, type RelationType } from "./RelationDef.ts"

// The maximum number of definitions in one list. Several spaces can define the same slug.
const typesMax = 500

export class RelationDefs extends Context.Tag("pod/RelationDefs")<
  RelationDefs,
  RecordOperations<RelationDef> & {
    /**
     * Lists the built-in relation types and the defined relation types. The definitions come from the given workspace.
     * Without a workspace, they come from all spaces in which the caller may read definitions.
     */
    readonly types: (workspaceId?: string) => Effect.Effect<ReadonlyArray<RelationType>, Forbidden, Reach>
    /** Finds the definitions of these relation types that the caller may read. */
    readonly meanings: (slugs: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<RelationDef>, never, Reach>
    /**
     * Finds the definition of a relation type in a space, or returns null. Also finds a definition that the caller's
     * key may not read, because every relation must follow the definition.
     */
    readonly definitionFor: (slug: string, spaceId: string) => Effect.Effect<RelationDef | null, never, Reach>
    /**
     * Checks the kinds of the entities at the ends of a relation. Fails with Invalid if the space's definition of the
     * relation type does not allow these kinds.
     */
    readonly allows: (
      slug: string,
      spaceId: string,
      sourceKind: string,
      targetKind: string
    ) => Effect.Effect<void, Invalid, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const records = yield* Records

      const ruling = (slug: string, spaceId: string) =>
        Effect.flatMap(Reach, ({ origin, principal }) =>
          Effect.provideService(
            Effect.map(
              records.list(RelationDef, { where: { slug }, spaces: [spaceId], limit: 1 }),
              ({ items: [def] }) => def ?? null
            ),
            Reach,
            systemReach("what a type of relation allows", principal.personId, [spaceId], origin)
          )
        )

      const defs = yield* governedRecords(RelationDef, {
        comparison: {
          comparedGroup: ({ slug }, { action, object }) =>
            action === "create" && slug !== undefined ? `relation type ${slug} of ${object.spaceId}` : undefined,
          check: Effect.fnUntraced(function* ({ slug = "" }, { object }) {
            const isKnown = builtInTypes.some((known) => known.slug === slug)
            if (isKnown || (yield* ruling(slug, object.spaceId)) !== null) {
              return yield* new Conflict({
                code: "SLUG_TAKEN",
                why: `This space already has a definition of the relation type ${slug}. Change that definition.`
              })
            }
          })
        }
      })

      return {
        ...defs,
        definitionFor: ruling,
        types: (workspaceId) =>
          Effect.map(defs.list({ workspaceId, limit: typesMax }), ({ items }) => [
            ...builtInTypes,
            ...items.map(({ description, displayName, inverseLabel, isDirectional, slug, workspaceId }) => ({
              slug,
              displayName,
              description,
              isDirectional,
              inverseLabel,
              workspaceId
            }))
          ]),
        meanings: (slugs) =>
          Effect.map(records.list(RelationDef, { where: { slug: slugs }, limit: typesMax }), ({ items }) => items),
        allows: Effect.fnUntraced(function* (slug, spaceId, sourceKind, targetKind) {
          const def = yield* ruling(slug, spaceId)
          const misplaced = def === null ? null : endOfWrongKind(def, sourceKind, targetKind)
          if (misplaced === null) return
          const { end, kinds } = misplaced
          const allowed = kinds.length === 0 ? "another kind" : kinds.join(" or ")
          return yield* invalid(
            `${end}EntityId`,
            `The ${end} of a relation of the type ${slug} must be an entity of the kind ${allowed}.`
          )
        })
      }
    })
  )
}
