-- What a location leaves out and keeps again is joined as wholes, however many are named at once. Each component was compared with all of
-- them where the database did not know yet how many a company has, as after its first import: of 10,000 none was left out, since the
-- statement took longer than it may, and for so long nobody in the company could count.
alter function leave_out(uuid, text, uuid[]) set enable_nestloop = off

-- ;;
alter function keep_at(uuid, text, uuid[]) set enable_nestloop = off
