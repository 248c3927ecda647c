-- A recording as version 1 of the file wrote it (docs/recording.md), without samples: the suite adds a piece of them.
-- One statement a line. Alerts said "class" and told GPUs as "node" and "gpu"; what was not known of the job was left out.
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID
CREATE TABLE nodes (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, gpus INTEGER NOT NULL DEFAULT 0)
CREATE TABLE levels (level INTEGER NOT NULL, node INTEGER NOT NULL, from_ms INTEGER NOT NULL, data BLOB)
CREATE UNIQUE INDEX levels_by_place ON levels (level, node, from_ms)
CREATE TABLE progress (time_ms INTEGER PRIMARY KEY, json TEXT NOT NULL)
CREATE TABLE losses (step REAL PRIMARY KEY, loss REAL NOT NULL, time_ms INTEGER NOT NULL) WITHOUT ROWID
CREATE TABLE events (id INTEGER PRIMARY KEY, time_ms INTEGER NOT NULL, kind TEXT NOT NULL, json TEXT NOT NULL, UNIQUE (time_ms, kind, json))
CREATE TABLE ticks (id INTEGER PRIMARY KEY AUTOINCREMENT, node INTEGER NOT NULL, from_ms INTEGER NOT NULL, to_ms INTEGER NOT NULL, hole_ms INTEGER NOT NULL, count INTEGER NOT NULL, sealed INTEGER NOT NULL, data BLOB NOT NULL)
CREATE INDEX ticks_by_node ON ticks (node, from_ms, to_ms)
CREATE INDEX ticks_by_time ON ticks (from_ms, to_ms, node, hole_ms)
CREATE INDEX ticks_fresh ON ticks (node, from_ms, to_ms, count) WHERE sealed = 0
CREATE TABLE processes (id INTEGER PRIMARY KEY AUTOINCREMENT, node INTEGER NOT NULL, from_ms INTEGER NOT NULL, to_ms INTEGER NOT NULL, hole_ms INTEGER NOT NULL, count INTEGER NOT NULL, sealed INTEGER NOT NULL, data BLOB NOT NULL)
CREATE INDEX processes_by_node ON processes (node, from_ms, to_ms)
CREATE INDEX processes_by_time ON processes (from_ms, to_ms, node, hole_ms)
CREATE INDEX processes_fresh ON processes (node, from_ms, to_ms, count) WHERE sealed = 0
INSERT INTO meta VALUES ('cluster', 'lumi'), ('gpu_word', 'GCD'), ('gpus_per_package', 2), ('gpus_per_node', 8), ('owner', ''), ('owner_seen', 1790000030000)
INSERT INTO meta VALUES ('job', '{"account":"project_462000265","elapsedSeconds":31,"ended":"2026-09-21T14:13:51.000Z","exitCode":1,"exitSignal":0,"gpus":8,"gres":"gres/gpu:mi250=8","jobId":"4711","name":"gpt-imdb","nodeList":["n1"],"nodes":1,"partition":"small-g","standardOutput":"/scratch/out-4711.txt","started":"2026-09-21T14:13:20.000Z","state":"FAILED","stepState":"OUT_OF_MEMORY","submitted":"2026-09-21T14:12:20.000Z","timeLimitSeconds":3600,"user":"student","workdir":"/scratch"}')
INSERT INTO nodes VALUES (0, 'n1', 8)
INSERT INTO progress VALUES (1790000005000, '{"framework":"tqdm","loss":2.5,"rate":3.25,"rateUnit":"it/s","step":30,"stepWithinEpoch":true,"steps":600}')
INSERT INTO losses VALUES (1.0, 3.5, 1790000001000), (30.0, 2.5, 1790000005000)
INSERT INTO events (time_ms, kind, json) VALUES (1790000000000, 'state', '{"reason":"","state":"RUNNING"}')
INSERT INTO events (time_ms, kind, json) VALUES (1790000008000, 'alerts', '{"alerts":[{"advice":"--ntasks-per-node=8","class":"idle_gpus","field":"launch.launcher","gpus":[{"gpu":6,"node":0},{"gpu":7,"node":0}],"level":"warning","meaning":"They are paid for.","nodes":["n1"],"rank":null,"rule":"A12","seen":"0 % since the start","since":"2026-09-21T14:13:20.250Z","source":null,"title":"2 of 8 GCDs never did work"}]}')
INSERT INTO events (time_ms, kind, json) VALUES (1790000030000, 'failures', '{"failures":[{"advice":"Use a smaller micro-batch.","class":"oom_gpu","evidence":"torch.cuda.OutOfMemoryError: HIP out of memory.","gpu":3,"line":812,"node":"n1","rank":3,"rule":"oom-torch","source":"PyTorch"}]}')
INSERT INTO events (time_ms, kind, json) VALUES (1790000031000, 'alerts', '{"alerts":[{"advice":null,"class":"output_failure","field":null,"gpus":[],"level":"failure","meaning":null,"nodes":[],"rank":3,"rule":"A01","seen":null,"since":null,"source":null,"title":"Rank 3 ran out of GPU memory"}]}')
PRAGMA application_id=1381452626
PRAGMA user_version=1
