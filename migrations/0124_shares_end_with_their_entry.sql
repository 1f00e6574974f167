-- A deleted vault entry has no shares. A trigger removes them, and not the statement that deletes the entry, because
-- that statement cannot see a share that was added while it waited for the row of the entry.
CREATE FUNCTION shares_end() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  BEGIN
    DELETE FROM public.vault_shares WHERE entry_id = OLD.id;
    RETURN NULL;
  END
  $$;
CREATE TRIGGER vault_entries_shares AFTER DELETE ON vault_entries FOR EACH ROW
  EXECUTE FUNCTION shares_end();
DELETE FROM vault_shares share
WHERE NOT EXISTS (SELECT 1 FROM vault_entries entry WHERE entry.id = share.entry_id);
