#!/usr/bin/python3
"""A site that is not as the catalogue and our habits have it: start-up files with variables of their own, other login shells,
wrappers around sbatch, other partitions and accounts, connections that are reset. RANKWRIGHT_CLI names the program."""
import concurrent.futures
import contextlib
import json
import os
import random
import resource
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import test_practice as base  # noqa: E402

# What people keep in start-up files: LUMI's guide advises the first one, the others are sbatch's and squeue's own.
VARIABLES = """export SBATCH_ACCOUNT=project_465000002 SBATCH_TIMELIMIT=7 SBATCH_PARTITION=gpumedium SBATCH_JOB_NAME=mine
export SBATCH_ARRAY_INX=0-2 SBATCH_WAIT=1 SBATCH_OUTPUT=/dev/null SQUEUE_PARTITION=gpumedium SQUEUE_FORMAT2=JobID SCANCEL_STATE=PENDING
mkdir -p elsewhere; cd elsewhere
"""


def tearDownModule():
    base.Cluster.stop()


class Site(base.ClusterCase):
    """A data folder of its own, designs, and start-up files on the cluster."""
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def cli(self, *words, timeout=900):
        return subprocess.run([os.environ["RANKWRIGHT_CLI"], *words], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                              timeout=timeout, env=dict(os.environ, XDG_DATA_HOME=self.folder,
                                                        RANKWRIGHT_PRACTICE_DIR=base.Cluster.state))

    def design(self, name, **members):
        path = "%s/%s.json" % (self.folder, name)
        entry = {"version": 1, "name": name, "cluster": "practice", "partition": "small-g", "account": base.Cluster.info["account"],
                 "time": "00:05:00", "launcher": "srun", "resources": {"nodes": 1, "gpusPerNode": 1},
                 "parallel": {"strategy": "single"}, "command": "sleep 1", "workdir": base.Cluster.info["workdir"], **members}
        with open(path, "w") as stream:
            json.dump(entry, stream)
        return path

    @contextlib.contextmanager
    def start_up_file(self, text, **files):
        for name, content in files.items():
            base.on_cluster("mkdir -p ~/bin && cat >~/bin/%s && chmod +x ~/bin/%s" % (name, name), content)
        base.on_cluster("cat >~/.bashrc", text)
        try:
            yield
        finally:
            base.ssh("rm -f ~/.bashrc; rm -rf ~/bin")
            base.ssh("rm -f ~/.bashrc")     # the first of them may have been read by another shell

    def as_root(self, command, text=None):
        """A command on the login node, as its administrator."""
        if not base.Cluster.own or not base.ROOT:
            self.skipTest("changes the accounting, which is the administrator's")
        node = str(base.Cluster.refresh()["pids"]["node:" + base.Cluster.info["loginNode"]])
        done = subprocess.run(["nsenter", "--target", node, "--mount", "--root", "--uts", "--ipc", "--net", "--pid", "--",
                               "/usr/bin/env", "-C", "/", "/bin/bash", "-c", command], input=text or "", capture_output=True,
                              text=True, timeout=900)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def held(self, job):
        text = base.on_cluster("scontrol -o show job %s" % job)
        return {key: text.split(" %s=" % key)[1].split(" ")[0] for key in ("Account", "Partition", "TimeLimit")}


