/**
 * The table of record types in the graph. For each type, it names the field with the name of a record, the field with
 * the subtype, and the fields that refer to other objects.
 */
import { Artifact } from "../artifacts/Artifact.ts"
import { AutomationRuleRecord } from "../automations/AutomationRule.ts"
import { Command } from "../commands/Command.ts"
import { Channel } from "../conversations/Channel.ts"
import { Thread } from "../conversations/Thread.ts"
import { DocumentHead } from "../documents/Document.ts"
import { FocusSession } from "../focusSessions/FocusSession.ts"
import { Project } from "../projects/Project.ts"
import { type Common, fieldOf, type RecordType } from "../records/RecordType.ts"
import { Skill } from "../skills/Skill.ts"
import { Track } from "../tracks/Track.ts"
import { View } from "../views/View.ts"
import type { GraphKind, GraphNode, Neighbor, Via } from "./GraphNode.ts"

export type RecordKind = Exclude<GraphKind, "entity">

/** A field that contains the id of another object. */
export interface Reference {
  readonly field: string
  /** The possible kinds of the other object, or the name of the field that contains the kind of the other object. */
  readonly to: ReadonlyArray<GraphKind> | { readonly kindField: string }
  readonly edgeType: string
  readonly via: Via
  /** True if the record is a part of the other object. */
  readonly isStructural?: true
}

export interface KindOfRecord {
  readonly kind: RecordKind
  readonly type: RecordType<Common>
  /** The field that contains the name of the record. */
  readonly name: string
  /** The field that contains the subtype of the record. Null if the kind has no subtypes. */
  readonly subtype: string | null
  readonly references: ReadonlyArray<Reference>
  /** The fields from which the graph makes a node and its edges. */
  readonly read: ReadonlyArray<string>
}

const context: Reference = {
  field: "contextObjectId",
  to: { kindField: "contextObjectType" },
  edgeType: "about",
  via: "channel"
}

const inProject: Reference = {
  field: "projectId",
  to: ["project"],
  edgeType: "in_project",
  via: "links",
  isStructural: true
}

/**
 * Makes an entry of the table. The type of the table does not contain the fields of each record type, so `fieldOf`
 * reads a field by its name.
 */
const kindOf = <A extends Common>(
  kind: RecordKind,
  type: RecordType<A>,
  { name, references = [], subtype = null }: { readonly name: string } & Partial<KindOfRecord>
): KindOfRecord => {
  const named = references.flatMap(({ field, to }) => ("kindField" in to ? [field, to.kindField] : [field]))
  const read = [...new Set([name, ...(subtype === null ? [] : [subtype]), ...named])]
  return { kind, type: type as unknown as RecordType<Common>, name, subtype, references, read }
}

export const recordKinds: ReadonlyArray<KindOfRecord> = [
  kindOf("document", DocumentHead, {
    name: "title",
    subtype: "type",
    references: [{ field: "entityId", to: ["entity"], edgeType: "about", via: "links" }, inProject]
  }),
  kindOf("project", Project, { name: "name" }),
  kindOf("view", View, { name: "name", subtype: "type" }),
  kindOf("channel", Channel, { name: "title", subtype: "type", references: [context] }),
  kindOf("thread", Thread, {
    name: "title",
    references: [
      {
        field: "parentChannelId",
        to: ["channel", "thread"],
        edgeType: "in_channel",
        via: "channel",
        isStructural: true
      },
      context
    ]
  }),
  kindOf("session", FocusSession, {
    name: "goal",
    references: [{ field: "channelId", to: ["channel", "thread"], edgeType: "talks_in", via: "session" }]
  }),
  kindOf("automation", AutomationRuleRecord, { name: "name" }),
  kindOf("command", Command, { name: "name" }),
  kindOf("skill", Skill, { name: "name", subtype: "scope" }),
  kindOf("track", Track, { name: "name", references: [inProject] }),
  kindOf("artifact", Artifact, {
    name: "title",
    subtype: "kind",
    references: [
      { field: "sessionId", to: ["session"], edgeType: "made_in", via: "session" },
      { field: "refId", to: { kindField: "kind" }, edgeType: "shows", via: "links" }
    ]
  })
]

const byKind = new Map(recordKinds.map((each) => [each.kind, each]))

/** Returns the entry of a kind in the table of record types. Every kind except `entity` has an entry. */
export const recordKind = (kind: RecordKind): KindOfRecord => byKind.get(kind)!

const textOrNull = (value: unknown) => (typeof value === "string" && value !== "" ? value : null)

export const nodeOfRecord = ({ kind, name, subtype }: KindOfRecord, record: Common): GraphNode => {
  const sort = subtype === null ? null : textOrNull(fieldOf(record, subtype))
  return {
    kind,
    id: record.id,
    name: textOrNull(fieldOf(record, name)),
    subtype: sort,
    subtypes: sort === null ? [] : [sort],
    workspaceId: record.workspaceId
  }
}

/** Maps a text to a kind of the graph. The text is the name of the kind, or the name of the kind's record type. */
const kindNamed = new Map<unknown, GraphKind>([
  ["entity", "entity"],
  ...recordKinds.flatMap(({ kind, type }) => [[kind, kind] as const, [type.name, kind] as const])
])

/** Returns the possible kinds of the object to which this reference of a record leads. */
export const targetsOf = ({ to }: Reference, record: Common): ReadonlyArray<GraphKind> => {
  if (!("kindField" in to)) return to
  const kind = kindNamed.get(fieldOf(record, to.kindField))
  return kind === undefined ? [] : [kind]
}

export const canLeadTo = ({ to }: Reference, kind: GraphKind): boolean => "kindField" in to || to.includes(kind)

/**
 * Makes the edge of a reference. Its direction is `outgoing` for the record that has the reference, and `incoming` for
 * the object to which the reference leads.
 */
export const edgeOf = (
  { edgeType, isStructural, via }: Reference,
  seen: "outgoing" | "incoming"
): Pick<Neighbor, "edgeType" | "direction" | "via"> => ({
  edgeType,
  direction: isStructural === true ? "structural" : seen,
  via
})
