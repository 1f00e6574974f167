/**
 * Places that are allowed to break a house rule, each with its reason. The test fails if an exception matches no place
 * in the code.
 */
import type { LongFile } from "./support/houseLength.ts"
import type { Exception } from "./support/houseRules.ts"

const ungoverned = "an SQL statement on a table with row-level security has the authority prefix"
const wordless = "an SQL statement that writes a table with row-level security needs a decision of the gate"
const waiting = "a test waits for events and not for time"
const named = "a declared name says what the thing is, and is not a word such as `held` or `told`"
const unordered =
  "an SQL statement with a `LIMIT` sorts its rows, and its order ends with an id or another unique column"

export const exceptions: ReadonlyArray<Exception> = [
  {
    rule: "features call other servers by `guardedFetch` or `outboundCalls`",
    file: "src/features/federation/IssuerKeys.ts",
    what: "fetch(",
    why: "Calls only the own address of an issuer that the operator names in the settings, which may be in the own network."
  },
  {
    rule: unordered,
    file: "src/features/entities/EntityCountSql.ts",
    what: "SELECT filing.id, filing.space_id, filin LIMIT",
    why: "The loop over the sorted projects gives the order. With ORDER BY, the statement would read all pairs of all projects."
  },
  {
    rule: unordered,
    file: "src/features/projects/WorkspaceUseSql.ts",
    what: "SELECT used.id FROM step LIMIT",
    why: "The recursion steps through an index and gives the order. With ORDER BY, it would take all steps."
  },
  {
    rule: unordered,
    file: "src/platform/jobs/JobSql.ts",
    what: "SELECT job.state FROM pgboss.job job WHE LIMIT",
    why: "A count of the jobs by their state, for figures. Which of a hundred thousand jobs it leaves out says nothing."
  },
  {
    rule: waiting,
    file: "test/long/packedPod.test.ts",
    what: "setTimeout",
    why: "Asks /readyz of a program that writes nothing to wait for: npm start builds before the pod prints a line."
  },
  {
    rule: waiting,
    file: "test/long/commandExamples.test.ts",
    what: "setTimeout",
    why: "Interrupts the commands that run until they are interrupted, as a person does after a while."
  },
  {
    rule: named,
    file: "src/features/notifications/NotificationSql.ts",
    what: "held",
    why: "The key of a table by the states of a notification, which the wire names."
  },
  {
    rule: named,
    file: "src/doors/RepeatableTool.ts",
    what: "made",
    why: "A field of the stored results of tools, which an earlier version may have written."
  },
  {
    rule: named,
    file: "src/features/automations/FiringRow.ts",
    what: "made",
    why: "A column of a table."
  },
  ...["Settlement", "StoredProposal"].map((file) => ({
    rule: named,
    file: `src/features/proposals/${file}.ts`,
    what: "made",
    why: "A field of the stored results of approvals."
  })),
  ...["SampleApi", "Samples"].map((file) => ({
    rule: named,
    file: `src/features/samples/${file}.ts`,
    what: "kept",
    why: "A field of an answer, which clients read."
  })),
  {
    rule: "doors, surfaces and writes of records do not use `Effect.provide` around a call",
    file: "src/doors/Attempts.ts",
    what: "Effect.provideService",
    why: "The way of the calls that do not start as the fiber of a remembered caller: repeated writes and second attempts."
  },
  {
    rule: "doors, surfaces and writes of records do not use `Effect.provide` around a call",
    file: "src/doors/PublicCall.ts",
    what: "Effect.provideService",
    why: "The way of public calls, which do not start as the fiber of a remembered caller."
  },
  {
    rule: "doors, surfaces and writes of records do not use `Effect.provide` around a call",
    file: "src/doors/CallRunner.ts",
    what: "Effect.provideService",
    why: "The span of a call that does not start as such a fiber, where spans are collected."
  },
  {
    rule: "doors, surfaces and writes of records do not use `Effect.provide` around a call",
    file: "src/features/gate/References.ts",
    what: "Effect.provideService",
    why: "Only for a reference to a record that the caller may not read: then the check looks again with the right to update it."
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
  ...["search_vector_heads", "search_vectors"].map((what) => ({
    rule: wordless,
    file: "src/features/search/VectorSql.ts",
    what,
    why: "A model makes vectors of rows that the gate allowed. They say nothing that those rows do not say, and are made again at will."
  })),
  {
    rule: wordless,
    file: "src/features/events/EventCursorSql.ts",
    what: "event_cursors",
    why: "How far the pod itself has read a log says nothing of what the log reports."
  },
  ...["CallSql", "DeliverySql"].flatMap((name) =>
    ["webhook_deliveries", "webhook_states"].map((what) => ({
      rule: wordless,
      file: `src/features/webhooks/${name}.ts`,
      what,
      why: "The calls that a webhook causes, which the gate allowed when it was made. An event for each call would cause further calls."
    }))
  ),
  ...["automation_firings", "automation_runs"].map((what) => ({
    rule: wordless,
    file: "src/features/automations/AutomationSql.ts",
    what,
    why: "The pod's own notes on the runs of a rule, which the gate allowed when it was made. What a run writes passes the gate."
  })),
  {
    rule: wordless,
    file: "src/features/proactive/PostCountSql.ts",
    what: "proactive_posts",
    why: "A count for a limit. The message that is counted passes the gate in the same transaction."
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
    rule: waiting,
    file: "test/support/aMoment.ts",
    what: "setTimeout",
    why: "The pause of loops that look again, where no event tells the test of a change. Without it they take the processor from the pod."
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
  }
]

/** Long files that are not split, because each describes one thing. */
export const longForAReason: ReadonlyArray<LongFile> = [
  {
    file: "test/features/invitations/invitationStore.contract.ts",
    why: "One contract: all that a store of invitations must do, in rules that share one scene."
  },
  {
    file: "test/features/workspaces/memberStore.contract.ts",
    why: "One contract: all that a store of members must do, in rules that share one scene."
  },
  {
    file: "test/features/keys/keyStore.contract.ts",
    why: "One contract: all that a store of keys must do, in rules that share one scene."
  },
  {
    file: "test/features/access/furtherStoreCalls.ts",
    why: "One table with a call of each method of these stores, whose type makes it complete."
  },
  {
    file: "test/features/memory/memoryFlow.test.ts",
    why: "One story: the memory of one person over HTTP, with helpers that every step uses."
  },
  {
    file: "test/doors/rungByRung.test.ts",
    why: "One table of examples, one row for each rung of the gate."
  },
  {
    file: "test/features/graph/graphFlow.test.ts",
    why: "The operations of one graph, asked about one scene that takes long to build."
  },
  {
    file: "test/features/events/eventLog.contract.ts",
    why: "One contract: all that an event log must do, in rules that share one scene."
  },
  {
    file: "test/platform/models/languageModel.test.ts",
    why: "One client, tried against every answer that a model service can give."
  },
  {
    file: "test/features/preview/preview.test.ts",
    why: "One preview of a grant, compared with what the same grant then allows."
  },
  {
    file: "test/attacks/automationReach.test.ts",
    why: "One list of attacks on the reach of automation rules, which share one scene."
  },
  {
    file: "test/features/proposals/proposalFlow.test.ts",
    why: "One story: the life of a proposal from its filing to its revert."
  },
  {
    file: "test/features/workspaces/workspaceSettings.test.ts",
    why: "The settings of one workspace; each test changes them in one shared pod."
  },
  {
    file: "test/console/consoleInbox.test.ts",
    why: "One screen of the console, in one browser and one pod that start once."
  },
  {
    file: "test/console/consoleKeys.test.ts",
    why: "One screen of the console, in one browser and one pod that start once."
  },
  {
    file: "test/features/entities/entityStore.contract.ts",
    why: "One contract: all that a store of entities must do, in rules that share one scene."
  },
  {
    file: "test/features/entities/entityHistory.contract.ts",
    why: "One contract: all that the history of entities must do, in rules that share one scene."
  },
  {
    file: "test/features/knowledge/knowledgeStore.contract.ts",
    why: "One contract: all that a store of knowledge must do, in rules that share one scene."
  },
  {
    file: "test/features/proposals/proposalStore.contract.ts",
    why: "One contract: all that a store of proposals must do, in rules that share one scene."
  },
  {
    file: "test/features/notifications/notifications.test.ts",
    why: "One feature, tried over HTTP in one scene of people and workspaces."
  },
  {
    file: "test/features/figures/podProcedures.test.ts",
    why: "One list of the procedures that tell clients about a pod: two or three tests for each, on one shared pod."
  },
  {
    file: "test/features/access/rowLevelSecurity.test.ts",
    why: "One net, tried table by table with the same rows and roles."
  },
  {
    file: "test/surfaces/openapiSuccess.test.ts",
    why: "One walk through the operations; its tables give each operation its input."
  },
  {
    file: "test/platform/signIn.test.ts",
    why: "One contract of the sign-in, run on memory and on SQL, with the checks of its tables."
  },
  {
    file: "test/doors/model.ts",
    why: "One independent model of the access rules; a part of it would decide nothing alone."
  },
  {
    file: "test/doors/visibility.test.ts",
    why: "One law: each answer is what the model expects; its generators and its check belong together."
  },
  {
    file: "test/doors/typedFailures.test.ts",
    why: "One table of declarations with the errors of each; the compiler checks all of it against the tests."
  }
]
