insert into threads (thread_id, owner_key)
select * from unnest($1::text[], $2::bigint[])
on conflict (thread_id) do nothing
