// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/read/scriptreader.h"

#include "models/script/read/environmentreader.h"
#include "models/script/read/resourcereader.h"
#include "models/script/read/stepreader.h"
#include "models/script/read/trainingreader.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

/// Directives that no field took: kept as written, unless the site's own recipe writes them.
void storeDirectives(ReadState& state)
{
    for (const BatchOption& option : state.batch.options) {
        const QString written = u"--"_s + option.name + (option.hasValue ? u'=' + option.value : QString());
        if (state.profile.launch.extraDirectives.contains(written)) {
            if (option.name == u"constraint")
                state.reading.spec.options.constraint.reset();
            continue;
        }
        if (state.usedOptions.contains(option.name) || !option.known)
            continue;
        const QString line = u"#SBATCH "_s + option.written;
        if (state.reading.directives.contains(line))
            continue;
        state.reading.directives.append(line);
        state.miss(
            option.line, option.written, u"There is no field for this: the directive is kept as it is written."_s);
    }
    for (const LostDirective& lost : state.batch.lost) {
        state.miss(lost.line, lost.text,
            lost.stops() ? u"sbatch does not read this and refuses the script."_s
                         : u"sbatch does not see this line as a directive: it has no effect."_s);
    }
}

} // namespace

ScriptReading readScript(const BatchText& batch, const ClusterProfile& profile)
{
    ReadState state{batch, profile, {}, nullptr, {}, {}, {}, {}, false};
    state.reading.spec.cluster = profile.name;
    findTrainingLaunch(state);
    readDirectiveFields(state);
    readSize(state);
    readTraining(state);
    readStep(state);
    readSurroundings(state);
    storeDirectives(state);
    std::stable_sort(state.reading.notUnderstood.begin(), state.reading.notUnderstood.end(),
        [](const NotUnderstood& a, const NotUnderstood& b) { return a.line < b.line; });
    return state.reading;
}

} // namespace rankwright::inline script
