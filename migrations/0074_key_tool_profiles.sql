-- The short list of MCP tools that a key has; null means every tool that its scopes and grant allow.
ALTER TABLE api_keys ADD COLUMN tool_profile text CHECK (tool_profile IN ('entry', 'builder'));
