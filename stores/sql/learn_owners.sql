-- An update that changes nothing makes a row that is there already come back too.
insert into owners (agent_id, user_id)
select * from unnest($1::text[], $2::text[])
on conflict (agent_id, user_id) do update set agent_id = excluded.agent_id
returning owner_key, agent_id, user_id
