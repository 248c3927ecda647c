// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/diagnosis/logdiagnoser.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

QString kindOf(const QByteArray& log)
{
    const QList<Diagnosis> found = diagnose(log);
    return found.isEmpty() ? QString() : found.first().kind;
}

} // namespace

/// Messages of real programs that name a failure, healthy output that looks like one, and outputs in several files.
class DiagnosisRulesTest final : public test::Suite {
    Q_OBJECT
private slots:
    void kinds_data();
    void kinds();
    void silent_data();
    void silent();
    void severalFiles();
    void linesFromElsewhere();
    void numbersOfLines();
    void agentsAreNoRanks();
    void frameworks_data();
    void frameworks();
    void revision();
};

void DiagnosisRulesTest::kinds_data()
{
    QTest::addColumn<QByteArray>("log");
    QTest::addColumn<QString>("kind");
    const auto row = [](const char* kind, const char* log) {
        QTest::addRow("%s: %.50s", kind, log) << QByteArray(log) + '\n' << QString::fromLatin1(kind);
    };
    row("process_limit",
        "OpenBLAS blas_thread_init: pthread_create failed for thread 12 of 64: Resource temporarily "
        "unavailable");
    row("process_limit", "libgomp: Thread creation failed: Resource temporarily unavailable");
    row("process_limit", "RuntimeError: can't start new thread");
    row("process_limit", "OMP: Error #34: System unable to allocate necessary resources for OMP thread:");
    row("process_limit", "BlockingIOError: [Errno 11] Resource temporarily unavailable");
    row("disk_quota", "RuntimeError: [enforce fail at inline_container.cc:603] . unexpected pos 1024 vs 960");
    row("disk_quota", "RuntimeError: PytorchStreamWriter failed writing file data/12: file write failed");
    row("nan_loss", "RuntimeError: Function 'MulBackward0' returned nan values in its 0th output.");
    row("nan_loss", "ValueError: The loss returned in `training_step` is nan or inf.");
    row("nan_loss", "ValueError: Unexpected result nan (message='found NaN in local forward loss calculation')");
    row("gpu_fault",
        "Queue at 0x7f error: HSA_STATUS_ERROR_OUT_OF_RESOURCES: The runtime failed to allocate the "
        "necessary resources. code: 0x1008");
    row("kernel_limits",
        "triton.runtime.errors.OutOfResources: out of resource: shared memory, Required: 132096, "
        "Hardware limit: 101376. Reducing block sizes or `num_stages` may help.");
    row("gpu_arch_mismatch", "RuntimeError: FlashAttention only supports Ampere GPUs or newer.");
    row("gpu_arch_mismatch", "ValueError: Bfloat16 is only supported on GPUs with compute capability of at least 8.0.");
    row("compile_error",
        "OSError: CUDA_HOME environment variable is not set. Please set it to your CUDA install root.");
    row("compile_error",
        "deepspeed.ops.op_builder.builder.CUDAMismatchException: >- DeepSpeed Op Builder: Installed CUDA "
        "version 11.8 does not match the version torch was compiled with 12.1");
    row("compile_error", "RuntimeError: Error building extension 'fused_adam'");
    row("compile_error", "RuntimeError: Failed to find C compiler. Please specify via CC environment variable.");
    row("compile_error", "torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:");
    row("port_in_use",
        "RuntimeError: The server socket has failed to listen on any local network address. The server "
        "socket has failed to bind to [::]:29500 (errno: 98 - Address already in use).");
    row("nccl_timeout",
        "RuntimeError: [../gloo/transport/tcp/unbound_buffer.cc:81] Timed out waiting 1800000ms for recv "
        "operation to complete");
    row("nccl_timeout", "RuntimeError: Application timeout caused pair closure");
    row("rendezvous_timeout",
        "jaxlib.xla_extension.XlaRuntimeError: DEADLINE_EXCEEDED: Barrier timed out. Id: "
        "PjRT_Client_Connect");
    row("missing_credentials", "wandb.errors.UsageError: api_key not configured (no-tty). call wandb.login(key=[key])");
    row("missing_credentials", "requests.exceptions.HTTPError: 401 Client Error: Unauthorized for url: https://x/y");
    row("process_killed",
        "/var/spool/slurmd/job7/slurm_script: line 30: 12345 Killed                  python train.py");
    row("illegal_instruction", "/usr/bin/bash: ./train: cannot execute binary file: Exec format error");
    row("slurm_launch", "srun: error: task 3 launch failed: Unspecified error");
    row("slurm_config",
        "ValueError: You set `--ntasks=8` in your SLURM bash script, but this variable is not supported. "
        "HINT: Use `--ntasks-per-node=8` instead.");
    row("slurm_config",
        "ValueError: You set `devices=4` in Lightning, but the number of tasks per node configured in "
        "SLURM `--ntasks-per-node=2` does not match. HINT: Set `devices=2`.");
    row("missing_module",
        "ImportError: FlashAttention2 has been toggled on, but it cannot be used due to the following "
        "error: the package flash_attn seems to be not installed.");
    row("missing_container", "FATAL:   Unable to create container: failed to create user namespace: not permitted");
    row("missing_container", "FATAL:   While extracting /scratch/x.sif: root filesystem extraction failed");
    row("checkpoint_mismatch",
        "torch.distributed.checkpoint.api.CheckpointException: CheckpointException "
        "ranks:dict_keys([0, 1])");
    row("batch_mismatch",
        "AssertionError: Check batch related parameters. train_batch_size is not equal to "
        "micro_batch_per_gpu * gradient_acc_step * world_size 8 != 4 * 1 * 1");
    row("batch_mismatch",
        "AssertionError: global batch size (30) is not divisible by micro batch size (4) times data "
        "parallel size (8)");
    row("ddp_unused_parameters",
        "RuntimeError: It looks like your LightningModule has parameters that were not used in "
        "producing the loss returned by training_step.");
    row("python_exception", "RuntimeError: Lightning can't create new processes if CUDA is already initialized.");
    row("missing_environment",
        "ValueError: Default process group has not been initialized, please make sure to call "
        "init_process_group.");
    row("data_loader", "RuntimeError: DataLoader timed out after 60 seconds");
    row("wrong_device_count",
        "lightning.fabric.utilities.exceptions.MisconfigurationException: You requested gpu: [0, 1, "
        "2, 3]\n But your machine only has: [0]");
    row("gpu_arch_mismatch",
        "rocBLAS error: Cannot read /opt/rocm/lib/rocblas/library/TensileLibrary.dat: No such file "
        "or directory for GPU arch : gfx1100");
}

