#!/usr/bin/python3
"""Tests of the practice cluster's GPU tools and launcher, without a cluster: their formats against the real tools' shapes."""
import glob
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import time
import unittest

sys.dont_write_bytecode = True
PRACTICE = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "resources", "practice"))
TOOLS = os.path.join(PRACTICE, "tools")
sys.path.insert(0, TOOLS)
NODE = "toolstest%d" % os.getpid()
FOLDER = "/tmp/rankwright-gpu/%d/%s" % (os.getuid(), NODE)
TOTAL = 68702699520
HEADER = ("device,Temperature (Sensor edge) (C),Temperature (Sensor junction) (C),Temperature (Sensor memory) (C),"
          "Average Graphics Package Power (W),GPU use (%),GFX Activity,VRAM Total Memory (B),VRAM Total Used Memory (B)")
USUAL = ("--showuse", "--showmeminfo", "vram", "--showpower", "--showtemp")


def publish(gpu, state, memory=20 << 30, pid=None):
    """A rank's activity file, as train_ddp.py writes it, long enough in its state."""
    os.makedirs(FOLDER, exist_ok=True)
    with open("%s/%d-%d" % (FOLDER, gpu, pid or os.getpid()), "w") as stream:
        stream.write("%d %d %s %.3f 0 0 0 %d 77" % (gpu, pid or os.getpid(), state, time.time() - 60, memory))


def tool(name, *words, gpus="0,1,2,3", code=0, **more):
    env = {"PATH": "/usr/bin:/bin", "SLURMD_NODENAME": NODE, "LC_ALL": "C.UTF-8", "SLURM_JOB_ID": "77"}
    if gpus is not None:
        env["SLURM_STEP_GPUS"] = gpus
    env.update(more)
    done = subprocess.run([os.path.join(TOOLS, name), *words], capture_output=True, env=env, timeout=900)
    if done.returncode != code:
        raise AssertionError("%s gave %d: %s%s" % (name, done.returncode, done.stdout, done.stderr))
    return done.stdout.decode(), done.stderr.decode()


class ToolCase(unittest.TestCase):
    def setUp(self):
        self.tearDown()

    def tearDown(self):
        shutil.rmtree(FOLDER, ignore_errors=True)
        for path in glob.glob("/tmp/rankwright-gpu/%d/seen-%s*" % (os.getuid(), NODE)):
            os.unlink(path)


def rows_of(text):
    lines = text.splitlines()
    return [dict(zip(lines[0].split(","), line.split(","))) for line in lines[1:] if line]


