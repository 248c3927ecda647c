// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/diagnosis/diagnosisrules.h"

#include <iterator>

namespace rankwright {

namespace {

using Rule = DiagnosisRule;

// clang-format off
constexpr Rule table[] = {
        {"python-module", "missing_module", Rule::Cause,
            "no module named|modulenotfounderror|seems to be not installed|could not find conda environment|environmentnamenotfound|environmentlocationnotfound",
            R"((?:ModuleNotFoundError|ImportError): No module named|python[\d.]*: (?:Error while finding module|No module named)|(?:ImportError|ValueError):.*(?:flash_attn|FlashAttention2?|flash_attn_2).*(?:not installed|not available)|EnvironmentNameNotFound|EnvironmentLocationNotFound|Could not find conda environment)",
            R"(warn|INFO)",
            "A Python package is missing where the job runs. Activate the same environment or container in the job as on the login node, or install the package there.",
            "Python, built-in exceptions"},
        {"package", "missing_module", Rule::Communication, "no matching distribution found",
            R"(ERROR: No matching distribution found for)", "",
            "A Python package could not be installed. Install it on the login node before the job, in the environment that the job uses.",
            "pip"},
        // a script without set -e goes on after it
        {"site-module", "missing_module", Rule::Communication,
            "module(s) are unknown|unable to locate a modulefile|these module(s) or extension(s) exist but cannot|module: command not found",
            R"(module\(s\) are unknown|Unable to locate a modulefile|exist but cannot be loaded|module: command not found)",
            "",
            "A module of the site is not known under this name. Look with module spider, and load what it depends on first.",
            "Lmod and Environment Modules"},
        {"library", "missing_library", Rule::Cause, "cannot open shared object file|undefined symbol|glibc|cxxabi",
            R"(cannot open shared object file|undefined symbol:|version [`'"](?:GLIBC|CXXABI)[\w.]*['"] not found)",
            R"(NCCL INFO|warn|dso_loader|Could not load dynamic library|cannot be preloaded|dlerror:.*(?:TensorRT|nvinfer))",
            "A shared library is missing or of another version. Load the same modules as when it was built, or use the container for all of it.",
            "ld.so(8)"},
        {"import", "import_error", Rule::Cause, "importerror: ", R"((?:^|[\s\]:>])ImportError: (?!No module named))",
            R"(warn|INFO|shared object file|undefined symbol|version .* not found)",
            "Two packages are incompatible. Install the versions that the project names, in one environment.",
            "Python, built-in exceptions"},
        {"container", "missing_container", Rule::Cause,
            "could not open image|failed to retrieve path for|image not found|no such image|unable to open sif|"
            "failed to import docker|pyxis:|unable to find image|manifest unknown|does not exist: .sif|enroot|.sif|.sqsh|"
            "squashfs|user namespace|unable to pull|while extracting|fuse: device",
            R"(could not open image|[Uu]nable to find image|no such image|(?:\.sif|\.sqsh)\b\S*:? .*(?:no such file|not found|does not exist)|pyxis: (?:.*failed|couldn't)|manifest unknown|FATAL: .*(?:image|\.sif|user namespace|while extracting)|fuse: device not found|failed to create user namespace)",
            R"(bind|INFO:)",
            "The container image is not there. Check the path in the design's container field; sites rename images with new versions.",
            "Apptainer; Pyxis"},
        {"container-bind", "missing_container", Rule::Communication,
            "fatal:   container creation failed|container creation failed|mount source|unable to add",
            R"(container creation failed|mount source .* doesn't exist)", "",
            "The container could not be set up: a folder that it binds does not exist. Check the design's binds.",
            "Apptainer"},
        {"checkpoint", "checkpoint_mismatch", Rule::Cause,
            "error(s) in loading state_dict|size mismatch for|missing key(s) in state_dict|unexpected key(s) in state_dict|invalid magic number|pytorchstreamreader|unpicklingerror|safetensors_rust|headertoolarge|missing keys in checkpoint|checkpointexception",
            R"(loading state_dict|size mismatch for|key\(s\) in state_dict|PytorchStreamReader failed|UnpicklingError|SafetensorError|HeaderTooLarge|CheckpointException ranks)",
            R"(warn|INFO)",
            "The checkpoint does not belong to this model, or it was truncated while being written. Check model size and options, or resume from the one before.",
            "PyTorch, Module.load_state_dict"},
        {"model-files", "missing_file", Rule::Cause,
            "is not a local folder|does not appear to have a file named|can't load tokenizer|can't load the configuration|can't load the model|repository not found|repositorynotfounderror|gated repo|gatedrepoerror|error no file named|can't load config",
            R"(is not a local folder|does not appear to have a file named|Can't load (?:tokenizer|the (?:configuration|model)|config)|Repository ?Not ?Found|Gated ?Repo|Error no file named)",
            R"(warn)",
            "Model or tokenizer files are missing. Check the name or path, download them on the login node, and log in to the hub for gated models.",
            "Hugging Face Transformers, from_pretrained"},
        {"file", "missing_file", Rule::Cause,
            "filenotfounderror|can't open file|execve(): |notadirectoryerror|: no such file or directory",
            R"((?:^|[\s\]:>])(?:FileNotFoundError|NotADirectoryError): |can't open file|execve\(\): .*: No such file|(?:bash|sh|srun|slurmstepd|script|slurm_script)\S*: .*: No such file or directory|^\S*(?:\.sh|slurm_script): line \d+: .*No such file)",
            R"(warn|INFO|\.sif\b|couldn't chdir|current working directory|going to /tmp)",
            "A file is not where the job looks for it. Paths count from the job's folder; check the design's working folder, and that the file system is visible on the nodes.",
            "errno(3): ENOENT"},
        {"file-unclear", "missing_file", Rule::Ending, "no such file or directory", R"(No such file or directory)",
            R"(\bINFO\b|^(?:ls|rm|cp|mv|cat|find|grep): |couldn't chdir|current working directory)",
            "A file is not where the job looks for it. Check the path.", "errno(3): ENOENT", true},
        {"command", "missing_file", Rule::Cause, "command not found|executable file not found",
            R"(command not found|executable file not found)", R"(module: command|nvidia-smi|rocm-smi)",
            "A command is not known on the compute node. Load its module, activate the environment in the script, or start it in the container.",
            "bash(1), exit status 127"},
        {"permission", "permission_denied", Rule::Cause,
            "permission denied|permissionerror|operation not permitted|read-only file system",
            R"(PermissionError: |Permission denied|Read-only file system)",
            R"(warn|INFO|MIOpen|/dev/kfd|perf_event|/dev/shm|publickey)",
            "The job may not read or write this path. Use a folder of your project, and chmod +x for scripts.",
            "errno(3): EACCES"},
        {"file-system", "file_system", Rule::Cause,
            "stale file handle|input/output error|transport endpoint|lustreerror|cannot send after transport|remote i/o error|device or resource busy|interrupted system call|unable to lock file",
            R"(Stale file handle|(?:OSError|Errno 5|: ).*Input/output error|[Tt]ransport endpoint (?:is not connected|shutdown)|LustreError:|Remote I/O error|unable to lock file)",
            R"(warn)",
            "The file system failed for a moment, or a file was replaced while in use. Submit again from the last checkpoint; report it to the site's support if it happens again.",
            "errno(3): ESTALE, EIO; Lustre"},
        {"arguments", "wrong_arguments", Rule::Cause,
            "unrecognized arguments|the following arguments are required|invalid choice:|expected one argument|no such option|are not used by the hfargumentparser|could not override '|configattributeerror|configkeyerror|flags parsing error",
            R"(error: (?:unrecognized arguments|the following arguments are required|argument \S+:.*(?:invalid|expected))|No such option|are not used by the HfArgumentParser|^(?:.*: )?Could not override '|(?:ConfigAttributeError|ConfigKeyError): |Flags parsing error)",
            "", "The training program does not know an option of its command line. Check the design's command.",
            "Python argparse"},
        {"batch-size", "batch_mismatch", Rule::Cause,
            "check batch related parameters|train_batch_size is not equal|global batch size|global_batch_size|train batch size|must be a multiple of data parallel",
            R"(train_batch_size is not equal to|(?:Error|assert\w*)\b.*(?:global[ _]batch[ _]size).*(?:divisible|multiple)|(?:Error|assert\w*).*Train batch size: \S+ has to be greater than 0)",
            R"(warn)",
            "Global batch, micro-batch, accumulation and number of ranks do not match: global = micro x accumulation x data-parallel ranks. Set the design's batch, or leave one of them out of the program's configuration.",
            "DeepSpeed configuration; Megatron-LM argument checks"},
        {"shapes", "shape_mismatch", Rule::Cause,
            "mat1 and mat2 shapes|shapes cannot be multiplied|must match the size of tensor|sizes of tensors must match|shape mismatch|is not divisible by|must be divisible by|expected all tensors to be on the same device",
            R"((?:Error|assert\w*)\b.*(?:mat1 and mat2|cannot be multiplied|must match|shape mismatch|divisible by|on the same device))",
            R"(warn)",
            "Sizes do not match. Check that heads, layers and the global batch divide by the parallel sizes of the design.",
            "PyTorch and Megatron-LM argument checks"},
        {"syntax", "python_exception", Rule::Cause,
            "syntaxerror: |indentationerror: ", R"((?:^|[\s\]:>])(?:Syntax|Indentation)Error: )", "",
            "The program has a syntax error at the line named above, or an older Python runs it.",
            "Python, built-in exceptions"},
        {"unused-parameters", "ddp_unused_parameters", Rule::Cause,
            "your lightningmodule has parameters that were not used|expected to have finished reduction|expected to mark a variable ready only once",
            R"(parameters that were not used in producing the loss|finished reduction in the prior iteration|ready only once)",
            "",
            "Some parameters took no part in a step. Set find_unused_parameters=True, or static_graph=True with activation checkpointing.",
            "PyTorch DistributedDataParallel"},
        {"start-method", "python_exception", Rule::Cause,
            "cannot re-initialize cuda in forked|can't create new processes if cuda is already",
            R"(Cannot re-initialize CUDA in forked|can't create new processes if CUDA is already initialized)", "",
            "The GPU was used before processes were forked. Use the start method 'spawn', or touch the GPU after the fork.",
            "PyTorch multiprocessing"},
        {"environment", "missing_environment", Rule::Cause,
            "default process group has not been initialized|environment variable master_addr|environment variable rank|"
            "environment variable world_size|environment variable master_port|keyerror: 'local_rank|keyerror: 'rank|"
            "keyerror: 'world_size|keyerror: 'slurm|keyerror: 'master",
            R"(Default process group has not been initialized|environment variable (?:MASTER_ADDR|RANK|WORLD_SIZE|MASTER_PORT)|KeyError: '(?:LOCAL_RANK|RANK|WORLD_SIZE|SLURM|MASTER))",
            R"(warn)",
            "A variable of the distributed start is not set. Start by torchrun, or let the design's script set RANK, WORLD_SIZE, LOCAL_RANK, MASTER_ADDR and MASTER_PORT in each task.",
            "PyTorch distributed, environment variable initialisation"},
        {"loader-exited", "data_loader", Rule::Echo, "exited unexpectedly|dataloader worker|dataloader timed out",
            R"(DataLoader worker \(pid\(?s?\)?.*(?:exited unexpectedly|is killed by signal: (?!Killed|Bus|Terminated))|DataLoader timed out after)",
            "",
            "A DataLoader worker died. Run with num_workers=0 to see its message; ask for more memory if it was killed.",
            "PyTorch DataLoader"},
        {"exception", "python_exception", Rule::Unexplained, "error: |exception: |error:",
            R"(^(?:.*\]:? ?|\s*(?:(?:\S*\d\S*|\S+:|std(?:err|out)|[FP]) +){0,5})(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception)(?:: |$))",
            R"(ChildFailedError|DistBackendError|KeyboardInterrupt|\bINFO\b|warn|CalledProcessError|DistNetworkError|/pymp-|'\.nfs|_ARRAY_API not found)",
            "The program stopped with an exception. The lines above name the place in the program; the first rank that printed one is the cause.",
            "Python, built-in exceptions"},
        {"exit", "failed_exit", Rule::Unexplained,
            "exited with exit code|childfailederror|aborted (core dumped)|: aborted|core dumped|calledprocesserror|failed (non-zero exit|due to task failure|exits with return code|composer.cli.launcher",
            R"(srun: error: (?<node>[\w.-]+): tasks? [\d,-]+: (?:Exited with exit code|Aborted)|ChildFailedError|Aborted\s+\(core dumped\)|CalledProcessError|(?:JOB|STEP) \S+ ON [\w.-]+ FAILED \(non-zero|CANCELLED AT \S+ DUE TO TASK FAILURE|exits with return code = (?:[1-9]|-6)|cli\.launcher:.* code (?:[1-9]|-6))",
            "",
            "A process ended with an error and the log does not say why. Look into the output of its rank, or run it once with PYTHONFAULTHANDLER=1 and TORCH_SHOW_CPP_STACKTRACES=1.",
            "srun(1); torchrun"},
};
// clang-format on

} // namespace

const QList<DiagnosisRule>& softwareRules()
{
    static const QList<DiagnosisRule> rules(std::begin(table), std::end(table));
    return rules;
}

} // namespace rankwright
