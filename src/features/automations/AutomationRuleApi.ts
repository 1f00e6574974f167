/** The Hub endpoints of rules (specification §4.5). No route reads a single rule. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { read, write } from "../../doors/DeclareRest.ts"
import { fullGrantInSpaces, self, writes } from "../../doors/Door.ts"
import { Id } from "../../doors/Id.ts"
import { pagedStruct } from "../../doors/Page.ts"
import { Automation } from "./Automation.ts"
import { Classification } from "./Classify.ts"
import {
  AutomationRule,
  AutomationRuleChange,
  AutomationRuleDraft,
  AutomationRuleQuery,
  Sentence
} from "./AutomationRule.ts"
import { DeleteResponse, example, idPath, WorkspaceId, described } from "../../doors/Fields.ts"

// the maximum number of characters of a text to classify; the pod needs about 40 ms for such a text
const textMax = 10_000
const names = Schema.Array(Schema.String.pipe(Schema.maxLength(200))).pipe(Schema.maxItems(500))

const ClassifyRequest = example(
  Schema.Struct({
    text: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(textMax)),
    context: described(
      "Names of actions and entity kinds that the text might mention. They help the pod to understand the text.",
      Schema.optional(
        Schema.Struct({
          capabilities: described("Capabilities of the agent: what the agent may write.", Schema.optional(names)),
          profiles: described("Entity kinds (profile slugs) of the workspace.", Schema.optional(names))
        })
      )
    )
  }).annotations({ identifier: "RuleClassifyRequest" }),
  { text: "Whenever a task is created, notify me." }
)

const ParseRequest = example(
  Schema.Struct({
    text: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(2000)),
    workspaceId: Schema.optional(Schema.NullOr(WorkspaceId))
  }).annotations({ identifier: "RuleParseRequest" }),
  { text: "Whenever a task is created, notify me." }
)

/**
 * The result of reading a text as a rule. If the text describes an automation that the pod cannot compile, `refused`
 * says why.
 */
const ParsedRule = Schema.Struct({
  classification: described(
    "What the text is: a fact, an action for certain events or times, or a request to act once.",
    Classification
  ),
  sentence: described("Sentence of the rule, with its clauses.", Schema.NullOr(Sentence)),
  automation: described("Automation that would carry out the rule.", Schema.NullOr(Automation)),
  refused: described(
    "Clause that the pod could not read, and why.",
    Schema.NullOr(
      Schema.Struct({
        clause: described("Clause that the pod could not read.", Schema.Literal("when", "where", "then")),
        why: described("Why the pod could not read the clause.", Schema.String)
      })
    )
  ),
  intent: described("What the rule is for, in plain words.", Schema.String)
}).annotations({ identifier: "ParsedRule" })

// `classify` and `parse` only read the text of the request and store nothing. So the grant of the key does not matter
// here.
const askDoor = self("hub-protocol.read")

export const AutomationRuleApi = HttpApiGroup.make("rules")
  .annotate(
    OpenApi.Description,
    "Automation rules: sentences that say what the pod should remember, or do when an event happens."
  )
  .add(
    read("rules.classify", {
      method: "POST",
      path: "/rules/classify",
      payload: ClassifyRequest,
      success: Classification,
      door: askDoor,
      summary:
        "Classify a text as a fact, an action for certain events or times, or a request to act once. The pod stores nothing."
    })
  )
  .add(
    read("rules.parse", {
      method: "POST",
      path: "/rules/parse",
      payload: ParseRequest,
      success: ParsedRule,
      door: askDoor,
      summary:
        "Parse a text as an automation rule. The answer has the sentence and the automation of the rule, or says why the pod cannot read the text. The pod stores nothing."
    })
  )
  .add(
    read("rules.list", {
      path: "/rules",
      query: AutomationRuleQuery,
      success: pagedStruct(Schema.Struct({ rules: Schema.Array(AutomationRule) })),
      door: fullGrantInSpaces("hub-protocol.read"),
      summary:
        "List the automation rules that the caller may read, newest first. With `includeProposed`, also list rules that wait for approval."
    })
  )
  .add(
    write("rules.create", {
      method: "POST",
      path: "/rules",
      payload: AutomationRuleDraft,
      success: Schema.Struct({
        status: Schema.Literal("created"),
        ruleId: Id
      }),
      door: writes("hub-protocol.write", "rule", ["create"]),
      summary:
        "Create an automation rule. The pod compiles the sentence of the rule. If the pod cannot read a clause, it refuses the rule and names the clause."
    })
  )
  .add(
    write("rules.update", {
      method: "PATCH",
      path: "/rules/:id",
      params: idPath,
      payload: AutomationRuleChange,
      success: AutomationRule,
      door: writes("hub-protocol.write", "rule", ["update"]),
      summary:
        "Change or pause an automation rule. Only the owner of the rule can change it. Other people who may write in the workspace can only pause the rule."
    })
  )
  .add(
    write("rules.delete", {
      method: "DELETE",
      path: "/rules/:id",
      params: idPath,
      success: DeleteResponse,
      door: writes("hub-protocol.write", "rule", ["delete"]),
      summary: "Delete an automation rule. It no longer runs."
    })
  )
