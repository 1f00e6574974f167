-- Whoever leaves a workspace takes their agents along. A trigger does this, and not the statement that ends the
-- membership, because that statement cannot see an agent that was added while it waited for the row of the membership.
CREATE FUNCTION agents_leave() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  BEGIN
    DELETE FROM public.memberships membership
    USING public.users agent
    WHERE agent.person_id = OLD.user_id AND agent.kind = 'agent'
      AND membership.user_id = agent.id AND membership.space_id = OLD.space_id;
    RETURN NULL;
  END
  $$;
CREATE TRIGGER memberships_agents AFTER DELETE ON memberships FOR EACH ROW
  EXECUTE FUNCTION agents_leave();