void DiagnosisRulesTest::kinds()
{
    QFETCH(QByteArray, log);
    QFETCH(QString, kind);
    QCOMPARE(kindOf(log), kind);
}

void DiagnosisRulesTest::silent_data()
{
    QTest::addColumn<QByteArray>("log");
    const auto row = [](const char* name, const char* log) { QTest::newRow(name) << QByteArray(log) + '\n'; };
    row("no errors", "Error: 0\nErrors: 0, Warnings: 2\nerror_count=0 failed=0\n");
    row("a measure named error", "loss_error 0.0 RuntimeErrorRate=0\nerr 0.5 mse_error=0.01\n");
    row("text of a data set",
        "sample 3: 'the soldier was killed in 1916 and the signal 9 was sent'\nprompt: process killed by police\n"
        "generated: Traceback of the money; out of memory he wrote; a segmentation of the market\n");
    row("preloaded library",
        "ERROR: ld.so: object 'libjemalloc.so' from LD_PRELOAD cannot be preloaded (cannot open "
        "shared object file): ignored.\n");
    row("amdgpu.ids", "/opt/amdgpu/share/libdrm/amdgpu.ids: No such file or directory\n");
    row("best loss so far", "best_loss: inf\nBest val_loss=inf\nlowest loss = nan\nbest loss: nan\n");
    row("validation before the first", "Epoch 0: val_loss=nan val/loss: nan\n");
    row("llm.c", "step    7/19560 | loss 10.250 (+nanz)| norm 15.3 (+nanz)| 171535 tok/s\n");
    row("found unused parameters set",
        "UserWarning: find_unused_parameters=True was specified in DDP constructor, but "
        "did not find any unused parameters in the forward pass.\n");
    row("sockets of c10d at the start",
        "[W socket.cpp:464] [c10d] The server socket cannot be initialized on [::]:29500 (errno: 97 - Address family "
        "not "
        "supported by protocol).\n");
    row("OMP threads",
        "Setting OMP_NUM_THREADS environment variable for each process to be 1 in default, to avoid your "
        "system being overloaded, please further tune the variable\n");
    row("tensorflow without TensorRT",
        "W tensorflow/compiler/tf2tensorrt/utils/py_utils.cc:38] TF-TRT Warning: Could not find TensorRT\n"
        "dlerror: libnvinfer.so.7: cannot open shared object file: No such file or directory\n");
    row("checkpoint kept",
        "Missing keys: 0\nSome weights were newly initialized: ['score.weight']\nStrict loading off\n");
    row("exceptions counted", "exceptions: 0\nHandled 12 exceptions gracefully\nraise ValueError is tested\n");
    row("wandb offline", "wandb: W&B syncing is set to `offline` in this directory. Run `wandb online` to enable.\n");
    row("container without NVIDIA",
        "INFO:    Could not find any nv files on this host!\n"
        "WARNING: container does not have an entry for /proc\n");
    row("retry", "urllib3: Retrying (Retry(total=2)) after connection broken by 'NewConnectionError': /api\n");
    row("miopen search", "MIOpen(HIP): Warning [GetAllConfigs] Using NaiveConv; no find-db record\n");
    row("prolog fine", "srun: Prolog completed\nslurmd: launched\n");
    row("nothing killed", "oom_score_adj is 0\nmax_oom_retries: 3\n");
    row("deepspeed settings", "[config.py] train_batch_size 64 global_batch_size 64 fp16 overflow check on\n");
    row("gloo settles", "[Gloo] Rank 0 is connected to 3 peer ranks. Expected number of connected peer ranks is : 3\n");
    row("sigterm handled", "Received SIGTERM, saving checkpoint ... saved. SIGKILL would come in 300 s\n");
    row("memory figures", "allocated 29.91 GiB, reserved 30.48 GiB, OOM margin 1.2 GiB, retries 0\n");
    row("torch.compile falls back", "WARNING: torch._inductor.exc: falling back to eager\n");
    row("timeouts as settings", "timeout: 1800s, NCCL_TIMEOUT=1800000, heartbeat_timeout_sec=600\n");
}

