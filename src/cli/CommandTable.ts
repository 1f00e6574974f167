/** The table of contents of the command line: every command, in the order of the help. */
import { type Group, group } from "./CommandTree.ts"
import { api } from "./commands/api.ts"
import { backup, restore } from "./commands/backup.ts"
import { config } from "./commands/config.ts"
import { connect } from "./commands/connect.ts"
import { ask, create, get, search } from "./commands/data.ts"
import { completions, docs } from "./commands/docs.ts"
import { doctor } from "./commands/doctor.ts"
import { events } from "./commands/events.ts"
import { exportCommand } from "./commands/export.ts"
import { importCommand } from "./commands/import.ts"
import { keys } from "./commands/keys.ts"
import { login, logout, profiles, whoami } from "./commands/login.ts"
import { mcp } from "./commands/mcp.ts"
import { migrateCommand } from "./commands/migrate.ts"
import { owner, setupLink } from "./commands/owner.ts"
import { proposals } from "./commands/proposals.ts"
import { roles } from "./commands/roles.ts"
import { seed } from "./commands/seed.ts"
import { start } from "./commands/start.ts"
import { status } from "./commands/status.ts"
import { webhooks } from "./commands/webhooks.ts"

export const commands: Group = group("pod", "One server that keeps a team's knowledge.", [
  start,
  status,
  setupLink,
  owner,
  login,
  logout,
  whoami,
  profiles,
  keys,
  roles,
  connect,
  mcp,
  proposals,
  events,
  webhooks,
  get,
  create,
  search,
  ask,
  exportCommand,
  importCommand,
  backup,
  restore,
  migrateCommand,
  seed,
  api,
  config,
  doctor,
  completions(() => commands),
  docs(() => commands)
])
