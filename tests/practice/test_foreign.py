#!/usr/bin/python3
"""A site that is not as the catalogue and our habits have it: start-up files with variables of their own, other login shells,
wrappers around sbatch, other partitions and accounts, connections that are reset. RANKWRIGHT_CLI names the program."""
import concurrent.futures
import contextlib
import json
import os
import random
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest

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


class Foreign(base.ClusterCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def cli(self, *words, timeout=120):
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

    def held(self, job):
        text = base.on_cluster("scontrol -o show job %s" % job)
        return {key: text.split(" %s=" % key)[1].split(" ")[0] for key in ("Account", "Partition", "TimeLimit")}

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
            for _ in range(60):
                if "R" in base.on_cluster("squeue -h -j %s_0 -o %%t" % job):
                    break
                time.sleep(0.3)
            watched = self.cli("watch", "practice", job + "_0", "--no-record")
            out, err = process.communicate(timeout=120)
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
        for command in ("watch", "cancel", "report", "gpu-records"):
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
        self.assertIn("is as its Slurm reports", self.cli("clusters", "practice", "--compare").stdout)
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

    def test_a_login_that_is_reset_ends(self):
        """Reset after so many bytes of the server, at once or while the client computes: reported within seconds."""
        info = base.Cluster.info
        listener = socket.create_server((info["host"], 0))
        limits = [random.Random(number).randrange(1, 4000) for number in range(24)]

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
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            for code, seconds, err in pool.map(connect, limits):
                self.assertIn(code, (0, 3), err)     # 0: the login was shorter than that
                self.assertLess(seconds, 30, err)
                codes.append(code)
        listener.close()
        self.assertGreater(codes.count(3), 8, codes)


if __name__ == "__main__":
    unittest.main()
