-- A partition that was never read, or whose log began anew.
insert into sources (topic, partition, epoch, first_offset, next_offset)
select $1, $2, coalesce(max(epoch), 0) + 1, $3, $3 from sources where topic = $1 and partition = $2
on conflict (topic, partition, epoch) do nothing
returning source_key, topic, partition, epoch, first_offset, next_offset
