-- Stock is received and issued by an amount; the reason is the movement's cause.
alter table movements drop constraint movements_cause_check
-- ;;
alter table movements add constraint movements_cause_check check (cause in (
  'import', 'correction', 'discrepancy', 'transfer', 'transfer_cancelled', 'import_undone', 'received', 'issued', 'damaged',
  'lost', 'found', 'other'
))
