/** Makes the draft of a new key from a link to the wizard. */
import { emptyDraft, fromKey, fromRole, grantDraftOf, type Key, type KeyDraft, recipes, type Role } from "./keyDraft.ts"
import type { NewKeySearch } from "./keysRoutes.ts"
import { isScope } from "./scopeWords.ts"

const parts = (text: string | undefined): ReadonlyArray<string> =>
  (text ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean)

const initialDraft = (search: NewKeySearch, keys: ReadonlyArray<Key>, roles: ReadonlyArray<Role>): KeyDraft => {
  const key = keys.find(({ id }) => id === search.from)
  if (key !== undefined) return fromKey(key)
  const role = roles.find(({ id }) => id === search.role)
  if (role !== undefined) return fromRole(emptyDraft, role)
  return { ...emptyDraft, ...recipes.find(({ id }) => id === search.recipe)?.gives }
}

export const startingDraft = (search: NewKeySearch, keys: ReadonlyArray<Key>, roles: ReadonlyArray<Role>): KeyDraft => {
  const draft = initialDraft(search, keys, roles)
  const [permissions, workspaces] = [parts(search.permissions), parts(search.workspaces)]
  const scopes = parts(search.scopes).filter(isScope)
  // If the link adds permissions or workspaces, the draft's grant differs from the grant of the role.
  const isOther = permissions.length > 0 || workspaces.length > 0
  return {
    ...draft,
    ...(isOther
      ? {
          roleId: null,
          grant: {
            ...grantDraftOf(draft.grant),
            ...(permissions.length === 0
              ? {}
              : { permissions: [...new Set([...draft.grant.permissions, ...permissions])] }),
            ...(workspaces.length === 0 ? {} : { workspaceIds: workspaces })
          }
        }
      : {}),
    ...(scopes.length === 0 ? {} : { scopes }),
    ...(search.agent === undefined ? {} : { holder: "agent" as const, agentId: search.agent }),
    ...(search.name === undefined ? {} : { name: search.name })
  }
}
