update threads t set window_limit = $5
from owners o
where o.owner_key = t.owner_key and t.thread_id = $1 and o.agent_id = $2
  and ($4 or o.user_id is not distinct from $3) and t.deleted_at is null
returning t.thread_key