class RocmSmi(ToolCase):
    def test_csv(self):
        text, _ = tool("rocm-smi", *USUAL, "--csv")
        lines = text.split("\n")
        self.assertEqual(lines[0], HEADER)
        self.assertEqual([line.split(",")[0] for line in lines[1:5]], ["card0", "card1", "card2", "card3"])
        self.assertEqual(lines[5:], ["", ""], "ends with an empty line")
        self.assertRegex(lines[1], r"^card0,\d+\.0,\d+\.0,\d+\.0,\d+\.\d,\d+,\d{10},68702699520,\d+$")
        self.assertEqual(lines[2].split(",")[4], "N/A (Secondary die)")
        self.assertLess(max(map(len, lines)), 1024)

    def test_order_is_the_tools_own(self):
        one = tool("rocm-smi", "--showuse", "--showtemp", "--csv")[0].split("\n")[0]
        two = tool("rocm-smi", "--showtemp", "--showuse", "--csv")[0].split("\n")[0]
        self.assertEqual(one, two)

    def test_json_is_one_line_of_texts(self):
        text, _ = tool("rocm-smi", *USUAL, "--showid", "--showmaxpower", "--json")
        self.assertEqual(text.count("\n"), 1)
        value = json.loads(text)
        self.assertEqual(list(value), ["card0", "card1", "card2", "card3"])
        self.assertTrue(all(isinstance(cell, str) for card in value.values() for cell in card.values()))
        self.assertEqual(value["card0"]["Max Graphics Package Power (W)"], "500.0")
        self.assertEqual(value["card1"]["Max Graphics Package Power (W)"], "0.0")

    def test_processes(self):
        publish(2, "computing", 5 << 30)
        value = json.loads(tool("rocm-smi", "--showpids", "--json")[0])
        self.assertEqual(value, {"system": {"PID%d" % os.getpid(): "python3, 1, %d, 0, unknown" % (5 << 30)}})
        self.assertIn("%d\tpython3" % os.getpid(), tool("rocm-smi", "--showpids")[0])

    def test_json_alone_is_refused(self):
        text, _ = tool("rocm-smi", "--json", code=1)
        self.assertEqual(text, "NOT_SUPPORTED: Cannot print JSON/CSV output for concise output\n")
        self.assertIn("unrecognized arguments", tool("rocm-smi", "--nonsense", code=2)[1])

    def test_concise_table(self):
        lines = tool("rocm-smi")[0].split("\n")
        self.assertEqual(lines[:2], ["", ""])
        heads = lines[4].split()
        self.assertEqual(heads, "Device Node IDs Temp Power Partitions SCLK MCLK Fan Perf PwrCap VRAM% GPU%".split())
        self.assertTrue(lines[5].startswith("\033[3m") and lines[5].endswith("\033[0m"))
        self.assertRegex(lines[7], r"^0 +4 +0x7408,   51107 +\d+\.0°C +\d+\.\dW +N/A, N/A, 0 +\d+Mhz +1600Mhz +0% +manual +500\.0W +0% +0% +$")
        self.assertRegex(lines[8], r"^1 +5 .*°C +N/A +N/A, N/A, 0 .* 0\.0W ")
        self.assertEqual({len(line) for line in lines[2:5] + lines[6:12]}, {len(lines[6])}, "all lines are equally long")

    def test_text(self):
        text, _ = tool("rocm-smi", "--showpower")
        self.assertIn("GPU[1]\t\t: Average Graphics Package Power (W): N/A (Secondary die)", text)
        self.assertIn("\t\tPrimary die (usually one above or below the secondary)", text)

    def test_only_own_gpus_and_renumbered(self):
        publish(5, "computing")
        rows = rows_of(tool("rocm-smi", *USUAL, "--csv", gpus="4-5")[0])
        self.assertEqual([row["device"] for row in rows], ["card0", "card1"])
        self.assertGreater(int(rows[1]["GPU use (%)"]), 95)
        self.assertEqual(int(rows[0]["GPU use (%)"]), 0)

    def test_no_gpu(self):
        text, errors = tool("rocm-smi", "--showuse", "--json", gpus=None)
        self.assertEqual((text, errors), ("", "WARNING: No AMD GPUs specified\nWARNING: No JSON data to report\n"))

    def test_quick(self):
        """In processor time, against an empty program in the same language."""
        def cost(call):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            for _ in range(5):
                call()
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        empty = cost(lambda: subprocess.run(["/usr/bin/python3", "-c", "pass"], check=True))
        self.assertLess(cost(lambda: tool("rocm-smi", *USUAL, "--csv")), 10 * empty)


