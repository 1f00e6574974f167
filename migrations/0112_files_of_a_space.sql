-- The files and the documents of a space by id: figures count the newest files and find the first file and the first document by steps
-- through an index.
CREATE INDEX attachments_of_space ON attachments (space_id, id DESC) WHERE archived_at IS NULL;
CREATE INDEX documents_of_space ON documents (space_id, id) WHERE archived_at IS NULL;
