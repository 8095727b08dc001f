-- The newest epoch of each partition, locked: consumers of one partition take turns.
select s.source_key, s.topic, s.partition, s.epoch, s.first_offset, s.next_offset
from sources s
join unnest($1::text[], $2::integer[]) as wanted (topic, partition) using (topic, partition)
where s.epoch = (select max(epoch) from sources where topic = s.topic and partition = s.partition)
order by s.source_key
for update of s