class Model(ToolCase):
    def figures(self, states):
        for gpu, state in states.items():
            publish(gpu, state)
        rows = rows_of(tool("rocm-smi", *USUAL, "--csv")[0])
        return float(rows[0]["Average Graphics Package Power (W)"]), [int(row["GPU use (%)"]) for row in rows[:2]], rows

    def test_idle(self):
        power, use, rows = self.figures({})
        self.assertTrue(80 < power < 100 and use == [0, 0], (power, use))
        self.assertEqual(rows[0]["VRAM Total Used Memory (B)"], "11030528")

    def test_one_die_computing(self):
        power, use, _ = self.figures({0: "computing"})
        self.assertTrue(280 < power < 320 and use[0] >= 96 and use[1] == 0, (power, use))

    def test_both_dies_computing(self):
        power, use, rows = self.figures({0: "computing", 1: "computing"})
        self.assertTrue(475 < power <= 500 and min(use) >= 96, (power, use))
        self.assertGreater(float(rows[0]["Temperature (Sensor edge) (C)"]), 50)
        self.assertEqual(rows[0]["VRAM Total Used Memory (B)"], str((20 << 30) + 11030528))

    def test_waiting_is_full_use_at_low_power(self):
        power, use, _ = self.figures({0: "waiting", 1: "waiting"})
        self.assertTrue(90 <= power <= 142 and min(use) >= 96, (power, use))

    def test_loading_holds_memory_at_no_use(self):
        power, use, rows = self.figures({0: "loading", 1: "loading"})
        self.assertTrue(105 < power < 130 and max(use) <= 5, (power, use))
        self.assertGreater(int(rows[0]["VRAM Total Used Memory (B)"]), 1 << 34)

    def test_a_dead_rank_is_ignored(self):
        child = subprocess.Popen(["true"])
        child.wait()
        publish(0, "computing", pid=child.pid)
        self.assertEqual(rows_of(tool("rocm-smi", *USUAL, "--csv")[0])[0]["GPU use (%)"], "0")

    def test_damaged_file_is_ignored(self):
        os.makedirs(FOLDER)
        with open(FOLDER + "/0-1", "w") as stream:
            stream.write("0 1 comp")
        self.assertEqual(rows_of(tool("rocm-smi", *USUAL, "--csv")[0])[0]["GPU use (%)"], "0")

    def test_temperature_follows_slowly(self):
        tool("rocm-smi", "--showtemp", "--csv")
        power, _, rows = self.figures({0: "computing", 1: "computing"})
        self.assertGreater(power, 470)
        self.assertLess(float(rows[0]["Temperature (Sensor edge) (C)"]), 45)


class AmdSmi(ToolCase):
    def test_monitor_csv(self):
        text, _ = tool("amd-smi", "monitor", "-p", "-t", "-u", "-v", "--csv")
        lines = text.split("\n")
        self.assertEqual(lines[0], "gpu,power_usage,hotspot_temperature,memory_temperature,gfx,gfx_clock,vram_used,vram_total\r")
        self.assertRegex(lines[1], r"^0,\d+,\d+,\d+,\d+,\d+,\d+,65520\r$")
        self.assertTrue(lines[2].startswith("1,0,"), "no power on the secondary die")
        self.assertEqual(lines[5:], ["", ""])

    def test_monitor_watch_json(self):
        text, _ = tool("amd-smi", "monitor", "-ptumv", "-w", "1", "-i", "1", "--json", gpus="0")
        first, _, rest = text.partition("\n")
        self.assertEqual(first, "'CTRL' + 'C' to stop watching output:")
        value = json.loads(rest)[0]
        self.assertEqual(list(value)[:3], ["timestamp", "gpu", "power_usage"])
        self.assertEqual(value["vram_total"], {"value": 65520, "unit": "MB"})

    def test_monitor_table(self):
        lines = tool("amd-smi", "monitor", "-p", "-u")[0].splitlines()
        self.assertEqual(lines[0].split(), ["GPU", "POWER", "GFX_UTIL", "GFX_CLOCK"])
        self.assertRegex(lines[1], r"^  0 +\d+ W +\d+ % +\d+ MHz$")

    def test_metric(self):
        value = json.loads(tool("amd-smi", "metric", "--json")[0])
        self.assertEqual([entry["gpu"] for entry in value], [0, 1, 2, 3])
        self.assertEqual(value[0]["mem_usage"]["total_vram"], {"value": 65520, "unit": "MB"})
        self.assertIn("socket_power", value[0]["power"])


