/**
 * Calls the record store with the access rights of a given caller, and returns answers that are easy to compare. Also
 * defines record types over the table `tracks` for tests.
 */
import { assert } from "@effect/vitest"
import { Effect, Schema, Struct } from "effect"
import { JsonObject } from "../../../src/doors/Fields.ts"
import type { ReachShape } from "../../../src/doors/Reach.ts"
import { type Listing, Records } from "../../../src/features/records/Records.ts"
import { type OwnFields, type RecordType, recordType } from "../../../src/features/records/RecordType.ts"
import { Track } from "../../../src/features/tracks/Track.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { withReach } from "../../support/stores.ts"
import { aPassed } from "../../support/passed.ts"

type OwnTrack = OwnFields<Track>

const fields = {
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  status: Schema.Literal("active", "paused", "completed", "archived"),
  projectId: Schema.NullOr(Schema.UUID),
  settings: JsonObject
}
const overTracks = { identifier: "TestTrack", subject: "track", table: "tracks", fields } as const

/** A record type over the table `tracks`. Every record is private to the person who owns it. */
export const OwnTracks = recordType("test-own-track", { ...overTracks, visibility: "own" })
/**
 * A record type over the table `tracks`. A record with the description `secret` is private to the person who owns it.
 */
export const SecretTracks = recordType("test-secret-track", {
  ...overTracks,
  visibility: { field: "description", own: "secret" }
})
/** A record type over the table `tracks`. Listings have the order in which the records were created. */
export const MadeTracks = recordType("test-made-track", { ...overTracks, order: "created" })

/** A record type over the table `tracks`. The events of its writes have the names of the records. */
export const AuditedTracks = recordType("test-audited-track", {
  ...overTracks,
  visibility: "own",
  recordedValues: ["name", "settings"]
})

export type AnyTrack = RecordType<Track>
/** The record type that the pod uses for tracks. It has the same fields as the record types above. */
export const Tracks: AnyTrack = Track

const eventOf = (id: string, verb: string) => ({
  type: `track.${verb}`,
  subjectId: id,
  data: { fields: [verb] }
})

export interface NewTrack {
  readonly spaceId: string
  readonly id?: string
  readonly fields?: Partial<OwnTrack>
}

export const aTrack = (made: Partial<OwnTrack> = {}): OwnTrack => ({
  name: "track",
  description: null,
  status: "active",
  projectId: null,
  settings: {},
  ...made
})

const tagged = Effect.catchAll(({ _tag }: { readonly _tag: string }) => Effect.succeed(_tag))

export const addRecord = (
  reach: ReachShape,
  { fields: given, id = uuidv7(), spaceId }: NewTrack,
  type: AnyTrack = Tracks
) =>
  Effect.flatMap(Records, ({ add }) =>
    withReach(reach)(add(type, { id, spaceId, fields: aTrack(given) }, eventOf(id, "create"), aPassed))
  )

/**
 * Returns the record, or null if this caller may not read it. Asserts that a read of some fields by ids finds the same
 * record.
 */
export const getRecord = (reach: ReachShape, id: string, type: AnyTrack = Tracks) =>
  Effect.gen(function* () {
    const { among, get } = yield* Records
    const found = yield* Effect.orElseSucceed(withReach(reach)(get(type, id)), () => null)
    const heads = yield* withReach(reach)(among(type, [id, id, uuidv7()], ["name"]))
    const names = ["id", "userId", "workspaceId", "version", "createdAt", "updatedAt", "name"] as const
    assert.deepStrictEqual(heads, found === null ? [] : [Struct.pick(found, ...names)])
    return found
  })

export const locateRecord = (reach: ReachShape, id: string, action: "update" | "delete", type: AnyTrack = Tracks) =>
  Effect.flatMap(Records, ({ locate }) => Effect.orElseSucceed(withReach(reach)(locate(type, id, action)), () => null))

interface Writing {
  /** The version that the change expects. If it is absent, the change applies to any version. */
  readonly from?: number
  readonly type?: AnyTrack
}

/** Changes the record. Returns the changed record, or the tag of the refusal. */
export const changeRecord = (
  reach: ReachShape,
  id: string,
  change: Partial<OwnTrack>,
  { from, type = Tracks }: Writing = {}
) =>
  Effect.flatMap(Records, (records) =>
    tagged(
      withReach(reach)(
        records.change(type, id, { fields: change, expectedVersion: from ?? null }, eventOf(id, "update"), aPassed)
      )
    )
  )

export const removeRecord = (reach: ReachShape, id: string, { from, type = Tracks }: Writing = {}) =>
  Effect.flatMap(Records, ({ remove }) =>
    tagged(withReach(reach)(remove(type, id, from ?? null, eventOf(id, "delete"), aPassed)))
  )

export const restoreRecord = (reach: ReachShape, id: string, { type = Tracks }: Writing = {}) =>
  Effect.flatMap(Records, ({ restore }) => tagged(withReach(reach)(restore(type, id, eventOf(id, "restore"), aPassed))))

type Asked = Partial<Listing<Track>> & { readonly type?: AnyTrack }

/** Returns a page of records, and the cursor of the next page. */
export const listRecords = (reach: ReachShape, { type = Tracks, ...listing }: Asked = {}) =>
  Effect.gen(function* () {
    const records = yield* Records
    const { items: found, next } = yield* withReach(reach)(records.list(type, { limit: 100, ...listing }))
    return { found, next: next ?? undefined }
  })

export const listIds = (reach: ReachShape, asked: Asked = {}) =>
  Effect.map(listRecords(reach, asked), (one) => one.found.map(({ id }) => id))

/** Returns the counts by space, as the store reports them. */
export const tallyRecords = (reach: ReachShape, type: AnyTrack = Tracks) =>
  Effect.flatMap(Records, ({ countBySpace }) => withReach(reach)(countBySpace(type))).pipe(
    Effect.map((tallies) => new Map(tallies.map(({ count, spaceId }) => [spaceId, count])))
  )

export const countRecords = (reach: ReachShape, { type = Tracks, ...asked }: Asked = {}) =>
  Effect.flatMap(Records, ({ count }) => withReach(reach)(count(type, asked)))
