-- The name and version that an MCP client states about itself. Whoever has the key chooses this text.
ALTER TABLE api_key_calls ADD COLUMN client_name text;