class NvidiaSmi(ToolCase):
    FIELDS = "timestamp,index,uuid,utilization.gpu,memory.used,memory.total,power.draw,temperature.gpu,clocks.sm,utilization.memory"

    def test_query(self):
        lines = tool("nvidia-smi", "--query-gpu=" + self.FIELDS, "--format=csv")[0].splitlines()
        self.assertEqual(lines[0], "timestamp, index, uuid, utilization.gpu [%], memory.used [MiB], memory.total [MiB], power.draw [W], "
                                   "temperature.gpu, clocks.current.sm [MHz], utilization.memory [%]")
        self.assertRegex(lines[1], r"^\d{4}/\d\d/\d\d \d\d:\d\d:\d\d\.\d{3}, 0, GPU-[0-9a-f-]{36}, \d+ %, \d+ MiB, 40960 MiB, "
                                   r"\d+\.\d\d W, \d+, \d+ MHz, \d+ %$")
        self.assertEqual(len(lines), 5)

    def test_nounits_noheader(self):
        lines = tool("nvidia-smi", "--query-gpu=index,power.draw", "--format=csv,noheader,nounits", gpus="2")[0].splitlines()
        self.assertEqual(len(lines), 1)
        self.assertRegex(lines[0], r"^0, \d+\.\d\d$")

    def test_unknown_field(self):
        text, _ = tool("nvidia-smi", "--query-gpu=index,power.drew", "--format=csv", code=2)
        self.assertEqual(text, 'Field "power.drew" is not a valid field to query.\n\n')

    def test_no_device(self):
        self.assertEqual(tool("nvidia-smi", gpus=None, code=6)[0], "No devices were found\n")

    def test_loop(self):
        env = {"PATH": "/usr/bin", "SLURMD_NODENAME": NODE, "SLURM_STEP_GPUS": "0,1"}
        child = subprocess.Popen([TOOLS + "/nvidia-smi", "--query-gpu=index", "--format=csv,noheader", "-lms", "100"],
                                 stdout=subprocess.PIPE, env=env, text=True)
        try:
            self.assertEqual([child.stdout.readline().strip() for _ in range(6)], ["0", "1"] * 3)
        finally:
            child.kill()
            child.communicate()

    def test_table(self):
        publish(1, "computing", 9 << 30)
        lines = tool("nvidia-smi")[0].splitlines()
        self.assertEqual({len(line) for line in lines[1:]}, {91}, "\n".join(lines))
        self.assertRegex("\n".join(lines), r"\| N/A +\d+C    P0 +\d+W /  400W \| +92\d\dMiB /  40960MiB \| +\d+% +Default \|")
        self.assertIn("9216MiB |", lines[-2])


class Launcher(unittest.TestCase):
    def translate(self, *words):
        spec = {"__name__": "torchrun"}
        with open(TOOLS + "/torchrun") as stream:
            exec(compile(stream.read(), "torchrun", "exec"), spec)
        return spec["translate"](list(words))

    def test_dashes(self):
        self.assertEqual(self.translate("--nproc-per-node=4", "--rdzv-id", "my-id", "--standalone", "train-it.py", "--a-b=c-d"),
                         ["--nproc_per_node=4", "--rdzv_id", "my-id", "--standalone", "train-it.py", "--a-b=c-d"])

    def test_training_program_names_what_is_missing(self):
        done = subprocess.run(["/usr/bin/python3", PRACTICE + "/train_ddp.py"], capture_output=True, text=True,
                              env={"PATH": "/usr/bin", "RANK": "0"})
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"^train_ddp.py: WORLD_SIZE, MASTER_ADDR, MASTER_PORT are not set\. Start it with torchrun")

    def test_training_program_alone_is_one_process(self):
        done = subprocess.run(["/usr/bin/python3", PRACTICE + "/train_ddp.py", "--alone", "--steps", "2", "--device-time", "0"],
                              capture_output=True, text=True, env={"PATH": "/usr/bin"})
        self.assertEqual(done.returncode, 0, done.stderr)
        several = subprocess.run(["/usr/bin/python3", PRACTICE + "/train_ddp.py", "--alone"], capture_output=True, text=True,
                                 env={"PATH": "/usr/bin", "SLURM_NTASKS": "8"})
        self.assertEqual(several.returncode, 2)     # eight tasks would train the same eight times

    def test_bar_is_tqdms(self):
        sys.path.insert(0, PRACTICE)
        import train_ddp
        self.assertEqual([train_ddp.clock(value) for value in (76, 3725)], ["01:16", "1:02:05"])

    def test_sizes(self):
        for path in glob.glob(PRACTICE + "/**/*.py", recursive=True):
            with open(path) as stream:
                text = stream.read()
            self.assertLess(text.count("\n"), 400, path)
            self.assertIsNone(re.search(r"/wor[k]/", text), path)


if __name__ == "__main__":
    unittest.main(verbosity=1)
