-- Sessions and one-time links, which name people's devices and addresses, stayed for good.
grant delete on sessions, one_time_links to inventory_manager_app
