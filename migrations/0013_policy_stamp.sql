-- What was remembered of an agent's policy holds while these stay: a statement that rests on it compares them.

-- Of an agent: rises when its person relaxes or tightens it, and with each of its memberships.
ALTER TABLE users ADD COLUMN policy_epoch integer NOT NULL DEFAULT 0;
-- Of a space: rises with what it says about agents, and with each of its rules.
ALTER TABLE spaces ADD COLUMN policy_epoch integer NOT NULL DEFAULT 0;

CREATE FUNCTION policy_moved() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.policy_epoch := OLD.policy_epoch + 1;
    RETURN NEW;
  END
  $$;
CREATE TRIGGER users_policy BEFORE UPDATE ON users FOR EACH ROW
  WHEN (OLD.writes_require_proposal IS DISTINCT FROM NEW.writes_require_proposal)
  EXECUTE FUNCTION policy_moved();
CREATE TRIGGER spaces_policy BEFORE UPDATE ON spaces FOR EACH ROW
  WHEN (OLD.governance IS DISTINCT FROM NEW.governance)
  EXECUTE FUNCTION policy_moved();

-- As the owner of the tables: whoever writes a rule or a membership moves the epoch, whatever else they may write.
CREATE FUNCTION membership_moved() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  BEGIN
    UPDATE public.users SET policy_epoch = policy_epoch + 1
    WHERE id IN (OLD.user_id, NEW.user_id) AND kind = 'agent';
    RETURN NULL;
  END
  $$;
CREATE TRIGGER memberships_policy AFTER INSERT OR UPDATE OR DELETE ON memberships FOR EACH ROW
  EXECUTE FUNCTION membership_moved();

CREATE FUNCTION rule_moved() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  BEGIN
    UPDATE public.spaces SET policy_epoch = policy_epoch + 1 WHERE id IN (OLD.space_id, NEW.space_id);
    RETURN NULL;
  END
  $$;
CREATE TRIGGER governance_rules_policy AFTER INSERT OR UPDATE OR DELETE ON governance_rules FOR EACH ROW
  EXECUTE FUNCTION rule_moved();

-- Rises with whatever bounds the agent in these spaces. Asked before a statement has said which spaces it reaches.
CREATE FUNCTION policy_stamp(of_agent uuid, of_spaces uuid[]) RETURNS integer
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  BEGIN
    RETURN (SELECT agent.policy_epoch FROM public.users agent WHERE agent.id = of_agent)
      + (SELECT coalesce(sum(space.policy_epoch), 0) FROM public.spaces space WHERE space.id = ANY (of_spaces));
  END
  $$;
