// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/read/stepreader.h"

#include "models/core/shellquote.h"
#include "models/planner/design/enumwords.h"
#include "models/script/write/bindingoptions.h"
#include "models/script/write/environmentplan.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

using Kind = LaunchLayer::Kind;

/// A mask as a number in small hexadecimal digits: "0x00FE" and "fe" are one mask.
QString plainMask(const QString& mask)
{
    static const QRegularExpression lead(u"^0x0*|^0+"_s);
    return mask.trimmed().toLower().remove(lead);
}

bool hasCore(const QString& mask, int core)
{
    const QString digits = plainMask(mask);
    const qsizetype place = digits.size() - 1 - core / 4;
    return place >= 0 && (digits.mid(place, 1).toInt(nullptr, 16) & (1 << core % 4)) != 0;
}

/// What is between srun and the program, and on srun's own line.
class StepReader {
public:
    explicit StepReader(ReadState& state) : m_state(state), m_spec(state.reading.spec) { }

    void run()
    {
        if (m_state.launch == nullptr)
            return;
        readContainer();
        readBinding();
        readOptions();
        readContinuation();
        for (const QString& work : m_state.launch->sideWork)
            m_state.miss(
                m_state.launch->line, work, u"Done by each task before the program: there is no field for this."_s);
    }

private:
    bool siteRuns(const QString& runtime) const { return m_state.profile.container.runner.startsWith(runtime); }

    void readImage(const ShellWord& image)
    {
        const auto path = staticValue(m_state.batch, image, image.line + 1);
        m_spec.environment.container = path ? path : usualValue(m_state.batch, image, image.line + 1);
        for (const Expansion& expansion : image.expansions)
            m_state.imageNames.unite(QSet<QString>(expansion.names.cbegin(), expansion.names.cend()));
        if (m_spec.environment.container)
            m_state.understand(field::container, image.line);
        if (!path)
            m_state.miss(image.line, image.text, u"The image's path is only known when the job runs."_s);
    }

    void readBinds(const BatchOption& option, QChar separator)
    {
        // "$PWD:$PWD" is what the writer adds by itself
        const bool plain = option.word
            && std::all_of(option.word->expansions.cbegin(), option.word->expansions.cend(),
                [](const Expansion& expansion) { return expansion.name == u"PWD"; });
        const QString text = m_state.valueOf(option).value_or(plain ? option.value : QString());
        const QStringList binds = text.split(separator, Qt::SkipEmptyParts);
        if (binds.isEmpty())
            m_state.miss(option.line, option.written, u"These folders are only known when the job runs."_s);
        for (const QString& bind : binds) {
            if (bind != u"$PWD:$PWD" && bind != u"${PWD}:${PWD}")
                m_spec.environment.binds.append(bind);
        }
        m_state.understand(field::binds, option.line);
    }

    /// srun --environment: the file of CSCS's container engine, or the image for which our script writes one.
    void readEngine()
    {
        const BatchOption* file = m_state.stepOption(u"environment"_s);
        if (file == nullptr || !m_state.profile.container.runner.startsWith(u"edf"_s))
            return;
        const BatchVariable* image = m_state.batch.variable(u"SIF"_s);
        const auto text
            = image != nullptr ? staticValue(m_state.batch, image->value, image->line) : m_state.valueOf(*file);
        if (!text)
            return;
        m_spec.environment.container = *text;
        m_state.imageNames.insert(u"SIF"_s);
        m_takenOptions.insert(u"environment"_s);
        m_state.usedOptions.insert(u"environment"_s);
        m_state.understand(field::container, file->line);
    }

    void readContainer()
    {
        readEngine();
        const LaunchLayer* container = m_state.layer(Kind::Container);
        if (container == nullptr)
            return readPyxis();
        if (container->name == u"shifter")
            return readShifter(*container);
        if (container->words.isEmpty())
            return;
        readImage(container->words.first());
        for (const BatchOption& option : container->options) {
            if (option.name == u"B" || option.name == u"bind")
                readBinds(option, u',');
        }
    }

