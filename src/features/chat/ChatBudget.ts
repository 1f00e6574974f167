/** The maximum length of a conversation that the pod sends to the language model. */
import { Context } from "effect"

export class ChatBudget extends Context.Tag("pod/ChatBudget")<
  ChatBudget,
  {
    /**
     * The maximum number of tokens of a prompt: the pod's instructions to the model, the sources and the conversation
     * together.
     */
    readonly promptTokens: number
  }
>() {}