void DiagnosisRulesTest::silent()
{
    QFETCH(QByteArray, log);
    QCOMPARE(kindOf(log + "step 1/9 loss 2.3\nstep 2/9 loss 2.2\n"), QString());
}

void DiagnosisRulesTest::severalFiles()
{
    LogDiagnoser diagnoser;
    diagnoser.setRank(0, 1);
    diagnoser.setRank(5, 2);
    diagnoser.startAt(0, 1);
    diagnoser.startAt(0, 2);
    diagnoser.feed("step 1 loss 2\nRuntimeError: [Rank 0] Watchdog caught collective operation time", 1);
    diagnoser.feed("a\nb\ntorch.OutOfMemoryError: HIP out of memory. Tried", 2);
    diagnoser.feed("out: WorkNCCL\n", 1);
    diagnoser.feed(" to allocate 2 GiB\n", 2);
    const QList<Diagnosis> found = diagnoser.diagnoses();
    QCOMPARE(found.size(), 1);
    QCOMPARE(found.first().kind, u"oom_gpu"_s);
    QCOMPARE(found.first().rank.value_or(-1), 5); // the file's
    QCOMPARE(found.first().file, 2);
    QCOMPARE(found.first().line, qint64(3));
    QCOMPARE(found.first().offset, qint64(4));
}

