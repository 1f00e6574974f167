-- A shared vault entry is for a member of a workspace. If the membership of the reader or of the owner ends, the share
-- ends too. Otherwise the reader could read the entry again when somebody else adds them to the workspace later.
-- A trigger removes the shares, because the statement that ends the membership cannot see a share that was added while
-- it waited for the row of the membership.
CREATE INDEX vault_shares_in ON vault_shares (space_id);
CREATE FUNCTION shares_end_with_membership() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  BEGIN
    DELETE FROM public.vault_shares share
    WHERE share.space_id = OLD.space_id AND OLD.user_id IN (share.person_id, share.owner_id);
    RETURN NULL;
  END
  $$;
CREATE TRIGGER memberships_shares AFTER DELETE ON memberships FOR EACH ROW
  EXECUTE FUNCTION shares_end_with_membership();
DELETE FROM vault_shares share
WHERE NOT EXISTS (
    SELECT 1 FROM memberships reader WHERE reader.user_id = share.person_id AND reader.space_id = share.space_id)
  OR NOT EXISTS (
    SELECT 1 FROM memberships owner WHERE owner.user_id = share.owner_id AND owner.space_id = share.space_id);