    /// The image is after shifter, or in a directive that shifter reads.
    void readShifter(const LaunchLayer& container)
    {
        const auto given = [&](const QString& name) {
            const BatchOption* option = container.option(name);
            return option != nullptr ? option : m_state.batch.option(name);
        };
        const BatchOption* image = given(u"image"_s);
        if (!siteRuns(u"shifter"_s))
            m_state.miss(container.line, container.name, u"This cluster's entry knows no shifter."_s);
        if (image == nullptr) {
            m_state.miss(container.line, container.name, u"No image is named for shifter."_s);
            return;
        }
        if (image->word) {
            readImage(*image->word);
        } else {
            m_spec.environment.container = image->value;
            m_state.understand(field::container, image->line);
        }
        m_state.usedOptions.insert(u"image"_s);
        for (const QString& name : {u"volume"_s, u"V"_s}) {
            if (const BatchOption* option = given(name)) {
                readBinds(*option, u';');
                m_state.usedOptions.insert(name);
            }
        }
        const BatchOption* modules = given(u"module"_s);
        if (modules != nullptr && m_state.profile.container.runner.contains(u"--module="_s + modules->value + u' '))
            m_state.usedOptions.insert(u"module"_s);
    }

    /// srun --container-image, or the directive of that name.
    void readPyxis()
    {
        const BatchOption* image = m_state.stepOption(u"container-image"_s);
        if (image == nullptr)
            return;
        const QString name = m_state.valueOf(*image).value_or(image->value);
        if (!usesPyxis(name, m_state.profile)) {
            // The site's own runtime would be put around it: better none, and the plugin's options as they are.
            m_spec.environment.container = u"none"_s;
            return;
        }
        m_takenOptions = {u"container-image"_s, u"container-mounts"_s};
        m_state.usedOptions.unite(m_takenOptions);
        if (image->word) {
            readImage(*image->word);
        } else {
            m_spec.environment.container = name;
            m_state.understand(field::container, image->line);
        }
        if (const BatchOption* mounts = m_state.stepOption(u"container-mounts"_s))
            readBinds(*mounts, u',');
        const BatchOption* folder = m_state.stepOption(u"container-workdir"_s);
        if (folder != nullptr && (folder->value == u"$PWD" || folder->value == u"$SLURM_SUBMIT_DIR"))
            m_takenOptions.insert(u"container-workdir"_s);
        else if (folder == nullptr)
            m_state.miss(image->line, image->written,
                u"The program starts in the job's folder now, not in the one that the image names."_s);
    }

    /// The masks that our script would hold for this job; empty: no map, or not for this request.
    QStringList siteMasks() const
    {
        JobSpec bound = m_spec;
        bound.options.cpuBinding = true;
        return bindingOptions(resolve(bound, m_state.profile), m_state.profile).masks;
    }

    /// Do these masks or cores put each rank beside its GPU, as the published map has it?
    bool isSiteMap(const QString& binding, QString& note) const
    {
        const QStringList masks = siteMasks();
        const qsizetype at = binding.indexOf(u"_cpu") + 5;
        const QStringList parts = binding.mid(at).split(u',', Qt::SkipEmptyParts);
        if (masks.isEmpty() || parts.size() != masks.size())
            return false;
        const bool single = binding.contains(u"map_cpu");
        for (qsizetype i = 0; i < parts.size(); ++i) {
            const bool same = single ? hasCore(masks.at(i), parts.at(i).toInt(nullptr, 0))
                                     : plainMask(parts.at(i)) == plainMask(masks.at(i));
            if (!same)
                return false;
        }
        if (single)
            note = u"One core for each rank: bound to all cores of its GPU instead."_s;
        return true;
    }

    /// torchrun's own binding. A value that it does not have is kept as written.
    void readNumaBinding()
    {
        const LaunchLayer* agent = m_state.layer(Kind::Agent);
        const BatchOption* option = agent != nullptr ? agent->option(u"numa-binding"_s) : nullptr;
        if (option == nullptr)
            return;
        m_spec.options.numaBinding = enumeratorOf<NumaBinding>(m_state.valueOf(*option).value_or(QString()));
        if (m_spec.options.numaBinding)
            m_state.understand(field::numaBinding, option->line);
    }

