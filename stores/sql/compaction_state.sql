select t.thread_key, t.folded_seq, t.deleted_at is not null or t.first_seq > $2 as gone,
       s.version, s.from_seq, s.to_seq, s.text, s.tokens, s.model, s.prompt_version, s.created_at
from threads t
left join lateral (
    select * from summaries where thread_key = t.thread_key and from_seq >= t.first_seq order by version desc limit 1
) s on true
where t.thread_id = $1
