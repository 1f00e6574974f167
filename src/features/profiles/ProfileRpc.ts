/** The procedures of profiles: list profiles, and list the definitions of properties. */
import { RpcGroup } from "@effect/rpc"
import { query } from "../../doors/DeclareProcedure.ts"
import { fullGrantInSpaces } from "../../doors/Door.ts"
import { pageOf } from "../../doors/Page.ts"
import { ListedProfile, ProfileInput } from "./Profile.ts"
import { PropertyDef, PropertyDefInput } from "./PropertyDef.ts"

const readDoor = fullGrantInSpaces("hub-protocol.read")

export const ProfileProcedures = RpcGroup.make(
  query("profiles.list", {
    input: ProfileInput,
    success: pageOf(ListedProfile),
    door: readDoor,
    summary:
      "List the built-in entity kinds and roles, and those of the caller's spaces; `detail=full` returns all fields."
  }),
  query("propertyDefs.list", {
    input: PropertyDefInput,
    success: pageOf(PropertyDef.schema),
    door: readDoor,
    summary:
      "List property definitions in the spaces of the caller. With `profileId`, list only the definitions of this profile."
  })
)
