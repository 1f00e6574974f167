/** What breaks a rule of the house and stands for a reason. A line that excuses nothing any more fails the test. */
import type { Exception } from "./support/houseRules.ts"

const crossing = "another feature is asked through its service or its record"
const ungoverned = "a statement on a governed table carries its authority"
const unbounded = "a statement on a governed table says which rows it may touch"
const wordless = "a statement that writes a governed table carries the gate's word"
const waiting = "a test waits for an event and never for a while"
const people = "src/features/people/PeopleStore.ts"

export const exceptions: ReadonlyArray<Exception> = [
  {
    rule: crossing,
    file: "src/features/attachments/AttachmentStore.ts",
    what: "src/features/entities/EntityStore.ts",
    why: "The twin in memory asks whether an entity is there where the statement reads its table."
  },
  {
    rule: crossing,
    file: "src/features/workspaces/WorkspaceStore.ts",
    what: people,
    why: "The twin in memory adds a membership where the statement inserts a row: MemoryUsers stands for that table."
  },
  {
    rule: crossing,
    file: "src/features/digest/DigestStore.ts",
    what: "src/features/entities/EntityStore.ts",
    why: "The twin in memory counts entities where the statement reads their table."
  },
  {
    rule: crossing,
    file: "src/features/projects/WorkspaceUseMemory.ts",
    what: "src/features/entities/EntityStore.ts",
    why: "The twin in memory counts entities where the statement reads their table."
  },
  {
    rule: crossing,
    file: "src/features/projects/ProjectMemberStore.ts",
    what: "src/features/entities/EntityStore.ts",
    why: "The twin in memory asks whether an entity is there where the statement reads its table."
  },
  {
    rule: crossing,
    file: "src/features/relations/RelationStore.ts",
    what: "src/features/entities/EntityStore.ts",
    why: "The twin in memory looks at both ends where the statement reads their table."
  },
  {
    rule: crossing,
    file: "src/features/projection/ProjectionStore.ts",
    what: "src/features/entities/EntityStore.ts",
    why: "The twin in memory looks through the entities where the statement reads their table."
  },
  {
    rule: crossing,
    file: "src/features/projection/ProjectionStore.ts",
    what: "src/features/workspaces/WorkspaceStore.ts",
    why: "The twin in memory asks what the workspace lets out where the same statement reads it."
  },
  {
    rule: "only the Pod chooses the database",
    file: "src/features/entities/EntitySql.ts",
    what: "src/features/entities/NarrowingSql.ts",
    why: "Parts of the same statements, and no database to choose: together they pass the length of a file."
  },
  {
    rule: "only the Pod chooses the database",
    file: "src/features/relations/RelationSql.ts",
    what: "src/features/relations/EdgeSql.ts",
    why: "Parts of the same statements, and no database to choose: together they pass the length of a file."
  },
  {
    rule: "a file has no more than 300 lines",
    file: "src/features/proposals/Proposal.ts",
    what: "its length",
    why: "A table of declarations: every field of a proposal on its lines, with what it means."
  },
  {
    rule: wordless,
    file: "src/features/knowledge/KnowledgeSql.ts",
    what: "knowledge_entries",
    why: "One fragment of the same file appends the event and the version of every write of an entry."
  },
  {
    rule: wordless,
    file: "src/features/workspaces/WorkspaceSql.ts",
    what: "spaces",
    why: "The same transaction appends the event of the new workspace, under the word that the method takes."
  },
  {
    rule: wordless,
    file: "src/features/workspaces/WorkspaceSql.ts",
    what: "memberships",
    why: "The membership of its owner is made with the workspace, in the transaction that appends its event."
  },
  {
    rule: ungoverned,
    file: "src/features/people/PeopleSql.ts",
    what: "spaces",
    why: "A new person has no credential yet; the transaction sets their own space as its only one."
  },
  {
    rule: ungoverned,
    file: "src/features/people/PeopleSql.ts",
    what: "memberships",
    why: "A new person as above; and what bounds a credential is read before there is a reach, for that person alone."
  },
  {
    rule: unbounded,
    file: "src/features/events/EventSql.ts",
    what: "events",
    why: "The predicate is the first of the conditions that the listing joins."
  },
  {
    rule: crossing,
    file: "src/features/governance/PolicyStore.ts",
    what: people,
    why: "The twin in memory asks of agents what the statement reads of the users and memberships."
  },
  {
    rule: unbounded,
    file: "src/features/proposals/ProposalSql.ts",
    what: "proposals",
    why: "The predicate stands in `visible`, which every reading statement carries; settling and joining name the space."
  },
  {
    rule: waiting,
    file: "test/support/postgresCluster.ts",
    what: "setTimeout",
    why: "A server that starts announces it to nobody: it is asked again until it answers."
  },
  {
    rule: waiting,
    file: "test/support/build.ts",
    what: "setTimeout",
    why: "Another process builds the same files: whether it is done can only be looked up again."
  },
  {
    rule: waiting,
    file: "test/support/faultProxy.ts",
    what: "setTimeout",
    why: "A slow line is what it plays."
  },
  {
    rule: waiting,
    file: "test/wire/limits.test.ts",
    what: "setTimeout",
    why: "The window of the allowance is a minute of the running pod's own clock; only its end can be let go by."
  },
  {
    rule: waiting,
    file: "test/long/kill.test.ts",
    what: "setTimeout",
    why: "The moments of a start at which it is killed are what is tried; none has an event."
  },
  {
    rule: waiting,
    file: "test/attacks/heldRevocation.test.ts",
    what: "setTimeout",
    why: "Looks again until the database shows a waiting statement or a revoked key: neither is an event of this process."
  },
  {
    rule: waiting,
    file: "test/platform/firstStarts.test.ts",
    what: "setTimeout",
    why: "Looks again until the database shows a statement that waits for a lock."
  },
  {
    rule: waiting,
    file: "test/process/lifecycle.test.ts",
    what: "setTimeout",
    why: "Looks again until the process has written the line: its output is no event of this process."
  },
  {
    rule: waiting,
    file: "test/process/revocation.test.ts",
    what: "setTimeout",
    why: "Looks again until the server shows two statements waiting: it tells nobody when they do."
  }
]
