// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/hang/stackmeaning.h"

#include <QSet>
#include <QStringList>

#include <algorithm>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

/// The path ends with it, or is it (py-spy's text names files from the package on).
bool isFile(const QString& file, QLatin1StringView end)
{
    return file.endsWith(end) && (file.size() == end.size() || file.at(file.size() - end.size() - 1) == u'/');
}

bool isBelow(const QString& file, QLatin1StringView folder)
{
    return file.startsWith(folder) || file.contains(u'/' + QString(folder));
}

/// Calls that wait for other ranks, wherever in torch.distributed they stand.
bool isCollectiveCall(const QString& function)
{
    static const QSet<QString> calls{u"all_reduce"_s, u"all_reduce_coalesced"_s, u"all_gather"_s,
        u"all_gather_into_tensor"_s, u"_all_gather_base"_s, u"all_gather_coalesced"_s, u"all_gather_object"_s,
        u"all_gather_multigpu"_s, u"all_reduce_multigpu"_s, u"all_to_all"_s, u"all_to_all_single"_s, u"barrier"_s,
        u"monitored_barrier"_s, u"broadcast"_s, u"broadcast_object_list"_s, u"gather"_s, u"gather_object"_s,
        u"reduce"_s, u"reduce_scatter"_s, u"reduce_scatter_tensor"_s, u"_reduce_scatter_base"_s, u"scatter"_s,
        u"scatter_object_list"_s, u"send"_s, u"recv"_s, u"isend"_s, u"irecv"_s, u"batch_isend_irecv"_s,
        u"send_object_list"_s, u"recv_object_list"_s, u"init_process_group"_s, u"new_group"_s, u"new_subgroups"_s,
        u"split_group"_s, u"_store_based_barrier"_s, u"wait_tensor"_s, u"all_gather_tensor"_s, u"_sync_buffers"_s,
        u"_sync_params_and_buffers"_s, u"_sync_module_states"_s, u"_verify_param_shape_across_processes"_s,
        u"_verify_model_across_ranks"_s, u"_verify_params_across_processes"_s, u"allreduce"_s, u"allgather"_s,
        u"allreduce_"_s, u"synchronize"_s, u"broadcast_"_s, u"next_rendezvous"_s};
    return calls.contains(function);
}

bool isOfCollectives(const PythonFrame& frame)
{
    const QString& file = frame.file;
    if (isBelow(file, "torch/distributed/elastic/"_L1) || isBelow(file, "torch/distributed/launcher/"_L1)
        || isFile(file, "torch/distributed/run.py"_L1) || isFile(file, "torch/distributed/launch.py"_L1))
        return false;
    const bool isTheirs = isBelow(file, "torch/distributed/"_L1) || isFile(file, "torch/nn/parallel/distributed.py"_L1)
        || isBelow(file, "deepspeed/comm/"_L1) || isBelow(file, "horovod/"_L1) || isBelow(file, "mpi4py/"_L1);
    return isTheirs && isCollectiveCall(frame.function);
}

/// Names as the user writes them: the record and old versions have underscores of their own.
QString publicName(const QString& function)
{
    if (function == "_all_gather_base"_L1)
        return u"all_gather_into_tensor"_s;
    if (function == "_reduce_scatter_base"_L1)
        return u"reduce_scatter_tensor"_s;
    if (function == "_store_based_barrier"_L1)
        return u"init_process_group"_s;
    return function;
}

/// What the interpreter, and what ends it, does after the last line of a program.
bool isOfEnding(const PythonFrame& frame)
{
    const QString& file = frame.file;
    return (frame.function == "_shutdown"_L1 && isFile(file, "threading.py"_L1))
        || (frame.function == "_exit_function"_L1 && isFile(file, "multiprocessing/util.py"_L1))
        || (frame.function == "_python_exit"_L1 && isBelow(file, "concurrent/futures/"_L1))
        || (frame.function == "_run_finalizers"_L1 && isFile(file, "multiprocessing/util.py"_L1))
        || (frame.function == "destroy_process_group"_L1 && isBelow(file, "torch/distributed/"_L1));
}

bool isOfDebugger(const PythonFrame& frame)
{
    return isFile(frame.file, "pdb.py"_L1) || isFile(frame.file, "bdb.py"_L1) || isBelow(frame.file, "IPython/"_L1)
        || isBelow(frame.file, "ipdb/"_L1) || isBelow(frame.file, "debugpy/"_L1);
}

bool isOfErrors(const PythonFrame& frame)
{
    return isFile(frame.file, "traceback.py"_L1) || frame.function.endsWith("excepthook"_L1);
}

bool isOfLocks(const PythonFrame& frame)
{
    static const QSet<QString> waits{u"acquire"_s, u"wait"_s, u"wait_for"_s, u"join"_s, u"__enter__"_s, u"get"_s,
        u"put"_s, u"_wait_for_tstate_lock"_s, u"result"_s, u"_acquire"_s, u"lock"_s};
    const QString& file = frame.file;
    const bool isTheirs = isFile(file, "threading.py"_L1) || isFile(file, "queue.py"_L1)
        || isBelow(file, "multiprocessing/"_L1) || isBelow(file, "concurrent/futures/"_L1)
        || isBelow(file, "filelock/"_L1) || isBelow(file, "fasteners/"_L1) || isBelow(file, "portalocker/"_L1)
        || isFile(file, "torch/utils/file_baton.py"_L1);
    return isTheirs && waits.contains(frame.function);
}

