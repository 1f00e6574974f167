/** How long a conversation may be when it is sent to the language model. */
import { Context } from "effect"

export class ChatBudget extends Context.Tag("pod/ChatBudget")<
  ChatBudget,
  {
    /** The most tokens of a prompt: rules, sources and conversation together. */
    readonly promptTokens: number
  }
>() {}
