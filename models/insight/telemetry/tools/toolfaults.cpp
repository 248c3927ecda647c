// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/tools/toolparts.h"

using namespace Qt::StringLiterals;

namespace rankwright::inline insight::toolreading {

namespace {

/// A line that contains all words (lower case) is of this class. First match counts: the particular before the general.
struct Rule {
    const char* faultClass;
    const char* one;
    const char* two = "";
};

constexpr Rule rules[] = {
    {"bad_arguments", "not a valid field to query"},
    {"bad_arguments", "cannot print json/csv output"},
    {"bad_arguments", "unrecognized arguments"},
    {"bad_arguments", "invalid choice"},
    {"bad_arguments", "invalid combination of input arguments"},
    {"bad_arguments", "smi", "is not recognized"},
    {"bad_arguments", "option", "is not recognized"},
    {"bad_arguments", "the following arguments are required"},
    {"tool_broken", "/env:", "python"},
    {"tool_broken", "bad interpreter"},
    {"tool_broken", "unable to load the rocm_smi library"},
    {"tool_broken", "cannot open shared object file"},
    {"tool_broken", "undefined symbol"},
    {"tool_broken", "exec format error"},
    {"tool_broken", "modulenotfounderror"},
    {"tool_broken", "importerror"},
    {"tool_broken", "syntaxerror"},
    {"tool_broken", "unicodeencodeerror"},
    {"tool_broken", "couldn't find libnvidia-ml"},
    {"tool_missing", "command not found"},
    {"tool_missing", "executable file not found"},
    {"tool_missing", "-smi", "no such file or directory"},
    {"tool_missing", "-smi: not found"},
    {"tool_missing", "no ", "-smi in ("},
    {"nvml_mismatch", "driver/library version mismatch"},
    {"driver_not_loaded", "driver not initialized"},
    {"driver_not_loaded", "couldn't communicate with the nvidia driver"},
    {"driver_not_loaded", "driver not loaded"},
    {"driver_not_loaded", "driver is not loaded"},
    {"driver_not_loaded", "amdgpu not found in modules"},
    {"driver_not_loaded", "driver_not_loaded"},
    {"unreachable", "permission denied (publickey"},
    {"permission", "failed to initialize nvml", "insufficient permissions"},
    {"permission", "permission denied"},
    {"permission", "missing the following required groups"},
    {"permission", "insufficient permissions"},
    {"permission", "not authorized"},
    {"nvml_error", "failed to initialize nvml"},
    {"nvml_error", "nvml_error"},
    {"gpu_lost", "gpu is lost"},
    {"gpu_lost", "gpu has fallen off the bus"},
    {"gpu_lost", "requires reset"},
    {"gpu_lost", "unable to determine the device handle"},
    {"no_devices", "no devices were found"},
    {"no_devices", "no amd gpu"},
    {"no_devices", "no amd devices"},
    {"no_devices", "unable to detect any gpu devices"},
    {"no_devices", "unable to detect any devices"},
    {"no_devices", "no gpus"},
    {"no_devices", "no gpu device"},
    {"no_job_on_node", "pam_slurm_adopt"},
    {"no_job_on_node", "invalid job id specified"},
    {"no_job_on_node", "job/step already completing or completed"},
    {"step_blocked", "step creation", "disabled"},
    {"step_blocked", "requested nodes are busy"},
    {"step_blocked", "unable to create step"},
    {"unreachable", "connection timed out"},
    {"unreachable", "connection refused"},
    {"unreachable", "no route to host"},
    {"unreachable", "could not resolve hostname"},
    {"unreachable", "host key verification failed"},
    {"unreachable", "kex_exchange_identification"},
    {"unreachable", "connection closed by"},
    {"unreachable", "connection reset by"},
};

constexpr Rule remarks[] = {
    {"low_power_state", "low-power state"},
    {"low_power_state", "amd gpus visible, but data is inaccessible"},
    {"inforom_corrupted", "inforom is corrupted"},
    {"user_not_in_render_group", "permission needed to access required gpu device"},
    {"user_not_in_render_group", "/dev/dri/", "permission denied"},
    {"user_not_in_render_group", "/dev/kfd", "permission denied"},
    {"user_not_in_render_group", "missing the following required groups"},
};

bool matches(const Rule& rule, const QString& line)
{
    return line.contains(QLatin1String(rule.one)) && line.contains(QLatin1String(rule.two));
}

} // namespace

bool readRemark(const QString& line, ToolSink& sink)
{
    const QString text = line.trimmed().left(2000);
    const QString lower = text.toLower();
    const bool fatal = lower.startsWith(u"runtimeerror"_s) || lower.startsWith(u"permissionerror"_s)
        || lower.contains(u"exception:"_s);
    for (const Rule& remark : remarks) {
        if (!fatal && matches(remark, lower)) {
            sink.warn(QLatin1String(remark.faultClass));
            return true;
        }
    }
    for (const Rule& rule : rules) {
        if (matches(rule, lower)) {
            sink.fault(rule.faultClass, text);
            return true;
        }
    }
    return false;
}

} // namespace rankwright::inline insight::toolreading
