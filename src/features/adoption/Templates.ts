/** The templates that ship with the pod. */
import type { Template } from "./Template.ts"
import { customerRelations } from "./templates/customerRelations.ts"
import { hiring } from "./templates/hiring.ts"
import { meetingNotes } from "./templates/meetingNotes.ts"
import { projectDelivery } from "./templates/projectDelivery.ts"
import { researchNotes } from "./templates/researchNotes.ts"
import { supportDesk } from "./templates/supportDesk.ts"

export const templates: ReadonlyArray<Template> = [
  customerRelations,
  projectDelivery,
  researchNotes,
  hiring,
  supportDesk,
  meetingNotes
]