bool isOfBackward(const PythonFrame& frame)
{
    return isBelow(frame.file, "torch/autograd/"_L1)
        || (isFile(frame.file, "torch/_tensor.py"_L1) && frame.function == "backward"_L1);
}

bool isOfDevice(const PythonFrame& frame)
{
    return frame.function == "synchronize"_L1
        && (isBelow(frame.file, "torch/cuda/"_L1) || isBelow(frame.file, "torch/xpu/"_L1)
            || isFile(frame.file, "torch/accelerator/__init__.py"_L1));
}

} // namespace

bool isLibraryFile(const QString& file)
{
    static const QSet<QString> alone{u"threading.py"_s, u"queue.py"_s, u"selectors.py"_s, u"socket.py"_s, u"ssl.py"_s,
        u"subprocess.py"_s, u"runpy.py"_s, u"contextlib.py"_s, u"pickle.py"_s, u"gzip.py"_s, u"tarfile.py"_s,
        u"zipfile.py"_s, u"codecs.py"_s, u"pdb.py"_s, u"bdb.py"_s, u"cmd.py"_s, u"traceback.py"_s, u"tempfile.py"_s,
        u"shutil.py"_s, u"pathlib.py"_s, u"weakref.py"_s, u"functools.py"_s, u"signal.py"_s, u"copy.py"_s};
    static const QList<QLatin1StringView> packages{"torch/distributed/"_L1, "torch/nn/"_L1, "torch/utils/"_L1,
        "torch/autograd/"_L1, "torch/cuda/"_L1, "torch/optim/"_L1, "torch/_dynamo/"_L1, "torch/_inductor/"_L1,
        "torch/_tensor.py"_L1, "torch/_compile.py"_L1, "torch/amp/"_L1, "torch/serialization.py"_L1,
        "torch/storage.py"_L1};
    static const QStringList relative{u"multiprocessing/"_s, u"concurrent/"_s, u"asyncio/"_s, u"importlib/"_s,
        u"logging/"_s, u"json/"_s, u"lightning/"_s, u"pytorch_lightning/"_s, u"lightning_fabric/"_s, u"transformers/"_s,
        u"accelerate/"_s, u"deepspeed/"_s, u"numpy/"_s, u"pandas/"_s, u"PIL/"_s, u"datasets/"_s, u"h5py/"_s,
        u"filelock/"_s, u"torchvision/"_s, u"horovod/"_s};
    if (file.isEmpty() || file.startsWith("<frozen"_L1) || file.contains("/site-packages/"_L1)
        || file.contains("/dist-packages/"_L1) || file.contains("/lib/python3"_L1) || alone.contains(file))
        return true;
    if (file.endsWith(".so"_L1) || file.contains(".so."_L1))
        return true;
    const auto isIn = [&file](const QString& folder) { return file.startsWith(folder); };
    return std::any_of(packages.begin(), packages.end(), [&file](QLatin1StringView folder) {
        return isBelow(file, folder);
    }) || std::any_of(relative.begin(), relative.end(), isIn);
}

QString bareFileName(const QString& file) { return file.mid(file.lastIndexOf(u'/') + 1); }

StackMeaning stackMeaning(const std::optional<PythonStacks>& stacks)
{
    StackMeaning meaning;
    const PythonThread* thread = stacks ? stacks->mainThread() : nullptr;
    if (thread == nullptr || thread->frames.isEmpty())
        return meaning;
    const QList<PythonFrame>& frames = thread->frames;
    const auto own = std::find_if(
        frames.begin(), frames.end(), [](const PythonFrame& frame) { return !isLibraryFile(frame.file); });
    meaning.shown = own != frames.end() ? *own : frames.first();
    meaning.isInDataLoader = std::any_of(frames.begin(), frames.end(),
        [](const PythonFrame& frame) { return isBelow(frame.file, "torch/utils/data/"_L1); });
    const auto has = [&frames, own](bool (*is)(const PythonFrame&)) { return std::any_of(frames.begin(), own, is); };
    for (auto frame = frames.begin(); frame != own; ++frame) {
        if (isOfCollectives(*frame))
            meaning.collective = publicName(frame->function); // the outermost one is the call that was made
    }
    if (has(isOfDebugger))
        meaning.activity = StackActivity::Debugger;
    else if (has(isOfEnding))
        meaning.activity = StackActivity::Ending;
    else if (!meaning.collective.isEmpty())
        meaning.activity = StackActivity::Collective;
    else if (has(isOfErrors))
        meaning.activity = StackActivity::ErrorHandling;
    else if (has([](const PythonFrame& frame) { return isBelow(frame.file, "torch/utils/data/dataloader.py"_L1); }))
        meaning.activity = StackActivity::DataWait;
    else if (has(isOfLocks))
        meaning.activity = StackActivity::LockWait;
    else if (has(isOfBackward))
        meaning.activity = StackActivity::Backward;
    else if (has(isOfDevice))
        meaning.activity = StackActivity::DeviceWait;
    else
        meaning.activity = StackActivity::OwnCode;
    if (meaning.activity != StackActivity::Collective)
        meaning.collective.clear();
    return meaning;
}

} // namespace rankwright::inline insight
