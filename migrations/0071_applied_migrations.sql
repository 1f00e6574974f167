-- Lets the pod show which migrations the database has. The ledger itself belongs to the owner of the database.
CREATE FUNCTION applied_migrations() RETURNS TABLE (name text, applied_at timestamptz)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  BEGIN
    RETURN QUERY SELECT ledger.name, ledger.applied_at FROM public.schema_migrations ledger ORDER BY ledger.name;
  END $$;
REVOKE ALL ON FUNCTION applied_migrations() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION applied_migrations() TO pod_app;
