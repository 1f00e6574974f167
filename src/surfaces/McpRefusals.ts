/**
 * Writes the text of a refusal for an agent: which permission the agent's key lacks, and who can give this permission.
 */
import type { Refused } from "../doors/Failure.ts"
import { missingPermissions } from "../features/access/RefusalGuide.ts"
import { shortenText } from "../platform/StoredText.ts"

const plurals: Readonly<Record<string, string>> = {
  entity: "entities",
  memory: "memories",
  messaging: "messages",
  property_def: "property definitions",
  relation_def: "relation definitions",
  apiKey: "keys"
}

/** Writes a permission as a phrase, such as "create entities of the kind note". */
const actionPhrase = (permission: string): string => {
  const [subject, ...rest] = permission.split(".")
  const [action = "use", kind] = rest.toReversed()
  const things = plurals[subject] ?? `${subject}s`
  return `${action} ${things}${kind === undefined || kind === "*" ? "" : ` of the kind ${kind}`}`
}

// A sentence shows at most this many characters of a person's name.
const nameMax = 80

/**
 * Returns a person's name as one clean line. By default, the name of a person is their e-mail address, and agents must
 * not see e-mail addresses. So the result is undefined if the name is an e-mail address.
 */
const displayName = (name: string | undefined): string | undefined => {
  const plain = name?.replaceAll(/[\p{C}\s]+/gu, " ").trim() ?? ""
  return plain === "" || plain.includes("@") ? undefined : shortenText(plain, nameMax)
}

const listText = (names: ReadonlyArray<string>) => names.join(" and ")
const countedNames = (word: string, names: ReadonlyArray<string>) =>
  `the ${names.length === 1 ? word : `${word}s`} ${listText(names)}`

/**
 * Returns the text of a refusal. `ownerName` is the name of the person who owns the key, if the name is known. The text
 * says which rights are missing. It says nothing about the record that the call asked for.
 */
export const refusalText = (refusal: Refused, tool: string, ownerName: string | undefined): string => {
  const { guidance } = refusal
  const sentence = sentenceOf(refusal, tool, ownerName)
  return guidance?.fix === undefined ? sentence : `${sentence}\nA person can create such a key here: ${guidance.fix}`
}

const sentenceOf = ({ code, granted, required, why }: Refused, tool: string, ownerName: string | undefined): string => {
  const name = displayName(ownerName)
  const owner = name === undefined ? "the person who gave you this key" : `${name}, who gave you this key,`
  const askFor = (word: string, names: ReadonlyArray<string>, limits = "") =>
    `Ask ${owner} for a key with ${names.length > 1 ? `these ${word}s` : `this ${word}`}${limits}.`
  const missing = missingPermissions({ granted, required })
  switch (code) {
    case "SCOPE_MISSING":
      return `This key may not use ${tool}: the key lacks ${countedNames("scope", required)}. ${askFor("scope", required)}`
    case "GRANT_DENIED":
      return missing.length === 0
        ? `This key is not allowed to do this: the key has ${countedNames("permission", required)}, but is limited to other workspaces, projects or records. Ask ${owner} for a key without this limit.`
        : `This key may not ${listText(missing.map(actionPhrase))}: the key lacks ${countedNames("permission", missing)}. ${askFor("permission", missing)}`
    case "GRANT_DOOR_UNSUPPORTED":
      return `This key may not use ${tool}: the key lacks ${countedNames("permission", required)} without limits. ${askFor("permission", required, " without limits")}\n${why}`
    case "CAPABILITY_MISSING":
      return `This agent may not ${listText(required.map(actionPhrase))}: the agent lacks ${required.length === 1 ? "the capability" : "the capabilities"} ${listText(required)}. Ask ${owner} to add ${required.length === 1 ? "this capability" : "these capabilities"} to the agent.`
    case "TOOL_PROFILE":
      return `${why} Ask ${owner} for a key without a tool profile.`
    case "WORKSPACE_FORBIDDEN":
    case "PEOPLE_ONLY":
    case "SESSION_ONLY":
    case "APPROVAL_NEEDED":
      return `${why} Ask ${owner.replace(/,$/, "")}.`
    default:
      return why
  }
}
