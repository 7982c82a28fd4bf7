-- What imports brought back before 0231 counted it, and what their undo retired.
do $$
declare
  v_tenant uuid;
begin
  for v_tenant in select tenant_id from companies loop
    -- An owner who is no superuser sees one company at a time.
    perform set_config('app.tenant_id', v_tenant::text, true);
    update imports
    set reinstated = brought.reinstated,
      retired = case when imports.status = 'undone' then brought.retired else imports.retired end
    from (
      select changed.import_id,
        count(*) filter (where changed.reinstated) as reinstated,
        count(*) filter (where components.retired_at is not null) as retired
      from import_changes changed
      join components on components.tenant_id = v_tenant and components.id = changed.component_id
      where changed.tenant_id = v_tenant and (changed.created or changed.reinstated)
      group by changed.import_id
    ) as brought
    where imports.tenant_id = v_tenant and imports.id = brought.import_id
      and imports.status in ('done', 'undone') and imports.reinstated = 0 and imports.retired = 0;
  end loop;
end
$$
