-- Which projects a space's entities are filed in, found by steps through an index, without a look at each filing or each project.
CREATE INDEX entity_projects_spaces ON entity_projects (space_id, project_id);
