/** The Hub endpoints of rules (specification §4.5). No route reads a single rule. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { read, write } from "../../doors/Declare.ts"
import { fullGrant, self, writes } from "../../doors/Door.ts"
import { pagedStruct } from "../../doors/Page.ts"
import { Automation } from "./Automation.ts"
import { Classification } from "./Classify.ts"
import { AutomationRule, AutomationRuleDraft, AutomationRuleQuery, Sentence } from "./AutomationRule.ts"
import { example, WorkspaceId, described } from "../../doors/Fields.ts"

const textMax = 10_000 // characters; to classify them takes about 40 ms
const names = Schema.Array(Schema.String.pipe(Schema.maxLength(200))).pipe(Schema.maxItems(500))

const ClassifyRequest = example(
  Schema.Struct({
    text: described("The words.", Schema.String.pipe(Schema.minLength(1), Schema.maxLength(textMax))),
    context: described(
      "The available actions and kinds. A text that names one of them is understood better.",
      Schema.optional(
        Schema.Struct({
          capabilities: described("What the agent may write.", Schema.optional(names)),
          profiles: described("The kinds it holds.", Schema.optional(names))
        })
      )
    )
  }).annotations({ identifier: "RuleClassifyRequest" }),
  { text: "Whenever a task is created, notify me." }
)

const ParseRequest = example(
  Schema.Struct({
    text: described("The words.", Schema.String.pipe(Schema.minLength(1), Schema.maxLength(2000))),
    workspaceId: Schema.optional(Schema.NullOr(WorkspaceId))
  }).annotations({ identifier: "RuleParseRequest" }),
  { text: "Whenever a task is created, notify me." }
)

/** A text read as a rule. `refused` says why a text that describes an automation has none. */
const ParsedRule = Schema.Struct({
  classification: described("What kind of rule the words make.", Classification),
  sentence: described("The rule in its three clauses.", Schema.NullOr(Sentence)),
  automation: described("What would carry it out.", Schema.NullOr(Automation)),
  refused: described(
    "What could not be read.",
    Schema.NullOr(
      Schema.Struct({
        clause: described("The clause it is about.", Schema.Literal("when", "where", "then")),
        why: described("The reason, for people.", Schema.String)
      })
    )
  ),
  intent: described("What it is for, in plain words.", Schema.String)
}).annotations({ identifier: "ParsedRule" })

// These operations only read the given text and store nothing, so a grant has nothing to limit.
const asking = self("hub-protocol.read")

export const AutomationRuleApi = HttpApiGroup.make("rules")
  .annotate(OpenApi.Description, "Things to know, or to do each time an event happens, in words and compiled.")
  .add(
    read("rules.classify", {
      method: "POST",
      path: "/rules/classify",
      payload: ClassifyRequest,
      success: Classification,
      door: asking,
      summary: "Classify a text: a fact, a behaviour, a schedule, or a request for now. It stores nothing."
    })
  )
  .add(
    read("rules.parse", {
      method: "POST",
      path: "/rules/parse",
      payload: ParseRequest,
      success: ParsedRule,
      door: asking,
      summary: "Read a text as a rule: its sentence and its automation, or why it cannot be read. It stores nothing."
    })
  )
  .add(
    read("rules.list", {
      path: "/rules",
      query: AutomationRuleQuery,
      success: pagedStruct(Schema.Struct({ rules: described("The rules there are.", Schema.Array(AutomationRule)) })),
      door: fullGrant("hub-protocol.read"),
      summary:
        "List the rules the caller may read, newest first; with includeProposed also those that wait for approval."
    })
  )
  .add(
    write("rules.create", {
      method: "POST",
      path: "/rules",
      payload: AutomationRuleDraft,
      success: Schema.Struct({
        status: Schema.Literal("created"),
        ruleId: described("The rule it is about.", Schema.UUID)
      }),
      door: writes("hub-protocol.write", "rule", ["create"]),
      summary: "Create a rule. Its sentence, if given, is compiled, or refused with the clause that cannot be read."
    })
  )