class Foreign(Site):
    def test_variables_of_the_user_do_not_replace_the_design(self):
        with self.start_up_file(VARIABLES):
            done = self.cli("submit", self.design("variables"), "--json")
            listed = self.cli("jobs", "practice")
            answer = json.loads(done.stdout)
            ended = self.cli("cancel", "practice", answer["jobId"])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.held(answer["jobId"]),
                         {"Account": base.Cluster.info["account"], "Partition": "small-g", "TimeLimit": "00:05:00"})
        self.assertEqual(answer["differences"], [])
        self.assertRegex(listed.stdout, r"%s +variables" % answer["jobId"])
        self.assertEqual(ended.returncode, 0, ended.stderr)

    def test_what_the_site_changes_is_said(self):
        wrapper = "#!/bin/bash\ncase \"$*\" in *--test-only*) exec /usr/bin/sbatch \"$@\";; esac\nexec /usr/bin/sbatch --time=7 \"$@\"\n"
        with self.start_up_file("export PATH=$HOME/bin:$PATH\n", sbatch=wrapper):
            done = self.cli("submit", self.design("changed"), "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["differences"], ["Slurm has the time limit 00:07:00, the script says 00:05:00."])
        self.assertIn("Slurm has the time limit 00:07:00", done.stderr)

    def test_an_array_is_waited_for_and_watched_by_task(self):
        wrapper = "#!/bin/bash\ncase \"$*\" in *--test-only*) exec /usr/bin/sbatch \"$@\";; esac\nexec /usr/bin/sbatch --array=0-1%1 \"$@\"\n"
        with self.start_up_file("export PATH=$HOME/bin:$PATH\n", sbatch=wrapper):
            process = subprocess.Popen([os.environ["RANKWRIGHT_CLI"], "submit", self.design("array", command="sleep 8"), "--wait", "--json"],
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL,
                                       env=dict(os.environ, XDG_DATA_HOME=self.folder, RANKWRIGHT_PRACTICE_DIR=base.Cluster.state))
            for line in process.stderr:
                if "Submitted as job" in line:
                    break
            job = line.split("job ")[1].strip(" .\n")
            asked = self.cli("watch", "practice", job)
            self.assertEqual(asked.returncode, 2, asked.stderr)
            self.assertIn("an array of 2 tasks", asked.stderr)
            self.assertIn(job + "_1", asked.stderr)
            self.assertTrue(base.wait_until(lambda: "R" in base.on_cluster("squeue -h -j %s_0 -o %%t" % job)))
            watched = self.cli("watch", "practice", job + "_0", "--no-record")
            out, err = process.communicate(timeout=900)
        self.assertNotIn("Invalid numeric value", watched.stdout)
        self.assertIn('"utilizationPercent"', watched.stdout)
        states = {task["jobId"]: task["state"] for task in json.loads(out)["tasks"]}
        self.assertEqual(sorted(states), [job + "_0", job + "_1"], err)
        self.assertNotIn("RUNNING", states.values())
        self.assertEqual(process.returncode, 0 if set(states.values()) == {"COMPLETED"} else 1)
        reported = json.loads(self.cli("report", "practice", job, "--json").stdout)["jobs"]
        self.assertEqual(len(reported), 2, reported)

    def test_ids_that_nobody_knows(self):
        unknown = self.cli("cancel", "practice", "999999")
        self.assertEqual(unknown.returncode, 1)
        self.assertIn("does not know a job 999999", unknown.stderr)
        for command in ("watch", "outputs", "cancel", "report", "gpu-records"):
            self.assertEqual(self.cli(command, "practice", "12x").returncode, 2, command)
        folder = self.cli("gpu-records", "practice", "--folder", "/no/such")
        self.assertEqual(folder.returncode, 1)
        self.assertNotIn("while", folder.stderr)
        self.assertIn("/no/such", folder.stderr)

    def test_other_login_shells(self):
        for shell in ("dash", "fish", "tcsh", "zsh"):
            path = shutil.which(shell)
            if not path:
                continue
            with self.subTest(shell):
                # as sshd would start it: with the command as its -c
                with self.start_up_file("[ -n \"$BASH_EXECUTION_STRING\" ] && exec %s -c \"$BASH_EXECUTION_STRING\"\n" % path):
                    done = self.cli("submit", self.design("shell-" + shell))
                    listed = self.cli("jobs", "practice")
                    base.ssh("rm -f .bashrc")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertRegex(listed.stdout, r"%s +shell-%s" % (done.stdout.strip(), shell))

    def compared(self, *words):
        done = self.cli("clusters", *words, "--compare", "--json")
        self.assertIn(done.returncode, (0, 1), done.stderr)
        answer = json.loads(done.stdout)
        self.assertEqual(answer["same"], done.returncode == 0)
        return answer, {one["place"]: (one["entry"], one["cluster"]) for one in answer["differences"]}

    def test_an_entry_is_compared_with_its_cluster(self):
        info = base.Cluster.info
        there = ["--host", info["host"], "--port", str(info["port"]), "--user", info["user"], "--identity", info["identity"],
                 "--known-hosts", info["knownHosts"]]
        answer, differences = self.compared("practice")
        self.assertEqual(differences, {})
        self.assertIn(info["account"], answer["accounts"])
        self.assertIn("agrees with what its Slurm reports", self.cli("clusters", "practice", "--compare").stdout)
        answer, differences = self.compared("raven", *there)    # another site
        self.assertEqual(differences["$.partitions[3]"], ("there, with GPUs", None))
        self.assertIn("$.partitions", differences)
        self.assertTrue(any("writes no --partition" in one for one in answer["notCompared"]), answer["notCompared"])
        with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../resources/catalogue/practice.json")) as stream:
            entry = json.load(stream)
        entry["name"] = "changed"
        entry["partitions"][0]["maxTime"] = "5-00:00:00"
        entry["partitions"][0]["maxNodes"] = 9
        entry["nodes"][0]["memory"] = "900G"
        entry["launch"]["accountPattern"] = "^naiss[0-9]+$"
        os.makedirs(self.folder + "/config/rankwright/clusters")
        with open(self.folder + "/config/rankwright/clusters/changed.json", "w") as stream:
            json.dump(entry, stream)
        os.environ["XDG_CONFIG_HOME"] = self.folder + "/config"
        self.addCleanup(os.environ.pop, "XDG_CONFIG_HOME")
        answer, differences = self.compared("changed", *there)
        self.assertEqual({one["subject"] for one in answer["differences"]},
                         {"partition small-g: longest time", "partition small-g: most nodes of a job",
                          "node lumi-g-like: memory for jobs", "form of an account"})
        self.assertEqual(differences["$.partitions[0].maxNodes"][0], "9")
        done = self.cli("clusters", "changed", *there, "--compare")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"partition small-g: most nodes of a job +9 +\d+ +\$\.partitions\[0\]\.maxNodes")

    def test_a_catalogue_entry_that_is_not_this_site(self):
        info = base.Cluster.info
        there = ["--host", info["host"], "--port", str(info["port"]), "--user", info["user"], "--identity", info["identity"],
                 "--known-hosts", info["knownHosts"]]
        seen = json.loads(self.cli("connect", "raven", *there, "--json").stdout)
        self.assertIn(info["account"], seen["accounts"])
        done = self.cli("submit", self.design("other", cluster="raven", partition="gpu", account=info["account"]), *there)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("partition", done.stderr)
        wrong = self.cli("submit", self.design("stranger", account=info["foreignAccount"]))
        self.assertEqual(wrong.returncode, 1)
        self.assertIn("Where it lists none", wrong.stderr)

    @contextlib.contextmanager
    def login_node(self, setting):
        """The login node's sshd with a line more in its configuration."""
        if not base.Cluster.own:
            self.skipTest("would disturb the users of the running cluster")
        path = base.Cluster.state + "/etc/sshd_config"
        with open(path) as stream:
            before = stream.read()

        def configure(text):
            with open(path, "w") as stream:
                stream.write(text)
            os.kill(base.Cluster.refresh()["pids"]["sshd"], signal.SIGHUP)
            time.sleep(0.2)    # the old one may still answer; what follows says whether the new one does
            base.wait_until(lambda: base.ssh("true").returncode == 0)
        configure(setting + "\n" + before)
        try:
            yield
        finally:
            configure(before)

    def test_a_server_with_one_session_for_each_connection(self):
        with self.login_node("MaxSessions 1"):
            done = self.cli("submit", self.design("one", command="train_ddp.py --steps 60 --seconds 60",
                                                  resources={"nodes": 1, "gpusPerNode": 2}, parallel={"strategy": "ddp"}))
            self.assertEqual(done.returncode, 0, done.stderr)
            watched = self.cli("watch", "practice", done.stdout.strip(), "--no-record", timeout=900)
        events = [json.loads(line) for line in watched.stdout.splitlines()]
        self.assertEqual(watched.returncode, 0, watched.stdout[-2000:] + watched.stderr)
        self.assertGreater(sum("event" not in event for event in events), 40, "samples")
        self.assertGreater(sum(event.get("event") == "progress" for event in events), 5, "the output is followed beside them")
        self.assertEqual([event["state"] for event in events if event.get("event") == "state"][-1], "COMPLETED")
        troubles = " ".join(event["text"] or "" for event in events if event.get("event") == "trouble")
        self.assertIn("allows one command at a time", troubles)
        self.assertNotIn("waited too long", troubles)
        self.assertNotIn("overloaded", troubles)

    def ssh_config(self, text):
        path = self.folder + "/ssh_config"
        with open(path, "w") as stream:
            stream.write(text)
        return ["--config", path]

    def test_the_users_own_ssh_configuration(self):
        """What ~/.ssh/config says of a host of the catalogue counts; what is said on the command line wins."""
        info = base.Cluster.info
        there = " HostName %(host)s\n Port %(port)s\n" % info
        login = " User %(user)s\n IdentityFile %(identity)s\n IdentitiesOnly yes\n UserKnownHostsFile %(knownHosts)s\n" % info
        host = "raven.mpcdf.mpg.de"     # its entry names a jump host, which such a configuration replaces
        config = self.ssh_config("Host %s\n%s%s" % (host, there, login))
        seen = self.cli("connect", "raven", "--json", *config)
        self.assertEqual(seen.returncode, 0, seen.stderr)
        self.assertEqual(json.loads(seen.stdout)["user"], info["user"])
        # by way of another host, which has a user and a key of its own
        wrong = " User nobody\n Port 1\n IdentityFile /nowhere\n"
        behind = " HostName localhost\n Port 22\n ProxyJump gate\n" if base.ROOT else " HostName localhost\n Port 2222\n ProxyJump gate\n"
        with open(info["knownHosts"]) as stream:
            key = " ".join(stream.readline().split()[1:3])
        known = self.folder + "/known"
        with open(info["knownHosts"]) as source, open(known, "w") as stream:
            stream.write(source.read() + "localhost %s\n[localhost]:2222 %s\n" % (key, key))
        login = login.replace(info["knownHosts"], known)
        config = self.ssh_config("Host gate\n%s%s\nHost %s\n%s%s" % (there, login, host, behind, login))
        jumped = self.cli("connect", "raven", "--json", *config)
        self.assertEqual(jumped.returncode, 0, jumped.stderr)
        # options win: all that the file says is wrong
        config = self.ssh_config("Host %s\n HostName 127.0.0.1\n ProxyJump nowhere.invalid\n%s" % (host, wrong))
        refused = self.cli("connect", "raven", *config)
        self.assertEqual(refused.returncode, 3, refused.stderr)
        self.assertIn("nowhere.invalid", refused.stderr)
        options = ["--port", str(info["port"]), "--user", info["user"], "--identity", info["identity"],
                   "--known-hosts", info["knownHosts"], "--jump", "none"]
        won = self.cli("connect", "raven", "--json", *config, *options)
        self.assertEqual(won.returncode, 0, won.stderr)

    def test_a_data_folder_that_cannot_be_written(self):
        """What only reads answers, with a word that nothing is kept; nothing is submitted without a record of it."""
        done = self.cli("submit", self.design("kept", command="hostname"), "--wait", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        job = json.loads(done.stdout)["jobId"]

        def full():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))

        def run(*words, folder=self.folder):
            environment = dict(os.environ, XDG_DATA_HOME=folder, RANKWRIGHT_PRACTICE_DIR=base.Cluster.state)
            return subprocess.run([os.environ["RANKWRIGHT_CLI"], *words], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                                  timeout=900, env=environment, preexec_fn=full)

        both = self.cli("report", "practice", job, "99999999", "--json")
        self.assertEqual(both.returncode, 1, both.stderr)
        self.assertIn(job, both.stdout, "the known one is reported beside an unknown one")
        self.assertIn("99999999", both.stderr)
        with open(self.folder + "/file", "w"):
            pass
        for folder in (self.folder, self.folder + "/file"):
            for words in (("jobs", "practice", "--past", "1"), ("report", "practice", job), ("clusters", "--draft", "practice"),
                          ("connect", "practice"), ("watch", "practice", job, "--seconds", "3")):
                with self.subTest(words=words, folder=folder):
                    read = run(*words, folder=folder)
                    self.assertEqual(read.returncode, 0, read.stderr)
                    self.assertTrue(read.stdout)
                    self.assertIn("nothing of this is kept on this machine", read.stderr)
            queued = json.loads(self.cli("jobs", "practice", "--past", "1", "--json").stdout)
            refused = run("submit", self.design("lost", command="hostname"), folder=folder)
            self.assertEqual(refused.returncode, 1, refused.stderr)
            self.assertIn("nothing was sent", refused.stderr)
            self.assertEqual(len(json.loads(self.cli("jobs", "practice", "--past", "1", "--json").stdout)), len(queued))

    def test_two_clusters_of_one_accounting(self):
        """Accounts and jobs of another cluster, with the same job numbers, are not this one's; SLURM_CLUSTERS is heeded or said."""
        info = base.Cluster.info
        done = self.cli("submit", self.design("mine", command="hostname"), "--wait", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        job = json.loads(done.stdout)["jobId"]
        # The accounting hears of a job later than the controller: what is copied below must be there.
        self.assertEqual(base.wait_for(job), "COMPLETED")
        self.addCleanup(self.as_root, "sacctmgr -i delete cluster elsewhere; true")
        for words in ("add cluster elsewhere", "add account foreignproject Cluster=elsewhere",
                      "add user %s Account=foreignproject Cluster=elsewhere" % info["user"]):
            self.as_root("sacctmgr -i %s || sacctmgr -i %s" % (words, words))  # the database may be busy with a job's end
        self.as_root("mysql -S /run/mysqld/mysqld.sock slurm_acct_db -e \"INSERT INTO elsewhere_job_table SELECT * FROM practice_job_table "
                     "WHERE id_job=%s; UPDATE elsewhere_job_table SET job_name='theirs', account='foreignproject', state=5, id_assoc="
                     "(SELECT id_assoc FROM elsewhere_assoc_table WHERE user='%s' LIMIT 1)\"" % (job, info["user"]))
        # slurmdbd knows a cluster that was added just now a moment later; until then sacct fails.
        theirs = "sacct -M elsewhere -X -n -P -S now-1day -o jobname"
        self.assertTrue(base.wait_until(lambda: "theirs" in base.ssh(theirs).stdout), base.ssh(theirs).stderr + self.as_root(
            "mysql -S /run/mysqld/mysqld.sock slurm_acct_db -e 'SELECT id_job, id_assoc, state, job_name FROM elsewhere_job_table'"))
        with self.start_up_file("export SLURM_CLUSTERS=elsewhere\n"):
            lost = self.cli("connect", "practice")
        self.assertEqual(lost.returncode, 1, lost.stderr)
        self.assertIn("SLURM_CLUSTERS in your start-up files names a cluster", lost.stderr)
        with self.start_up_file("export SLURM_CLUSTERS=practice SACCT_FEDERATION=1 SQUEUE_FEDERATION=1\n"):
            seen = json.loads(self.cli("connect", "practice", "--json").stdout)
            listed = json.loads(self.cli("jobs", "practice", "--past", "1", "--json").stdout)
            reported = self.cli("report", "practice", job, "--json")
        self.assertNotIn("foreignproject", seen["accounts"])
        self.assertIn(info["account"], seen["accounts"])
        text = json.dumps(listed)
        self.assertIn('"mine"', text)
        self.assertNotIn("theirs", text)
        self.assertIn('"mine"', reported.stdout, reported.stderr)
        self.assertNotIn("theirs", reported.stdout)

    def test_nodes_of_another_shape(self):
        """The entry has nodes twice as large and another partition: what is wrong is refused with a reason, nothing is queued, and what
        fits both is watched as Slurm has it."""
        with open(os.path.realpath(base.HERE + "/../../resources/catalogue/practice.json")) as stream:
            site = json.load(stream)
        node = next(one for one in site["nodes"] if one["name"] == "lumi-g-like")
        node.update(gpus=16, cores=256, usableCores=256, coresPerGpu=16, memory="900G", memoryPerGpu="56G", places=[], links=[],
                    threadsPerCore=1)
        next(one for one in site["partitions"] if one["name"] == "standard-g")["name"] = "whole-g"
        for rule in site["billing"]:
            rule["partitions"] = [name.replace("standard-g", "whole-g") for name in rule["partitions"]]
        config = tempfile.mkdtemp(dir=self.folder)
        os.makedirs(config + "/rankwright/clusters")
        with open(config + "/rankwright/clusters/practice.json", "w") as stream:
            json.dump(site, stream)
        many = {"launcher": "torchrun", "parallel": {"strategy": "ddp"}}
        with unittest.mock.patch.dict(os.environ, XDG_CONFIG_HOME=config):
            queue = lambda: {job["jobId"] for job in json.loads(self.cli("jobs", "practice", "--json").stdout)}
            before = queue()
            for name, members, says in (
                    ("many", {"resources": {"nodes": 1, "gpusPerNode": 16}}, "its entry is out of date"),
                    ("renamed", {"partition": "whole-g", "resources": {"nodes": 1, "gpusPerNode": 16}}, "no such partition")):
                checked = self.cli("check", self.design(name, **many, **members))
                self.assertEqual(checked.returncode, 0, "by the entry all is well: " + checked.stdout)
                done = self.cli("submit", self.design(name, **many, **members))
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                self.assertEqual(done.stdout, "")
                self.assertIn(says, done.stderr)
            self.assertEqual(queue() - before, set())     # one may end meanwhile
            done = self.cli("submit", self.design("some", command="train_ddp.py --steps 20 --seconds 30",
                                                  **many, resources={"nodes": 1, "gpusPerNode": 2}), "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            answer = json.loads(done.stdout)
            self.assertEqual(answer["differences"], [])
            watched = self.cli("watch", "practice", answer["jobId"], "--no-record", "--seconds", "12")
            self.cli("cancel", "practice", answer["jobId"])
            seen = json.loads(self.cli("connect", "practice", "--json").stdout)
        events = [json.loads(line) for line in watched.stdout.splitlines()]
        gpus = {(event["node"], event["index"]) for event in events if "event" not in event}
        self.assertEqual({index for _, index in gpus}, {0, 1}, "the job's GPUs, not the entry's 16")
        self.assertEqual([event for event in events if event.get("event") == "trouble"], [])
        self.assertIn("standard-g", json.dumps(seen))
        self.assertNotIn("whole-g", json.dumps(seen))

    def test_a_job_of_another_user(self):
        info = base.Cluster.info
        job = self.as_root("su %s -s /bin/bash -c 'cd /tmp; printf \"#!/bin/bash\\nsleep 1500\\n\" | sbatch --parsable -A %s -p small-g -t 30 "
                           "--gpus-per-node=1 -N1 -o /dev/null -J theirs'" % (info["otherUser"], info["foreignAccount"])).strip()
        self.addCleanup(self.as_root, "scancel %s" % job)
        self.assertTrue(base.wait_until(lambda: base.on_cluster("squeue -h -j %s -o %%t" % job).strip() == "R"))
        listed = json.loads(self.cli("jobs", "practice", "--past", "1", "--json").stdout)
        self.assertNotIn(job, [entry["jobId"] for entry in listed])
        watched = self.cli("watch", "practice", job, "--seconds", "6")
        self.assertIn("job %s is %s's, not yours (%s)" % (job, info["otherUser"], info["user"]), watched.stderr)
        self.assertIn("belongs to somebody else", watched.stdout)
        ended = self.cli("cancel", "practice", job)
        self.assertEqual(ended.returncode, 1)
        self.assertEqual(ended.stderr.count("belongs to somebody else; nothing was cancelled"), 1, ended.stderr)
        reported = self.cli("report", "practice", job)
        self.assertIn("job %s is %s's, not yours" % (job, info["otherUser"]), reported.stderr)
        self.assertEqual(json.loads(self.cli("recordings", "list", "--json").stdout), [])
        self.assertEqual(base.on_cluster("squeue -h -j %s -o %%t" % job).strip(), "R", "it goes on")

    def test_a_login_that_is_reset_ends(self):
        """Reset after so many bytes of the server, at once or while the client computes: reported, and nothing waits for a limit of
        its own."""
        info = base.Cluster.info
        listener = socket.create_server((info["host"], 0))
        limits = [1 << 30] + [random.Random(number).randrange(1, 4000) for number in range(24)]    # the first is not cut

        def serve():
            for limit in limits:
                client, _ = listener.accept()
                threading.Thread(target=forward, args=(client, limit), daemon=True).start()

        def forward(client, most):
            limit = most
            server = socket.create_connection((info["host"], info["port"]))
            threading.Thread(target=pump, args=(client, server), daemon=True).start()
            with contextlib.suppress(OSError):
                while limit > 0 and (piece := server.recv(min(limit, 512))):
                    client.sendall(piece)
                    limit -= len(piece)
            time.sleep(most % 5 / 10)
            with contextlib.suppress(OSError):     # the one that was not cut has closed it
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            for each in (client, server):
                with contextlib.suppress(OSError):
                    each.shutdown(socket.SHUT_RD)     # wakes the other thread, which would keep the socket open
                each.close()

        def pump(client, server):
            with contextlib.suppress(OSError):
                while piece := client.recv(4096):
                    server.sendall(piece)
            client.close()

        def connect(_):
            began = time.monotonic()
            done = self.cli("connect", "lumi", "--host", info["host"], "--port", str(listener.getsockname()[1]), "--user", info["user"],
                            "--identity", info["identity"], "--known-hosts", known)
            return done.returncode, time.monotonic() - began, done.stderr

        codes = []
        known = self.folder + "/known_hosts"
        with open(info["knownHosts"]) as stream:
            text = stream.read().replace(":%d" % info["port"], ":%d" % listener.getsockname()[1])
        with open(known, "w") as stream:
            stream.write(text)
        threading.Thread(target=serve, daemon=True).start()
        code, usual, err = connect(None)    # what a whole login takes on this machine
        self.assertEqual(code, 0, err)
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            for code, seconds, err in pool.map(connect, limits[1:]):
                self.assertIn(code, (0, 3), err)     # 0: the login was shorter than that
                self.assertLess(seconds, 30 + 20 * usual, err)
                codes.append(code)
        listener.close()
        self.assertGreater(codes.count(3), 8, codes)


if __name__ == "__main__":
    unittest.main()