void DiagnosisRulesTest::linesFromElsewhere()
{
    LogDiagnoser diagnoser;
    diagnoser.startAt(5000, 0);
    diagnoser.feed("x\nsrun: error: n1: task 3: Exited with exit code 1\n");
    QCOMPARE(diagnoser.diagnoses().first().kind, u"failed_exit"_s);
    QVERIFY(!diagnoser.diagnoses().first().line); // nobody counted the lines before
    QCOMPARE(diagnoser.diagnoses().first().offset, qint64(5002));
    diagnoser.feedLine("3: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB", 300, 17);
    const Diagnosis first = diagnoser.diagnoses().first();
    QCOMPARE(first.kind, u"oom_gpu"_s);
    QCOMPARE(first.rank.value_or(-1), 3);
    QCOMPARE(first.line, qint64(17));
    QCOMPARE(first.offset, qint64(300));
    diagnoser.feedLine("2: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB", 200, 0);
    QCOMPARE(diagnoser.diagnoses().first().rank.value_or(-1), 2); // it is before
    QVERIFY(!diagnoser.diagnoses().first().line);
}

void DiagnosisRulesTest::numbersOfLines()
{
    LogDiagnoser diagnoser;
    diagnoser.startAt(5000);
    diagnoser.feed("x\ny\nFileNotFoundError: [Errno 2] No such file or directory: '/d'\n");
    QVERIFY(!diagnoser.diagnoses().first().line);
    diagnoser.setFirstLine(120);
    QCOMPARE(diagnoser.diagnoses().first().line, qint64(123));
}

void DiagnosisRulesTest::agentsAreNoRanks()
{
    const QByteArray reported = "ModuleNotFoundError: No module named 'x'\n";
    const QByteArray srun = "srun: error: n7: task 1: Exited with exit code 1\n";
    QCOMPARE(diagnose(reported + srun).first().rank.value_or(-1), 1);
    const QByteArray agent = "E0301 torch/distributed/elastic/multiprocessing/api.py:826] failed (exitcode: 1)\n";
    QCOMPARE(diagnose(reported + agent + srun).first().rank.value_or(-1), -1); // task 1 is the second node's agent
    QCOMPARE(diagnose(reported + agent + srun).first().node, u"n7"_s);
}

void DiagnosisRulesTest::frameworks_data()
{
    QTest::addColumn<QByteArray>("log");
    QTest::addColumn<QString>("framework");
    QTest::newRow("in a path only") << QByteArray(
        "FATAL:   could not open image /a/lumi-pytorch-rocm.sif: no such file\n")
                                    << QString();
    QTest::newRow("torch") << QByteArray("torch.OutOfMemoryError: CUDA out of memory.\n") << u"pytorch"_s;
    QTest::newRow("jax") << QByteArray("jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory\n")
                         << u"jax"_s;
}

void DiagnosisRulesTest::frameworks()
{
    QFETCH(QByteArray, log);
    QFETCH(QString, framework);
    LogDiagnoser diagnoser;
    diagnoser.feed(log);
    QCOMPARE(diagnoser.framework(), framework);
}

void DiagnosisRulesTest::revision()
{
    LogDiagnoser diagnoser;
    diagnoser.feed("step 1 loss 2\n");
    const quint64 before = diagnoser.revision();
    diagnoser.feed("step 2 loss 2\n");
    QCOMPARE(diagnoser.revision(), before);
    diagnoser.feed("OSError: [Errno 122] Disk quota exceeded\n");
    QVERIFY(diagnoser.revision() > before);
}

RANKWRIGHT_TEST_MAIN(DiagnosisRulesTest)
#include "tst_diagnosisrules.moc"
