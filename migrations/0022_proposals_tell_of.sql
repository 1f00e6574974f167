-- A proposal is read by whoever reads all that it tells of, and where an entity is filed is read from the entity's own rows.
ALTER TABLE proposals ADD COLUMN mentions jsonb NOT NULL DEFAULT '[]';

DROP POLICY proposals_reach ON proposals;
CREATE POLICY proposals_reach ON proposals TO pod_app
  USING (
    space_id = ANY ((SELECT app_spaces())::uuid[])
    AND ((SELECT app_every_object()) OR target_id = ANY ((SELECT app_objects())::uuid[]))
    AND ((SELECT app_every_project())
      OR CASE WHEN action = 'create' AND status <> 'approved'
        THEN project_ids && (SELECT app_projects())::uuid[]
        ELSE EXISTS (
          SELECT 1 FROM entity_projects filed
          WHERE filed.entity_id = target_id AND filed.space_id = proposals.space_id
            AND filed.project_id = ANY ((SELECT app_projects())::uuid[])) END)
    AND (NOT is_private OR user_id = (SELECT app_person()))
  );
