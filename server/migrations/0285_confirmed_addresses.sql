-- Anybody could register with somebody else's address, to which the program then wrote day after day.

-- When somebody proved, by a link that was mailed there, that their address is theirs; null: nobody has.
alter table users add column email_confirmed_at timestamptz
-- ;;
-- By such a link. What a link of a user is for is its kind; an invitation is of nobody yet.
alter table one_time_links drop constraint one_time_links_kind_check
-- ;;
alter table one_time_links add constraint one_time_links_kind_check
  check (kind in ('invitation', 'password', 'email'))
-- ;;
alter table one_time_links drop constraint one_time_links_check1
-- ;;
alter table one_time_links add constraint one_time_links_check1
  check ((kind = 'invitation') = (user_id is null))