    void readBinding()
    {
        readNumaBinding();
        if (m_spec.options.numaBinding)
            return;
        if (m_spec.parallel.strategy == Strategy::Single)
            return;
        if (!m_state.startsRanks) {
            if (!m_state.profile.launch.cpuBindMasks || m_spec.launcher == Launcher::Deepspeed)
                return;
            const QString text = m_state.batch.lines.mid(m_state.launch->line - 1).join(u'\n');
            const bool binds = text.contains(u"taskset ") || text.contains(u"numactl ");
            if (!binds)
                m_spec.options.cpuBinding = false;
            return;
        }
        if (m_state.profile.launch.cpuBindMasks)
            m_spec.options.cpuBinding = false;
        const LaunchLayer* srun = m_state.layer(Kind::Srun);
        const BatchOption* option = srun != nullptr ? srun->option(u"cpu-bind"_s) : nullptr;
        const QString value = option != nullptr ? m_state.valueOf(*option).value_or(QString()) : QString();
        if (!value.contains(u"mask_cpu") && !value.contains(u"map_cpu"))
            return;
        QString note;
        if (isSiteMap(value, note)) {
            m_spec.options.cpuBinding = true;
            m_takenOptions.insert(u"cpu-bind"_s);
            m_state.understand(field::cpuBinding, option->line);
            if (!note.isEmpty())
                m_state.miss(option->line, option->written, note);
        }
    }

    /// Options of srun that are neither fields nor written anyway are kept as they are.
    void readOptions()
    {
        static const QSet<QString> known{u"nodes"_s, u"ntasks"_s, u"ntasks-per-node"_s, u"gpus"_s, u"gpus-per-node"_s,
            u"gpus-per-task"_s, u"gres"_s, u"cpus-per-task"_s, u"kill-on-bad-exit"_s, u"jobid"_s, u"cpus-per-gpu"_s};
        const LaunchLayer* srun = m_state.layer(Kind::Srun);
        if (srun == nullptr)
            return;
        for (const BatchOption& option : srun->options) {
            const QString value = m_state.valueOf(option).value_or(option.value);
            const bool usual = known.contains(option.name) || m_takenOptions.contains(option.name)
                || (option.name == u"export" && option.value == u"ALL")
                || (option.name == u"distribution" && option.value == u"block:block")
                || (option.name == u"cpu-bind" && option.value == u"none");
            if (usual || !option.known)
                continue;
            if (option.name == u"mpi" && m_spec.parallel.strategy == Strategy::Horovod) {
                m_spec.options.mpi = value;
                m_state.understand(field::mpi, option.line);
                continue;
            }
            m_state.reading.srunOptions.append(option.written.simplified());
            m_state.miss(option.line, option.written,
                option.name == u"cpu-bind"
                    ? u"Not this cluster's map, or not known before the job runs: kept as it is."_s
                    : u"There is no field for this: the option of srun is kept as it is."_s);
        }
    }

    /// Arguments that the program gets in a continuation only.
    void readContinuation()
    {
        QStringList words;
        for (const ShellWord& word : m_state.launch->continuation) {
            const auto value = staticValue(m_state.batch, word, word.line + 1);
            if (!value) {
                m_state.miss(word.line, word.text, u"An argument for continuations that only the job knows."_s);
                return;
            }
            words.append(shellQuote(*value));
        }
        if (words.isEmpty())
            return;
        m_spec.options.resumeArguments = words.join(u' ');
        m_state.understand(field::resumeArguments, m_state.launch->line);
    }

    ReadState& m_state;
    JobSpec& m_spec;
    QSet<QString> m_takenOptions; ///< options of srun that became fields
};

} // namespace

void readStep(ReadState& state) { StepReader(state).run(); }

} // namespace rankwright::inline script
