/** Metadata of each known kind, and of kinds that a filter could mistake for one of them. */
export const metadataOfEachKind: ReadonlyArray<Readonly<Record<string, unknown>>> = [
  {
    kind: "ai",
    agent: "orchestrator",
    confidence: { score: 0.8, reasoning: "two sources" },
    extraction: { extractedFrom: { messageId: "m1", threadId: "t1" }, method: "summary" }
  },
  { kind: "import", sourceSystem: "notes of 2019", externalId: "17" },
  { kind: "sync", deviceId: "phone", platform: "ios", offline: true },
  { kind: "automation", ruleId: "r1", executionContext: { run: 3 } },
  { kind: "custom", ai: true },
  {},
  { kind: null },
  { kind: 5 },
  { kind: ["ai"] },
  { kind: { ai: "ai" } },
  { kind: "" },
  { kind: "toString" },
  { kind: "ai.nudge" },
  { by: "ai" }
]
