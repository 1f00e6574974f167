-- Whoever changes what a person, an agent or a key may do moves the epoch of the person, which every statement compares: also
-- a repair by hand, a tool of the operator, or a statement that forgets it.

-- As the owner of the tables, because the writer may not be allowed to change the row of the person.
CREATE FUNCTION authority_moved() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  BEGIN
    CASE TG_TABLE_NAME
      WHEN 'memberships' THEN
        -- Those of an agent are a part of its policy, which has its own stamp (0013). Nobody knows the access of a person
        -- yet who has just got their own space.
        UPDATE public.users SET authz_epoch = authz_epoch + 1
        WHERE id IN (OLD.user_id, NEW.user_id) AND kind = 'person'
          AND NOT (TG_OP = 'INSERT' AND NEW.space_id = NEW.user_id);
      WHEN 'pod_state' THEN
        UPDATE public.users SET authz_epoch = authz_epoch + 1 WHERE id IN (OLD.owner_id, NEW.owner_id);
      ELSE
        UPDATE public.users SET authz_epoch = authz_epoch + 1 WHERE id IN (OLD.person_id, NEW.person_id);
    END CASE;
    RETURN NULL;
  END
  $$;

CREATE TRIGGER memberships_authority AFTER INSERT OR UPDATE OR DELETE ON memberships FOR EACH ROW
  EXECUTE FUNCTION authority_moved();
CREATE TRIGGER pod_state_authority AFTER UPDATE ON pod_state FOR EACH ROW
  WHEN (OLD.owner_id IS DISTINCT FROM NEW.owner_id)
  EXECUTE FUNCTION authority_moved();
CREATE TRIGGER users_authority AFTER UPDATE ON users FOR EACH ROW
  WHEN ((OLD.kind, OLD.person_id, OLD.capabilities) IS DISTINCT FROM (NEW.kind, NEW.person_id, NEW.capabilities))
  EXECUTE FUNCTION authority_moved();
CREATE TRIGGER api_keys_authority AFTER UPDATE ON api_keys FOR EACH ROW
  WHEN ((OLD.user_id, OLD.person_id, OLD.scopes, OLD.grant_bounds, OLD.workspace_id, OLD.tool_profile)
    IS DISTINCT FROM (NEW.user_id, NEW.person_id, NEW.scopes, NEW.grant_bounds, NEW.workspace_id, NEW.tool_profile))
  EXECUTE FUNCTION authority_moved();
