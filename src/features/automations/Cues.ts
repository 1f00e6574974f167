/** The cues that classify a text, grouped by family, with the weight of each group (compatibility reference §11.1). */

/**
 * The family of a cue that classifies a text. `trigger` and `each` show that the text describes a behaviour. `action`
 * counts only if the text has another sign of a behaviour. `framing` says that a text is meant only for now. `study`,
 * `polite` and `question` are weaker signs that the text is a request and not a rule.
 */
export type CueFamily =
  | "structure"
  | "fact"
  | "trigger"
  | "each"
  | "action"
  | "extraction"
  | "notification"
  | "schedule"
  | "framing"
  | "study"
  | "polite"
  | "question"

/**
 * A group of phrases with the same weight. A phrase is a sequence of slots. A slot is a word, a choice `a|b`, a class
 * of words `<name>` (CueWords.ts), or a gap `..n` of up to n words. `?` before a slot makes the slot optional. The
 * first slot is never a gap and never optional.
 */
export interface CueGroup {
  readonly family: CueFamily
  readonly weight: number
  /**
   * True if the first word of the phrases counts only where it is an imperative. After `the`, `my` or `they` the same
   * word is a noun, or an action of somebody else.
   */
  readonly isOrder?: true
  readonly phrases: ReadonlyArray<string>
}

/**
 * All cues. The weight of a cue is added to the confidence of a class of the text. Cues of a request that is meant only
 * for now add nothing.
 */
