/** The settings of the language model and of the embedding model. */
import { optional, secret, withDefault } from "./Setting.ts"
import { bearerKey, duration, modelName, webUrl, wholeNumber } from "./SettingText.ts"

export const modelSettings = {
  languageModelUrl: optional({
    name: "POD_LLM_URL",
    aliases: ["POD_LLM_BASE_URL"],
    area: "Models",
    schema: webUrl,
    example: "https://api.openai.com/v1",
    whenAbsent: "an answer to a question has only its sources",
    doc: "Address of an OpenAI-compatible service with a language model that answers questions; the pod calls /chat/completions below this address."
  }),
  languageModelName: optional({
    name: "POD_LLM_MODEL",
    area: "Models",
    schema: modelName,
    example: "gpt-4.1-mini",
    whenAbsent: "needed with POD_LLM_URL",
    doc: "Name of the language model of the service at POD_LLM_URL."
  }),
  languageModelKey: secret({
    name: "POD_LLM_KEY",
    aliases: ["POD_LLM_API_KEY"],
    area: "Models",
    schema: bearerKey,
    fix: "copy the key again from the service, or set POD_LLM_KEY_FILE to the path of a file with the key",
    whenAbsent: "the service is called without a key",
    doc: "Key for the service at POD_LLM_URL; the pod sends the key to no other address."
  }),
  languageModelTimeoutSeconds: withDefault({
    name: "POD_LLM_TIMEOUT",
    area: "Models",
    schema: duration("1s", "10m"),
    default: "60s",
    doc: "Longest time of a call to the language model, with its retries. A try ends when the service has sent nothing for half of this time."
  }),
  languageModelDailyTokens: optional({
    name: "POD_LLM_DAILY_TOKENS",
    area: "Models",
    schema: wholeNumber(0, 999_999_999),
    example: "1000000",
    whenAbsent: "no limit",
    doc: "Largest number of tokens that all processes of the pod together spend on the language model in a day (UTC), for questions and answers."
  }),
  languageModelPromptTokens: withDefault({
    name: "POD_LLM_PROMPT_TOKENS",
    area: "Models",
    schema: wholeNumber(1_000, 2_000_000),
    default: "32000",
    doc: "Largest number of tokens, estimated as three bytes each, that the chat sends to the language model in one call; the oldest turns of a longer conversation are left out."
  }),
  embeddingUrl: optional({
    name: "POD_EMBEDDING_URL",
    area: "Models",
    schema: webUrl,
    example: "https://api.openai.com/v1",
    whenAbsent: "search compares words only",
    doc: "Address of an OpenAI-compatible service that makes vectors of texts, so that search compares meanings too; the pod calls /embeddings below this address."
  }),
  embeddingModel: optional({
    name: "POD_EMBEDDING_MODEL",
    area: "Models",
    schema: modelName,
    example: "text-embedding-3-small",
    whenAbsent: "needed with POD_EMBEDDING_URL",
    doc: "Name of the embedding model of the service at POD_EMBEDDING_URL. After a change the pod makes all vectors again."
  }),
  embeddingKey: secret({
    name: "POD_EMBEDDING_KEY",
    area: "Models",
    schema: bearerKey,
    fix: "copy the key again from the service, or set POD_EMBEDDING_KEY_FILE to the path of a file with the key",
    whenAbsent: "the service is called without a key",
    doc: "Key for the service at POD_EMBEDDING_URL; the pod sends the key to no other address."
  }),
  embeddingTimeoutSeconds: withDefault({
    name: "POD_EMBEDDING_TIMEOUT",
    area: "Models",
    schema: duration("1s", "10m"),
    default: "30s",
    doc: "Longest time of a call to the embedding model, with its retries; a search waits for at most two seconds."
  }),
  embeddingDimensions: optional({
    name: "POD_EMBEDDING_DIMENSIONS",
    area: "Models",
    schema: wholeNumber(1, 16_384),
    example: "1536",
    whenAbsent: "any number, if all vectors have the same",
    doc: "How many numbers a vector of the embedding model has; the pod refuses other vectors."
  }),
  embeddingPercent: withDefault({
    name: "POD_EMBEDDING_PERCENT",
    area: "Models",
    schema: wholeNumber(0, 100),
    default: "20",
    doc: "How much of the score of a search comes from the vectors; the rest comes from the words."
  }),
  embeddingDailyTokens: optional({
    name: "POD_EMBEDDING_DAILY_TOKENS",
    area: "Models",
    schema: wholeNumber(0, 999_999_999),
    example: "10000000",
    whenAbsent: "no limit",
    doc: "Largest number of tokens that all processes of the pod together spend on the embedding model in a day (UTC)."
  })
}
