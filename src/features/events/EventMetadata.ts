/**
 * The metadata of an event: its kind, and the fields that the metadata of each known kind must have (specification §2.9
 * and §6.1).
 */
import { closedSchema } from "../../doors/Declaration.ts"
import { Either, Schema } from "effect"
import { JsonObject, JsonObjectInput, described } from "../../doors/Fields.ts"
import { localOperator } from "../../doors/Principal.ts"
import { decoderOf, faultsOf } from "../../doors/Faults.ts"
import { keysOf } from "../../platform/OwnKeys.ts"

// An id or a name, which can come from another system.
const Name = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(500))

/**
 * For each known kind of metadata, the fields that readers need. The pod checks only these fields. The client can add
 * other fields at every level of the metadata.
 */
const fieldsOf = {
  ai: Schema.Struct({
    agent: Name,
    confidence: Schema.optional(Schema.Struct({ score: Schema.Number.pipe(Schema.between(0, 1)) })),
    extraction: Schema.optional(
      Schema.Struct({
        extractedFrom: Schema.optional(
          Schema.Struct({ messageId: Schema.optional(Name), threadId: Schema.optional(Name) })
        ),
        method: Schema.optional(Name)
      })
    )
  }),
  import: Schema.Struct({ sourceSystem: Name, externalId: Schema.optional(Name) }),
  sync: Schema.Struct({ deviceId: Name, platform: Schema.optional(Name), offline: Schema.optional(Schema.Boolean) }),
  automation: Schema.Struct({ ruleId: Name, executionContext: Schema.optional(JsonObject) })
} as const

type KnownKind = keyof typeof fieldsOf
export const knownKinds = keysOf(fieldsOf)

const isKnown = (kind: unknown): kind is KnownKind => typeof kind === "string" && Object.hasOwn(fieldsOf, kind)

export const MetadataKind = Schema.Literal("ai", "import", "sync", "automation", "custom")
export type MetadataKind = typeof MetadataKind.Type

type Metadata = Readonly<Record<string, unknown>>

/**
 * Returns the kind of metadata. If the kind is unknown or missing, returns `custom`. Returns null if there is no
 * metadata.
 */
export const metadataKindOf = (metadata: Metadata | undefined): MetadataKind | null =>
  metadata === undefined ? null : isKnown(metadata["kind"]) ? metadata["kind"] : "custom"

/**
 * Returns the agent that metadata of kind `ai` names as the author. Returns undefined for metadata of any other kind.
 */
export const claimedAgent = (metadata: Metadata | undefined): string | undefined =>
  metadataKindOf(metadata) === "ai" ? String(metadata?.["agent"]) : undefined

const decoders = new Map(knownKinds.map((kind) => [kind, decoderOf(closedSchema(fieldsOf[kind]))]))

/**
 * Returns the known kind that looks to a person like the given kind. The two kinds differ only in letter case, in
 * spaces at the ends, or in the Unicode form. Returns undefined if the given kind is itself a known kind, or if no
 * known kind looks like it.
 */
const lookalike = (kind: unknown): KnownKind | undefined => {
  const read = typeof kind === "string" ? kind.normalize("NFKC").trim().toLowerCase() : undefined
  return read !== kind && isKnown(read) ? read : undefined
}

/**
 * The metadata kind of events that probes cause. Callers can read these events, but the events start no further work.
 */
export const probeKind = "probe"
export const isOfProbe = ({ metadata }: { readonly metadata?: Metadata | null | undefined }): boolean =>
  metadata?.["kind"] === probeKind

/** The pod adds this metadata to every event that the local operator causes. */
export const operatorMetadata = { origin: localOperator } as const

/** Checks metadata by the rules of its kind, and returns the faults. */
const faultsIn = (metadata: Metadata) => {
  const { kind, origin } = metadata
  if (origin === localOperator)
    return [{ path: ["origin"], message: "Only the pod may set this origin. Use another origin." }]
  if (kind === probeKind) return [{ path: ["kind"], message: "Only the pod may set this kind. Use another kind." }]
  const nearKind = lookalike(kind)
  if (nearKind !== undefined)
    return [
      { path: ["kind"], message: `Write this kind exactly as "${nearKind}", or use a word that does not look like it.` }
    ]
  const decoded = isKnown(kind) ? decoders.get(kind)?.(metadata) : undefined
  return decoded === undefined || Either.isRight(decoded)
    ? []
    : faultsOf(decoded.left).map(({ message, path }) => ({ path: path === "" ? [] : path.split("."), message }))
}

export const MetadataInput = described(
  "Data that the client stores with the event. For some kinds the pod checks these fields: `ai` (`agent`, `confidence.score`, `extraction`), `import` (`sourceSystem`, `externalId`), " +
    "`sync` (`deviceId`, `platform`, `offline`), `automation` (`ruleId`, `executionContext`). Any other `kind` is allowed too.",
  JsonObjectInput.pipe(Schema.filter(faultsIn, { jsonSchema: {} }))
)