export const cueGroups: ReadonlyArray<CueGroup> = [
  {
    family: "trigger",
    weight: 0.6,
    phrases: [
      "whenever|upon",
      "every|each|any time",
      "as soon as",
      "the moment|minute|instant <some>",
      "when|if|once|after <some>",
      "when|if|once|after i|we|you|they|he|she|new"
    ]
  },
  { family: "each", weight: 0.4, phrases: ["every|each <thing>", "for all new"] },
  {
    family: "action",
    weight: 0.15,
    isOrder: true,
    phrases: [
      "create|add|make|open|start|launch|run|trigger|generate|draft|write|build|set|update|change|edit|rename|replace",
      "move|copy|archive|delete|remove|close|complete|finish|mark|flag|label|tag|assign|reassign|attach|merge",
      "cancel|approve|reject|publish|share|send|post|save|sync|import|export|upload|download",
      "escalate|forward|reply|respond|propose|suggest|ask|invite|prioritise|prioritize|translate"
    ]
  },
  {
    family: "schedule",
    weight: 0.6,
    phrases: [
      "daily|hourly|weekly|monthly|quarterly|yearly|annually|nightly|fortnightly|biweekly|bi-weekly ?at ?<clock>",
      "every|each ?<ordinal> <time> ?at ?<clock>",
      "every <number> <unit>",
      "?on <weekdays> ?at ?<clock>",
      "once|twice a|an|per|every <unit>",
      "<number> times a|an|per <unit>",
      "<number> <unit> before|after|later|prior|beforehand|afterwards|ahead",
      "a|an <unit> before|after|later|prior|beforehand|ahead",
      "in|within|after <number> <unit>",
      "in|within|after a|an <unit>",
      "first|last day of"
    ]
  },
  {
    family: "notification",
    weight: 0.6,
    isOrder: true,
    phrases: [
      "notify|alert|inform|remind|tell|warn|ping|nudge <whom>",
      "notify|alert|inform|remind|tell|warn|ping|nudge <name>",
      "notify|alert|inform|remind|warn|ping|nudge <det> <thing>",
      "tell|message|email|e-mail|mail|text|page|dm <det> <people>",
      "message|email|e-mail|mail|text|page|dm <whom>",
      "message|email|e-mail|mail|text|page|dm <name>",
      "email|e-mail|mail|text|message ..5 to <whom>",
      "email|e-mail|mail|text|message ..5 to <name>",
      "email|e-mail|mail|text|message ..5 to <det> <people>",
      "send|forward|deliver <whom>",
      "send|forward <name>",
      "send|forward <det> <people>",
      "send|post|forward|share|publish|deliver|announce ..6 to|in|into|on|with <whom>",
      "send|post|forward|share|publish|deliver|announce ..6 to|in|into|on|with <name>",
      "send|post|forward|share|publish|deliver|announce ..6 to|in|into|with <det> <people>",
      "let <whom> know",
      "let <name> know",
      "let <det> <people> know",
      "keep <whom> posted|updated|informed",
      "drop <whom> a"
    ]
  },
  {
    family: "extraction",
    weight: 0.6,
    isOrder: true,
    phrases: [
      "extract|parse|scrape|transcribe|ocr|harvest",
      "pull|pick|get|take|lift ..5 out of",
      "pull|pick out",
      "pull|capture|collect|gather|grab|copy|read|take|lift ..5 from"
    ]
  },
  {
    family: "structure",
    weight: 0.6,
    phrases: [
      "<be> the same ..2 as",
      "<be> the|one same",
      "<be> identical|equivalent to",
      "<be> unique",
      "uniquely identifies|identify",
      "<be> identified by",
      "<be> a|an kind|type|sort|form|subtype of",
      "one ..3 per <thing>",
      "one ..3 for each|every <thing>",
      "exactly|only one ..3 per <thing>",
      "exactly|only one",
      "at most|least one",
      "no two ..3 share|have|with"
    ]
  },
  {
    family: "structure",
    weight: 0.5,
    phrases: [
      "maps|map|mapped to|onto|into|as",
      "map ..4 to|onto",
      "corresponds|correspond to",
      "<be> stored|saved|filed|recorded|modelled|modeled|represented|treated as|under",
      "goes|go|belongs|belong under",
      "counts|count as",
      "becomes|become a|an",
      "<be> linked|connected|related|tied to",
      "<be> an alias of|for",
      "also known as",
      "a|an|every|each ..2 is a|an <thing>",
      "already exists|exist",
      "does|do not exist",
      "doesn't|don't exist",
      "if|unless|when <det> ..3 already|not exists|exist",
      "if|unless|when <det> ..2 exists|exist",
      "if|unless|when one|none|it|there ..2 exists|exist",
      "ensure|verify|check ..5 exists|exist",
      "make sure ..5 exists|exist"
    ]
  },
  {
    family: "fact",
    weight: 0.5,
    phrases: [
      "my|our|his|her|their ..3 is|are",
      "<owners> ..3 is|are",
      "belongs|belong to",
      "<be> owned by",
      "lives|live|living|resides|reside in|at|on|near",
      "<be> located|based|situated|hosted|headquartered in|at|on|near"
    ]
  },
  {
    family: "fact",
    weight: 0.4,
    phrases: [
      "<be> in|at|near|inside|behind|opposite",
      "<be> on the",
      "<be> stored|kept|saved in|at|on",
      "works|work at|for",
      "comes|come from",
      "i|we have <number>",
      "i|we have a|an",
      "has a|an|the|no",
      "has <number>",
      "owns|own <det>"
    ]
  },
  {
    family: "framing",
    weight: 0,
    phrases: [
      "just|only this once|time",
      "this once|one time|time only",
      "this time only",
      "one time only",
      "only|just once",
      "one-time|one-off",
      "just|only for now|today",
      "just|only today|now",
      "for now",
      "right now|away",
      "today only",
      "for|in this conversation|chat|session|message|reply",
      "no need to remember|save|store",
      "don't|do not remember|save|store|keep"
    ]
  },
  {
    family: "study",
    weight: 0,
    isOrder: true,
    phrases: [
      "research|analyse|analyze|investigate|summarise|summarize|compare|explain|evaluate|assess|review|study|explore",
      "describe|calculate|compute|estimate|brainstorm|search|list|count|outline|examine|inspect|find",
      "look into|up|for|at",
      "find out",
      "figure out",
      "dig into",
      "tell me about|all|what|how|who|which|where",
      "show|give me"
    ]
  },
  {
    family: "polite",
    weight: 0,
    phrases: [
      "please",
      "can|could|would|will you",
      "would you mind",
      "help me",
      "i'd like|i need you to",
      "i would like you to"
    ]
  },
  {
    family: "question",
    weight: 0,
    phrases: ["what|who|where|which|why|how is|are|was|were|do|does|did|many|much|can|should"]
  }
]
