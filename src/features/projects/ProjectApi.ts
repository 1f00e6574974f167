/** The Hub endpoints of projects: read and write projects, file entities in them, and list what was made in them. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { read, write } from "../../doors/DeclareRest.ts"
import { rows, writes } from "../../doors/Door.ts"
import { ProjectId, described, idPath, DeleteResponse } from "../../doors/Fields.ts"
import { pageQuery } from "../../doors/PageFields.ts"
import { NotFound } from "../../doors/Failure.ts"
import { Id } from "../../doors/Id.ts"
import { pagedStruct, pageOf } from "../../doors/Page.ts"
import { ProjectDigest } from "../digest/Digest.ts"
import { Project, ProjectChange, ProjectDraft, ProjectFiling, ProjectOutput, ProjectQuery } from "./Project.ts"

const readDoor = rows("hub-protocol.read", "project")
const fileDoor = writes("hub-protocol.write", "project", ["update"])

export const ProjectApi = HttpApiGroup.make("projects")
  .annotate(
    OpenApi.Description,
    "Projects: goals that somebody works on. A project can contain entities from any space."
  )
  .add(
    read("projects.list", {
      path: "/projects",
      query: ProjectQuery,
      success: pageOf(Project.schema),
      door: readDoor,
      summary: "List the projects that the caller may read, newest first."
    })
  )
  .add(
    read("projects.get", {
      path: "/projects/:id",
      params: idPath,
      success: Project.schema,
      errors: [NotFound],
      door: readDoor,
      showsProbes: true,
      summary: "Read one project."
    })
  )
  .add(
    read("projects.digest", {
      path: "/projects/:id/digest",
      params: idPath,
      success: ProjectDigest,
      errors: [NotFound],
      door: readDoor,
      summary:
        "Read a digest of a project from the entities that the caller may read: counts, the latest entities and a one-line summary."
    })
  )
  .add(
    read("projects.outputs", {
      path: "/projects/:id/outputs",
      params: idPath,
      query: Schema.Struct(pageQuery("projectOutputs", 50, 200)),
      success: pagedStruct(
        Schema.Struct({
          outputs: described("Outputs: things that were made in the project.", Schema.Array(ProjectOutput))
        })
      ),
      errors: [NotFound],
      door: readDoor,
      summary: "List the outputs of a project (things that were made in the project), latest change first."
    })
  )
  .add(
    write("projects.create", {
      method: "POST",
      path: "/projects",
      payload: ProjectDraft,
      success: Project.schema,
      door: writes("hub-protocol.write", "project", ["create"]),
      summary: "Create a project. An agent must send the ids of at least five entities as evidence for the project."
    })
  )
  .add(
    write("projects.update", {
      method: "PATCH",
      path: "/projects/:id",
      params: idPath,
      payload: ProjectChange,
      success: Project.schema,
      door: fileDoor,
      summary: "Change a project."
    })
  )
  .add(
    write("projects.delete", {
      method: "DELETE",
      path: "/projects/:id",
      params: idPath,
      success: DeleteResponse,
      door: writes("hub-protocol.write", "project", ["delete"]),
      summary: "Archive a project; the entities of the project stay."
    })
  )
  .add(
    write("projects.file", {
      method: "POST",
      path: "/projects/:id/entities",
      params: idPath,
      payload: ProjectFiling,
      success: Schema.Struct({
        projectId: ProjectId,
        entityIds: Schema.Array(Id)
      }),
      door: fileDoor,
      summary: "Add entities to a project. The grant of a key must cover `relation.create` too."
    })
  )
  .add(
    write("projects.unfile", {
      method: "DELETE",
      path: "/projects/:id/entities/:entityId",
      params: Schema.Struct({
        id: Id,
        entityId: described("Id of the entity to remove from the project.", Id)
      }),
      success: DeleteResponse,
      door: fileDoor,
      summary: "Remove an entity from a project. The grant of a key must cover `relation.delete` too."
    })
  )
