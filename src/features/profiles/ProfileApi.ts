/** The Hub endpoints of profiles and of the definitions of their properties. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { read, write } from "../../doors/DeclareRest.ts"
import { fullGrantInSpaces, writes } from "../../doors/Door.ts"
import { NotFound } from "../../doors/Failure.ts"
import { idPath, DeleteResponse } from "../../doors/Fields.ts"
import { pageOf } from "../../doors/Page.ts"
import { ListedProfile, Profile, ProfileChange, ProfileDraft, ProfileQuery } from "./Profile.ts"
import { PropertyDef, PropertyDefChange, PropertyDefDraft, PropertyDefQuery } from "./PropertyDef.ts"

const readDoor = fullGrantInSpaces("hub-protocol.read")

export const ProfileApi = HttpApiGroup.make("profiles")
  .annotate(OpenApi.Description, "Profiles: entity kinds, and roles that entities may play.")
  .add(
    read("profiles.list", {
      path: "/profiles",
      query: ProfileQuery,
      success: pageOf(ListedProfile),
      door: readDoor,
      summary:
        "List the built-in entity kinds and roles, and those of the caller's spaces; `detail=full` returns all fields."
    })
  )
  .add(
    read("profiles.get", {
      path: "/profiles/:id",
      params: idPath,
      success: Profile,
      errors: [NotFound],
      door: readDoor,
      summary: "Read one profile."
    })
  )
  .add(
    write("profiles.create", {
      method: "POST",
      path: "/profiles",
      payload: ProfileDraft,
      success: Profile,
      door: writes("hub-protocol.write", "profile", ["create"]),
      summary:
        "Create a profile in one space. A profile is an entity kind, or a role that entities of some kinds may play."
    })
  )
  .add(
    write("profiles.update", {
      method: "PATCH",
      path: "/profiles/:id",
      params: idPath,
      payload: ProfileChange,
      success: Profile,
      door: writes("hub-protocol.write", "profile", ["update"]),
      summary: "Change a profile in a space of the caller. The built-in profiles cannot be changed."
    })
  )
  .add(
    write("profiles.delete", {
      method: "DELETE",
      path: "/profiles/:id",
      params: idPath,
      success: DeleteResponse,
      door: writes("hub-protocol.write", "profile", ["delete"]),
      summary: "Archive a profile; existing entities of the profile stay."
    })
  )

export const PropertyDefApi = HttpApiGroup.make("propertyDefs")
  .annotate(
    OpenApi.Description,
    "Property definitions: rules for the values of a property, for one profile in one space."
  )
  .annotate(OpenApi.Override, { "x-displayName": "Property definitions" })
  .add(
    read("propertyDefs.list", {
      path: "/property-defs",
      query: PropertyDefQuery,
      success: pageOf(PropertyDef.schema),
      door: readDoor,
      summary:
        "List property definitions in the spaces of the caller. With `profileId`, list only the definitions of this profile."
    })
  )
  .add(
    write("propertyDefs.create", {
      method: "POST",
      path: "/property-defs",
      payload: PropertyDefDraft,
      success: PropertyDef.schema,
      door: writes("hub-protocol.write", "property_def", ["create"]),
      summary: "Define a property of a profile for the entities of one space."
    })
  )
  .add(
    write("propertyDefs.update", {
      method: "PATCH",
      path: "/property-defs/:id",
      params: idPath,
      payload: PropertyDefChange,
      success: PropertyDef.schema,
      door: writes("hub-protocol.write", "property_def", ["update"]),
      summary: "Change the rules of a property; existing values stay as they are."
    })
  )
  .add(
    write("propertyDefs.delete", {
      method: "DELETE",
      path: "/property-defs/:id",
      params: idPath,
      success: DeleteResponse,
      door: writes("hub-protocol.write", "property_def", ["delete"]),
      summary: "Archive a property definition; the property then accepts any value."
    })
  )
