-- Administrators of the pod: people whom its owner lets invite and suspend other people.
ALTER TABLE users ADD COLUMN is_administrator boolean NOT NULL DEFAULT false
  CHECK (kind = 'person' OR NOT is_administrator);

-- What an administrator may do depends on the column, so a change of it makes cached access stale (0092).
DROP TRIGGER users_authority ON users;
CREATE TRIGGER users_authority AFTER UPDATE ON users FOR EACH ROW
  WHEN ((OLD.kind, OLD.person_id, OLD.capabilities, OLD.is_administrator)
    IS DISTINCT FROM (NEW.kind, NEW.person_id, NEW.capabilities, NEW.is_administrator))
  EXECUTE FUNCTION authority_moved();

-- The owner of the pod lists the invitations of everybody.
CREATE INDEX invitations_newest ON invitations (created_at DESC, id DESC);
