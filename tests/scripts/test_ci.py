# SPDX-FileCopyrightText: 2026 The Rankwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Trials of scripts/run-suites, .ci/run and scripts/hooks/pre-commit, each in a small project of its own."""
import os
import shutil
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ILL_FORMATTED = "int  main( ){return 0;}\n"


def run(command, folder, **environment):
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False, env={**clean, **environment})
    return done.returncode, done.stdout


class Project(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = holder.name

    def write(self, path, text, executable=False):
        full = os.path.join(self.folder, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as file:
            file.write(text)
        if executable:
            os.chmod(full, 0o755)
        return full

    def git(self, *words):
        code, said = run(["git", "-c", "user.name=Trial", "-c", "user.email=trial@example.org", *words], self.folder)
        self.assertEqual(code, 0, said)
        return said


class Suites(Project):
    """scripts/run-suites on a build whose suites are shell scripts."""

    def suites(self, **scripts):
        lines = []
        for name, script in scripts.items():
            path = self.write(name + ".sh", script)
            lines.append(f'add_test({name} "/bin/sh" "{path}")')
        self.write("CTestTestfile.cmake", "\n".join(lines) + "\n")
        return run([os.path.join(ROOT, "scripts/run-suites"), self.folder], self.folder)

    def test_all_pass(self):
        code, said = self.suites(good="exit 0\n")
        self.assertEqual(code, 0, said)
        self.assertNotIn("flaky", said)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "flaky.txt")))

    def test_passes_the_second_time(self):
        flag = os.path.join(self.folder, "ran")
        code, said = self.suites(
            good="exit 0\n",
            unsteady=f"[ -e {flag} ] && exit 0\ntouch {flag}\necho 'FAIL!  : SuiteTest::waits() too late'\n"
                     "echo '   Loc: [tst_suite.cpp(12)]'\nexit 1\n")
        self.assertEqual(code, 0, said)
        last = said.strip().splitlines()[-1]
        self.assertEqual(last, "flaky: unsteady, first failure: FAIL!  : SuiteTest::waits() too late (tst_suite.cpp(12))")
        with open(os.path.join(self.folder, "flaky.txt"), encoding="utf-8") as file:
            self.assertEqual(file.read().strip(), last)

    def test_always_fails(self):
        ran = os.path.join(self.folder, "ran")
        code, said = self.suites(good="exit 0\n", broken=f"echo once >> {ran}\necho 'FAIL: test_sum'\nexit 3\n")
        self.assertNotEqual(code, 0, said)
        self.assertIn("failed: broken, first failure: FAIL: test_sum; second: FAIL: test_sum", said)
        with open(ran, encoding="utf-8") as file:
            self.assertEqual(len(file.readlines()), 2)

    def test_nothing_else_is_repeated(self):
        ran = os.path.join(self.folder, "ran")
        self.suites(good=f"echo once >> {ran}\n", broken="exit 1\n")
        with open(ran, encoding="utf-8") as file:
            self.assertEqual(len(file.readlines()), 1)

    def test_many_failures_are_not_repeated(self):
        ran = os.path.join(self.folder, "ran")
        code, said = self.suites(**{f"broken{i}": f"echo once >> {ran}\nexit 1\n" for i in range(21)})
        self.assertNotEqual(code, 0, said)
        self.assertIn("nothing is repeated", said)
        with open(ran, encoding="utf-8") as file:
            self.assertEqual(len(file.readlines()), 21)

    def test_without_suites(self):
        self.write("CTestTestfile.cmake", "")
        code, said = run([os.path.join(ROOT, "scripts/run-suites"), self.folder], self.folder)
        self.assertNotEqual(code, 0, said)


class Run(Project):
    """.ci/run with the real scripts/lint and a stand-in for scripts/test."""

    def ci(self, test, source="int main() { return 0; }\n"):
        for path in (".ci/run", "scripts/lint", ".clang-format"):
            self.write(path, "")
            shutil.copy(os.path.join(ROOT, path), os.path.join(self.folder, path))
        # Installs nothing here.
        self.write("scripts/packages.sh", "build_packages=()\nlint_packages=()\ninstall_missing() { :; }\n")
        self.write("scripts/test", "#!/bin/sh\n" + test, executable=True)
        self.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.25)\nproject(trial NONE)\n")
        self.write("app/main.cpp", source)
        self.git("init", "-q")
        self.git("add", "-A")
        self.git("commit", "-qm", "Trial")
        return run(["bash", ".ci/run"], self.folder)

    @unittest.skipUnless(shutil.which("clang-format"), "clang-format is not installed")
    def test_ill_formatted_source_passes_with_a_word(self):
        code, said = self.ci("exit 0\n", ILL_FORMATTED)
        self.assertEqual(code, 0, said)
        self.assertIn("app/main.cpp:1:", said)
        self.assertIn("style:", said)
        self.assertEqual(said.strip().splitlines()[-1], "run: the tests pass")

    def test_failing_tests_decide(self):
        code, said = self.ci("exit 5\n")
        self.assertEqual(code, 5, said)
        self.assertEqual(said.strip().splitlines()[-1], "run: the tests fail (5)")

    def test_flaky_suites_are_named_last(self):
        code, said = self.ci("mkdir -p build/test; echo 'flaky: a.b, first failure: x' > build/test/flaky.txt\n")
        self.assertEqual(code, 0, said)
        self.assertEqual(said.strip().splitlines()[-2:], ["flaky: a.b, first failure: x", "run: the tests pass"])


@unittest.skipUnless(shutil.which("clang-format") and shutil.which("shellcheck"), "clang-format or shellcheck is not installed")
class Hook(Project):
    def setUp(self):
        super().setUp()
        self.git("init", "-q")
        self.git("config", "core.hooksPath", os.path.join(ROOT, "scripts/hooks"))
        shutil.copy(os.path.join(ROOT, ".clang-format"), self.folder)

    def commit(self):
        return run(["git", "-c", "user.name=Trial", "-c", "user.email=trial@example.org", "commit", "-qm", "Trial"], self.folder)

    def test_formats_what_is_staged(self):
        path = self.write("main.cpp", ILL_FORMATTED)
        self.git("add", "main.cpp")
        code, said = self.commit()
        self.assertEqual(code, 0, said)
        self.assertEqual(self.git("show", "HEAD:main.cpp"), "int main() { return 0; }\n")
        with open(path, encoding="utf-8") as file:
            self.assertEqual(file.read(), "int main() { return 0; }\n")

    def test_leaves_unstaged_changes(self):
        path = self.write("main.cpp", ILL_FORMATTED)
        self.git("add", "main.cpp")
        self.write("main.cpp", ILL_FORMATTED + "int  later;\n")
        code, said = self.commit()
        self.assertEqual(code, 0, said)
        self.assertEqual(self.git("show", "HEAD:main.cpp"), "int main() { return 0; }\n")
        with open(path, encoding="utf-8") as file:
            self.assertEqual(file.read(), ILL_FORMATTED + "int  later;\n")

    def test_faulty_script_is_not_committed(self):
        self.write("scripts/start", "#!/bin/sh\nrm -rf $1/*\nif [ $1 = x ; then echo; fi\n")
        self.git("add", "-A")
        code, said = self.commit()
        self.assertNotEqual(code, 0, said)
        self.assertIn("shellcheck", said)


if __name__ == "__main__":
    unittest.main(verbosity=2)
